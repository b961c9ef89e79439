/** The number of terminal columns that a text takes, as most terminals count. */
const noColumn = /[\p{Mn}\p{Me}\p{Cf}]/u
const twoColumns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}\u3000-\u303f\uff01-\uff60]/u

const widthOf = (character: string): number =>
  noColumn.test(character) ? 0 : twoColumns.test(character) ? 2 : 1

export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** The longest prefix that fits. */
export function cutToWidth(text: string, columns: number): string {
  let [width, end] = [0, 0]
  for (const character of text) {
    width += widthOf(character)
    if (width > columns) return text.slice(0, end)
    end += character.length
  }
  return text
}

/** Pieces that fit into the columns; at least one. */
export function splitToWidth(text: string, columns: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (textWidth(rest) > columns) {
    const piece = cutToWidth(rest, columns) || [...rest][0]!
    pieces.push(piece)
    rest = rest.slice(piece.length)
  }
  return [...pieces, rest]
}
