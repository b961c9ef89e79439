/**
 * Old memories of a reading. All are written with its checkpoints, but the texts held in memory and the cost of a search are
 * bounded: beyond that the oldest are forgotten. Which ones depends only on their lengths, so a resumed reading holds the same.
 */
import { WorkflowError } from '../errors.ts'
import { WordRecall } from '../retrieval/word-recall.ts'
import type { MemoryLog, MemoryLogEntry } from '../workflows/workflow.ts'

/** At the paper's window, 2,000 full memories: the rewrites of eight million tokens. */
const defaultMostCharacters = 8_000_000

export interface MemoryLogOptions {
  /** Entries so far. @default none */
  readonly start?: readonly MemoryLogEntry[] | undefined
  readonly onAppend?: ((entry: MemoryLogEntry, index: number) => void) | undefined
  /** The most characters of the texts held; the newest is held whatever its length. @default 8 million */
  readonly mostCharacters?: number | undefined
}

export function createMemoryLog(options: MemoryLogOptions = {}): MemoryLog {
  const { start = [], onAppend, mostCharacters = defaultMostCharacters } = options
  const entries: (MemoryLogEntry | undefined)[] = []
  let [first, characters] = [0, 0]
  let index: WordRecall | undefined

  const add = ({ step, text }: MemoryLogEntry) => {
    entries.push({ step, text })
    characters += text.length
    for (; characters > mostCharacters && first < entries.length - 1; first++) {
      characters -= entries[first]!.text.length
      entries[first] = undefined
    }
  }
  for (const entry of start) add(entry)

  return {
    get length() {
      return entries.length
    },
    get first() {
      return first
    },
    append: async (entry) => {
      add(entry)
      onAppend?.({ step: entry.step, text: entry.text }, entries.length - 1)
    },
    get: async (at) => {
      const entry = entries[at]
      if (entry) return entry
      throw new WorkflowError({
        code: 'workflow/no-such-memory',
        message: `The memory log has ${entries.length} entries, of which the first ${first} are forgotten; there is no entry ${at}.`,
        details: { length: entries.length, first, index: at },
      })
    },
    search: async (query) => {
      index ??= new WordRecall()
      while (index.length < entries.length) index.add(entries[index.length]?.text ?? '')
      index.forgetBefore(first)
      return index.search(query)
    },
  }
}
