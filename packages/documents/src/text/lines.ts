/** Lines of a stream of strings. */

/** A longer line is split. */
const longest = 1 << 20

export interface LinePart {
  /** With its line break, if any. */
  readonly text: string
  /** Whether it continues the line before. */
  readonly isContinued: boolean
}

export async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<LinePart> {
  let held = ''
  let isContinued = false
  for await (const text of texts) {
    held += text
    let from = 0
    for (let at = held.indexOf('\n'); at >= 0; at = held.indexOf('\n', from)) {
      yield { text: held.slice(from, at + 1), isContinued }
      isContinued = false
      from = at + 1
    }
    held = held.slice(from)
    if (held.length > longest) {
      yield { text: held, isContinued }
      isContinued = true
      held = ''
    }
  }
  if (held !== '') yield { text: held, isContinued }
}
