/** Shortens names to fit a plot. SVG cannot measure text, so widths are those of a wide font (DejaVu Sans). */

/** Widths as parts of the font size. */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijl.,:;'|!]/, 0.33],
  [/[frtI()[\]\-\s/]/, 0.42],
  [/[mwMW%@…]/, 0.98],
  [/[A-Z_=+<>&#~]/, 0.78],
  [/[\d\p{Script=Latin}\p{Script=Greek}\p{P}\p{S}]/u, 0.64],
]

const widthOf = (character: string) => widths.find(([kind]) => kind.test(character))?.[1] ?? 1.05

/** In pixels, erring on the wide side. */
export const textWidth = (text: string, fontSize: number): number =>
  fontSize * [...text].reduce((sum, character) => sum + widthOf(character), 0)

/** The name, or its beginning and end joined by an ellipsis: names mostly differ at the end. */
export function shortName(name: string, width: number, fontSize = 11): string {
  if (textWidth(name, fontSize) <= width) return name
  const characters = [...name]
  for (let length = characters.length - 1; length > 1; length -= 1) {
    const start = Math.floor(length * 0.4)
    const short = `${characters.slice(0, start).join('')}…${characters.slice(start - length).join('')}`
    if (textWidth(short, fontSize) <= width) return short
  }
  return '…'
}
