/** Parses a file that cannot be streamed, in a thread with limits; its text comes part by part. */
import type { DocumentError } from '@memagent/core'
import { wholeBytes } from '../byte-source.ts'
import { broken, overLimit } from '../failures.ts'
import type { ByteSource, LoadContext, LoadedText } from '../loader.ts'
import type { ParserName } from '../parsers/registry.ts'
import { failureError } from './failure-error.ts'
import type { Ending, ThreadLimits } from './parser-thread.ts'
import { giveBackThread, takeThread } from './threads.ts'

/** A thread that holds more than this share of its memory after a file is not reused. */
const heldShare = 0.25

/**
 * @param kind with its article: `a PDF`
 * @throws DocumentError if the file is broken, encrypted, has no text, or exceeds a limit
 */
export async function* parseWhole(
  source: ByteSource,
  context: LoadContext,
  { parser, kind }: { readonly parser: ParserName; readonly kind: string },
): AsyncIterable<LoadedText> {
  const { limits, signal } = context
  const { unpackedBytes, ratio, entries } = limits
  const file = ownBytes(await wholeBytes(source, context))
  const thread = takeThread({ seconds: limits.parseSeconds, megabytes: limits.parseMegabytes })
  let isIdle = false
  try {
    let answer = await thread.ask(
      { type: 'parse', parser, file, limits: { unpackedBytes, ratio, entries } },
      signal,
    )
    while (answer.type === 'parsed') {
      for (const part of answer.parts) {
        if ('text' in part) yield part
        else {
          const message = `${source.name}: ${part.warning}.`
          context.onRemark?.({ code: 'source-part-unread', source: source.name, message })
        }
      }
      answer = await thread.ask({ type: 'next' }, signal)
    }
    isIdle = answer.type === 'failed' || (answer.type === 'done' && isSmall(answer.heldBytes, thread.limits))
    if (answer.type === 'failed') throw failureError(source.name, kind, answer)
    if (answer.type !== 'done') throw endingError(source.name, kind, answer, thread.limits)
  } finally {
    if (isIdle) giveBackThread(thread)
    else await thread.end()
  }
}

/** A buffer of its own, since transferring detaches the whole buffer. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
}

const isSmall = (bytes: number, { megabytes }: ThreadLimits) => bytes < heldShare * megabytes * 2 ** 20

function endingError(source: string, kind: string, ending: Ending, limits: ThreadLimits): DocumentError {
  if (ending.type === 'out-of-memory') {
    return overLimit(source, `${kind} that takes more than ${limits.megabytes} MB of memory to parse`)
  }
  if (ending.type === 'out-of-time') {
    return overLimit(source, `${kind} from which no text came within ${limits.seconds} seconds`)
  }
  return broken(source, kind, ending.message)
}
