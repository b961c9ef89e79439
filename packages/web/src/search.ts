/** Finds the steps that have to do with a word. */
import type { OpenPage } from './packed-page.ts'
import { chunkPlace } from './place-text.ts'

export interface StepMatch {
  readonly step: number
  /** Why it matched: in the memory from this step on, or no longer; or in a passage, a warning or the name of the place. */
  readonly kind: 'came' | 'went' | 'passage' | 'warning' | 'place'
  /** Text around it; the match is from `from` to `to`. */
  readonly excerpt: string
  readonly from: number
  readonly to: number
}

/** Characters before and after a match. */
const [before, behind] = [32, 90]

const folded = (text: string) => text.toLowerCase()

/**
 * @param words the text to find, ignoring case and surrounding white space
 * @param pause awaited now and then: it can let the browser draw, or throw to end the search
 * @returns at most one match a step, in order
 */
export async function search(
  page: OpenPage,
  words: string,
  pause: () => Promise<void> = async () => undefined,
): Promise<StepMatch[]> {
  const wanted = folded(words.trim())
  if (wanted === '') return []
  const found = new Map<number, StepMatch>()
  let isIn = folded(page.timeline.at(-1)).includes(wanted)
  let seen = 0
  for (const { step, before: last, after } of page.timeline.around()) {
    const wasIn = isIn
    isIn = folded(after).includes(wanted)
    if (isIn !== wasIn)
      found.set(step, matchIn(isIn ? after : last, wanted, { step, kind: isIn ? 'came' : 'went' })!)
    if (++seen % 200 === 0) await pause()
  }
  for (const [step, { ranges, statements = [], warnings = [] }] of page.timeline.steps.entries()) {
    if (found.has(step)) continue
    const quotes = statements.flatMap(({ passages }) => passages).map((i) => page.passages.at(i)!)
    const match =
      firstIn(
        quotes.map(({ quote }) => quote),
        wanted,
        { step, kind: 'passage' },
      ) ??
      firstIn(
        warnings.map((i) => page.warnings[i]!),
        wanted,
        { step, kind: 'warning' },
      ) ??
      matchIn(chunkPlace(ranges, page.files), wanted, { step, kind: 'place' })
    if (match) found.set(step, match)
    if (step % 2000 === 0) await pause()
  }
  return [...found.values()].sort((a, b) => a.step - b.step)
}

type Found = Pick<StepMatch, 'step' | 'kind'>

function firstIn(texts: readonly string[], wanted: string, found: Found): StepMatch | undefined {
  for (const text of texts) {
    const match = matchIn(text, wanted, found)
    if (match) return match
  }
  return undefined
}

function matchIn(text: string, wanted: string, found: Found): StepMatch | undefined {
  // If folding changes the length of the text, the excerpt is from the folded text.
  const lower = folded(text)
  const shown = lower.length === text.length ? text : lower
  const at = lower.indexOf(wanted)
  if (at < 0) return undefined
  const start = Math.max(0, at - before)
  const lead = start > 0 ? '… ' : ''
  const excerpt = lead + shown.slice(start, at + wanted.length + behind)
  const from = lead.length + at - start
  return { ...found, excerpt, from, to: from + wanted.length }
}
