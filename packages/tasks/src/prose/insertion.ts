/** Where to insert a sentence in a paragraph, and the white space around it. */

/** Whether the plant, such as a line of a log or of settings, needs a line of its own. */
export const standsAlone = (plant: string): boolean => !/[.!?]["']?$/.test(plant) || /^[[{]/.test(plant)

/** The end of a sentence, or of the paragraph, nearest to a fraction of it. */
export function boundaryNear(text: string, fraction: number, onOwnLine: boolean): number {
  const target = Math.min(1, Math.max(0, fraction)) * text.length
  let best = target * 2 < text.length ? 0 : text.length
  if (!onOwnLine && !/^\s*([|#>*+`~<-]|\d+[.)]|\s{4})/.test(text)) {
    for (const match of text.matchAll(/[.!?]["')\]]?\s+(?=["'(]?[A-Z])/g)) {
      const end = match.index + match[0].length
      if (Math.abs(end - target) < Math.abs(best - target)) {
        best = end
      }
    }
  }
  return best
}

/** The plant with the white space its place needs; `lead` is the number of bytes before it. */
export function wrap(plant: string, paragraph: string, at: number): { text: string; lead: number } {
  const before = paragraph.slice(0, at)
  const isInside = at > 0 && at < paragraph.length && !/\n\s*\n\s*$/.test(before)
  if (isInside) {
    return { text: `${plant} `, lead: 0 }
  }
  const lead = at === 0 || /\n[ \t]*\n[ \t]*$/.test(before) ? '' : before.endsWith('\n') ? '\n' : '\n\n'
  return { text: `${lead}${plant}\n\n`, lead: lead.length }
}
