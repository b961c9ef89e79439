/** Detects when a text that goes on has nothing more to give for now. */
import { setTimeout } from 'node:timers/promises'
import { type TextPiece, timerMs, utf8Length } from '@memagent/core'

const paused = Symbol('paused')

/** An unfinished line is released after this many pauses. */
const patience = 10
/** A longer one is released at once. In UTF-16 code units. */
const mostHeld = 1 << 16

/**
 * The pieces, with a pause whenever they contained a word and nothing follows for that long. The text after the last line
 * break is held back: programs write whatever fills a buffer, and half a number is another number.
 * @param pauseMs at least 1
 */
export async function* withPauses(
  pieces: AsyncIterable<TextPiece>,
  pauseMs: number,
): AsyncGenerator<TextPiece> {
  const iterator = pieces[Symbol.asyncIterator]()
  let next = iterator.next()
  const line = new UnfinishedLine()
  /** The last piece with or after a word, until its pause is reported. */
  let given: TextPiece | undefined
  let silent = 0
  try {
    for (;;) {
      const found = given || !line.isEmpty ? await nextOrPause(next, pauseMs) : await next
      silent = found === paused ? silent + 1 : 0
      const ready =
        found === paused ? line.takeAfter(silent) : found.done ? line.take() : line.add(found.value)
      for (const piece of ready) {
        if (given || /\S/.test(piece.text)) given = piece
        yield piece
      }
      if (found !== paused) {
        if (found.done) return
        next = iterator.next()
      } else if (given) {
        yield { ...behind(given), isPause: true, heldBack: line.length }
        given = undefined
      }
    }
  } finally {
    // Not awaited: a source with nothing to give would not answer.
    void iterator.return?.()?.catch(() => undefined)
    next.catch(() => undefined)
  }
}

/** The text after the last line break. */
class UnfinishedLine {
  #pieces: TextPiece[] = []
  /** In UTF-16 code units. */
  length = 0

  get isEmpty(): boolean {
    return this.#pieces.length === 0
  }

  /** @returns the pieces that are ready to read */
  add(piece: TextPiece): readonly TextPiece[] {
    const end = piece.text.lastIndexOf('\n') + 1
    const last = this.#pieces.at(-1)
    const isSame = last === undefined || last.source === piece.source
    if (!isSame || end === piece.text.length) return [...this.take(), piece]
    const [whole, rest] = cutAt(piece, end)
    const ready = whole ? [...this.take(), whole] : []
    this.#pieces.push(rest)
    this.length += rest.text.length
    return this.length > mostHeld ? [...ready, ...this.take()] : ready
  }

  take(): readonly TextPiece[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.length = 0
    return pieces
  }

  takeAfter(pauses: number): readonly TextPiece[] {
    return pauses >= patience ? this.take() : []
  }
}

/** Never cuts a replacement, whose bytes are not those of its text: it is a piece of its own. */
function cutAt(piece: TextPiece, index: number): [TextPiece | undefined, TextPiece] {
  if (index === 0) return [undefined, piece]
  const { position: _, ...rest } = piece
  const [before, after] = [piece.text.slice(0, index), piece.text.slice(index)]
  const bytes = piece.bytesPerCodeUnit ? piece.bytesPerCodeUnit * index : utf8Length(before)
  return [
    { ...piece, text: before, lengthBytes: bytes },
    {
      ...rest,
      text: after,
      offsetBytes: piece.offsetBytes + bytes,
      lengthBytes: piece.lengthBytes - bytes,
    },
  ]
}

async function nextOrPause<Next>(next: Promise<Next>, pauseMs: number): Promise<Next | typeof paused> {
  const timer = new AbortController()
  try {
    return await Promise.race([next, setTimeout(timerMs(pauseMs), paused, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}

/** An empty piece after the piece. */
export const behind = ({ source, offsetBytes, lengthBytes }: TextPiece): TextPiece => ({
  text: '',
  source,
  offsetBytes: offsetBytes + lengthBytes,
  lengthBytes: 0,
})
