/**
 * Which reports are merged together. What does not fit into one merge is merged in parts, in the order of the text: each takes as
 * many notes as fit, and its result is a note of the next level. So a note is rewritten only a few times, however many there are,
 * and no more than a window of notes waits at each level.
 */
import type { WindowBudget } from '../../chat/profile.ts'

/** A report, or the result of merging several. */
export type Note = {
  /** Ordinal of the first chunk it is about. */
  readonly step: number
  /** How often its reports were merged. */
  readonly level: number
  /** As prompts show it, within `noteTokens`. */
  readonly text: string
}

/** Between two notes. */
const gap = '\n\n'
/** An upper bound for the tokens of a gap. */
const gapTokens = 4

/** The most tokens in a note: two notes fit into a merge, which has the room of a chunk. */
export const noteTokens = ({ chunk, memory }: WindowBudget): number =>
  Math.max(1, Math.min(memory, Math.floor((chunk - gapTokens) / 2)))

export const textOfNotes = (notes: readonly Note[]): string => notes.map(({ text }) => text).join(gap)

/** A merged note takes the place of its first note. */
export const placeOfMerge = (notes: readonly Note[]): Omit<Note, 'text'> => ({
  step: notes[0]!.step,
  level: 1 + Math.max(...notes.map(({ level }) => level)),
})

/** Tokens of a text, as prompts show it. */
type Count = (text: string) => Promise<number>

/**
 * Groups in order; every group but the last is full, since the next note does not fit. A group takes two notes whatever their
 * size.
 */
export async function groupsThatFit(
  notes: readonly Note[],
  { chunk }: WindowBudget,
  count: Count,
): Promise<readonly (readonly Note[])[]> {
  const groups: (readonly Note[])[] = []
  let group: readonly Note[] = []
  for (const note of notes) {
    const more = [...group, note]
    const fits = more.length <= 2 || (await count(textOfNotes(more))) <= chunk
    if (!fits) groups.push(group)
    group = fits ? more : [note]
  }
  return group.length > 0 ? [...groups, group] : groups
}

/**
 * What can be merged before the pass ends: the full groups of the lowest level that has any. Empty if every level still has room.
 */
export async function fullGroups(
  notes: readonly Note[],
  budget: WindowBudget,
  count: Count,
): Promise<readonly (readonly Note[])[]> {
  for (const level of [...new Set(notes.map((note) => note.level))].sort((a, b) => a - b)) {
    const ofLevel = notes.filter((note) => note.level === level)
    const groups = await groupsThatFit(ofLevel, budget, count)
    if (groups.length > 1) return groups.slice(0, -1)
  }
  return []
}

/** The notes with each group replaced by its merged note. */
export function withMerged(
  notes: readonly Note[],
  groups: readonly (readonly Note[])[],
  merged: readonly Note[],
): readonly Note[] {
  const first = new Map(groups.map((group, i) => [group[0]!, merged[i]!]))
  const gone = new Set(groups.flat())
  return notes.flatMap((note) => first.get(note) ?? (gone.has(note) ? [] : note))
}

/** The most merges a pass takes, if every chunk reports as much as it may. */
export function mostMerges(chunks: number, budget: WindowBudget): number {
  if (chunks === 0) return 0
  const perMerge = Math.max(2, Math.floor((budget.chunk + gapTokens) / (noteTokens(budget) + gapTokens)))
  const levels = Math.ceil(Math.log(chunks) / Math.log(perMerge))
  // A full merge turns `perMerge` notes into one; the last of each level may not be full. Plus the one into the memory.
  return Math.min(chunks, Math.floor((chunks - 1) / (perMerge - 1)) + levels + 1)
}
