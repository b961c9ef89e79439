/** Parses files in a thread, whose memory is limited and which its owner can end at any time. */
import { getHeapStatistics } from 'node:v8'
import { parentPort } from 'node:worker_threads'
import { messageOf } from '@memagent/core'
import { type Parsed, ParseFailure } from '../parsers/parser.ts'
import { parsers } from '../parsers/registry.ts'
import type { FromThread, ToThread } from './messages.ts'

/** Characters that are sent together. */
const batchLength = 1 << 16
const batchMs = 500

let current: AsyncIterator<readonly Parsed[]> | undefined

parentPort!.on('message', async (message: ToThread) => {
  try {
    if (message.type === 'parse') {
      const parse = await parsers[message.parser]()
      current = batches(parse(message.file, message.limits))[Symbol.asyncIterator]()
    }
    const next = await current!.next()
    if (next.done) current = undefined
    send(
      next.done
        ? { type: 'done', heldBytes: getHeapStatistics().used_heap_size }
        : { type: 'parsed', parts: next.value },
    )
  } catch (cause) {
    current = undefined
    const kind = cause instanceof ParseFailure ? cause.kind : 'broken'
    send({ type: 'failed', kind, message: messageOf(cause) })
  }
})

const send = (message: FromThread) => parentPort!.postMessage(message)

/** Joins adjacent texts with the same position. */
async function* batches(parts: AsyncIterable<Parsed>): AsyncIterable<readonly Parsed[]> {
  let batch: Parsed[] = []
  let length = 0
  let started = performance.now()
  for await (const parsed of parts) {
    const part = 'text' in parsed ? { ...parsed, text: plain(parsed.text) } : parsed
    const last = batch.at(-1)
    if ('text' in part && last && 'text' in last && part.position === last.position) {
      batch[batch.length - 1] = { ...last, text: last.text + part.text }
    } else batch.push(part)
    length += 'text' in part ? part.text.length : 0
    if (length < batchLength && performance.now() - started < batchMs) continue
    yield batch
    batch = []
    length = 0
    started = performance.now()
  }
  if (batch.length > 0) yield batch
}

/** Drops control characters and replaces lone surrogates: files have them, texts do not. */
const plain = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the pattern is about.
  text.replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g, '').replaceAll(/\p{Surrogate}/gu, '\ufffd')
