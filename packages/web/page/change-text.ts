/** Describes a change in words, for screen readers. */
import type { DifferencePart } from '../src/difference.ts'

/** Characters of each kind that are read out. */
const most = 300

/** `Added: "..." Removed: "..."` */
export function changeText(parts: readonly DifferencePart[]): string {
  const [added, removed] = (['added', 'removed'] as const).map((kind) => {
    const texts = parts.filter((part) => part.kind === kind).map(({ text }) => text.trim())
    const text = texts.filter((one) => one !== '').join(' … ')
    return text.length > most ? `${text.slice(0, most)} …` : text
  })
  const said = [added && `Added: ${added}`, removed && `Removed: ${removed}`].filter((one) => one)
  return said.length > 0 ? said.join('. ') : 'Only white space changed.'
}
