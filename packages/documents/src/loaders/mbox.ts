/** A mailbox: messages one by one, each numbered. */
import { overLimit } from '../failures.ts'
import type { LoadContext, Loader } from '../loader.ts'
import { messageText } from './mail.ts'

/** The line before every message; its own form differs between programs, but it ends with a time and a year. */
const separator = /^From \S.*\d{1,2}:\d{2}.*\b\d{4}\b/
const whole = /^From \S+ +[A-Z][a-z]{2} [A-Z][a-z]{2} +\d{1,2} \d{2}:\d{2}(?::\d{2})? (?:\S+ )?\d{4}\s*$/
/** A sentence may look like a separator, so a header must follow, after the `>From ` line of some programs. */
const header = /^[!-9;-~]+:/
const beforeHeader = new RegExp(`^[^\\n]*\\n(?:>From [^\\n]*\\n)?${header.source.slice(1)}`)

export const mbox: Loader = {
  name: 'mbox',
  version: 8,
  isContainer: true,
  claims: ({ fileName, text }) =>
    /\.(mbox|mbx)$/.test(fileName)
      ? text.startsWith('From ')
      : separator.test(text) && beforeHeader.test(text),
  async *load(source, context) {
    let number = 0
    for await (const bytes of messages(source.stream(), source.name, context)) {
      yield* messageText(bytes, source.name, context, 'a mailbox', ++number)
    }
  },
}

/** A separator follows a blank line. A message escapes similar lines with `>`, which is removed. */
async function* messages(
  stream: AsyncIterable<Uint8Array>,
  name: string,
  { limits, signal }: LoadContext,
): AsyncGenerator<Buffer> {
  let message: Buffer[] = []
  let size = 0
  let isAfterBlank = true
  /** A line that looks like a separator, until the next line tells. */
  let held: Buffer | undefined
  const check = (bytes: number) => {
    if (bytes > limits.wholeBytes)
      throw overLimit(name, `a message has more than ${limits.wholeBytes >> 20} MiB`)
  }
  const add = (line: Buffer) => {
    message.push(line)
    size += line.length
    check(size)
  }
  for await (const line of byteLines(stream, check)) {
    signal?.throwIfAborted()
    const begin = line.toString('latin1', 0, 200)
    if (held) {
      // A message may have no headers if the separator is complete.
      const isEmpty = begin.trim() === '' && whole.test(held.toString('latin1', 0, 200))
      if (isEmpty || header.test(begin) || begin.startsWith('>From ') || size === 0) {
        if (size > 0) yield Buffer.concat(message)
        message = []
        size = 0
      } else add(held)
      held = undefined
    }
    if (isAfterBlank && separator.test(begin)) {
      held = line
      isAfterBlank = false
      continue
    }
    isAfterBlank = line.length <= 2 && begin.trim() === ''
    add(/^>+From /.test(begin) ? line.subarray(1) : line)
  }
  if (held && size > 0) add(held)
  if (size > 0) yield Buffer.concat(message)
}

/** @param check called with the length of the line so far */
async function* byteLines(
  stream: AsyncIterable<Uint8Array>,
  check: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const piece of stream) {
    // Copied, since the lines of a message are kept.
    const bytes = Buffer.from(piece)
    let from = 0
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, from)) {
      const line = bytes.subarray(from, at + 1)
      yield held.length === 0 ? line : Buffer.concat([...held, line])
      held = []
      heldBytes = 0
      from = at + 1
    }
    if (from === bytes.length) continue
    held.push(bytes.subarray(from))
    heldBytes += bytes.length - from
    check(heldBytes)
  }
  if (held.length > 0) yield Buffer.concat(held)
}
