/** Notices when a text that goes on has nothing more to give for now. */
import { setTimeout } from 'node:timers/promises'
import { type TextPiece, timerMs } from '@memagent/core'

const paused = Symbol('paused')

/**
 * The pieces, and a pause after those that nothing followed for so long, if they had a word.
 * @param pauseMs at least 1
 */
export async function* withPauses(
  pieces: AsyncIterable<TextPiece>,
  pauseMs: number,
): AsyncGenerator<TextPiece> {
  const iterator = pieces[Symbol.asyncIterator]()
  let next = iterator.next()
  let waiting: TextPiece | undefined
  try {
    for (;;) {
      const found = waiting ? await nextOrPause(next, pauseMs) : await next
      if (found === paused) {
        yield { ...behind(waiting!), isPause: true }
        waiting = undefined
        continue
      }
      if (found.done) return
      if (waiting || /\S/.test(found.value.text)) waiting = found.value
      yield found.value
      next = iterator.next()
    }
  } finally {
    // A source that has nothing to give would not answer.
    void iterator.return?.()?.catch(() => undefined)
    next.catch(() => undefined)
  }
}

async function nextOrPause<Next>(next: Promise<Next>, pauseMs: number): Promise<Next | typeof paused> {
  const timer = new AbortController()
  try {
    return await Promise.race([next, setTimeout(timerMs(pauseMs), paused, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** No text, behind the piece. */
export const behind = ({ source, offsetBytes, lengthBytes }: TextPiece): TextPiece => ({
  text: '',
  source,
  offsetBytes: offsetBytes + lengthBytes,
  lengthBytes: 0,
})
