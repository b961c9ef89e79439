/**
 * Looks things up: reads the chunks that a search for the question finds, in document order and with a memory, like `overwrite`
 * (`skim`) or `edits` (`skim-edits`). The notes then become part of the next query (ITER-RETGEN, Shao et al., arXiv 2305.15294),
 * so that what was read leads to what it names. A round that leaves existing notes unchanged is the last, since the next query
 * would be the same; so is the third that notes nothing.
 *
 * The rest of the text is passed over. The reading reports how much that is, and never says that something is not in the text
 * unless all of it was read (`../reading/unread.ts`).
 */
import type { Chunk } from '../../chunking/chunker.ts'
import { ConfigurationError, DocumentError } from '../../errors.ts'
import { aCount, aFlag, listOf, objectOf } from '../../json-shape.ts'
import { bytesOf } from '../../retrieval/byte-ranges.ts'
import {
  BestChunks,
  type ChunkSearch,
  type EmbeddingSearch,
  type ScoredPassage,
  scoresByMeaning,
  scoresByWords,
} from '../../retrieval/chunk-search.ts'
import { passageTokensOf } from '../../retrieval/passages.ts'
import { edits } from '../edits/edits.ts'
import { type OverwriteState, overwrite } from '../overwrite/overwrite.ts'
import type { PromptPlaces } from '../prompts/prompts.ts'
import type { Json, ReadingContext, StateOrigin, Workflow } from '../workflow.ts'

const chunksPerRound = 8
/** While the notes are empty, every search is the same. */
const roundsWithoutNotes = 3
/** Room for chains: each link may take a round. Searches by meaning are fewer, since each embeds the whole text. */
const mostRounds = { byWords: 8, byMeaning: 3 }

/** What `skim` needs to know of the notes of its reader. */
type AskedState = { readonly question: string | null; readonly steps: number }

export type SkimState<Notes extends AskedState = OverwriteState> = {
  /** The state of the reader, as if the chosen chunks were the whole text. */
  readonly notes: Notes
  /** Searches so far. */
  readonly rounds: number
  /** Ordinals of chunks that the last search found and that are still to be read, in document order. */
  readonly chosen: readonly number[]
  /** Ordinals of chunks, in the order of reading. */
  readonly read: readonly number[]
  /** This round has changed the notes. */
  readonly hasNews: boolean
  readonly bytesRead: number
  /** Of the whole text; 0 before the first search. */
  readonly bytes: number
}
type Search = (search: ChunkSearch, signal: AbortSignal) => AsyncIterable<ScoredPassage>

/** Reads the chosen chunks as this workflow reads all chunks. */
function skimming<Notes extends AskedState, Places extends PromptPlaces>(
  name: string,
  reader: Workflow<Notes, Places>,
  search: Search = scoresByWords,
  rounds = mostRounds.byWords,
): Workflow<SkimState<Notes>, Places> {
  const { callsPerChunk = 1 } = reader
  const hasNextRound = ({ notes, rounds: done, hasNews, bytesRead, bytes }: SkimState<Notes>): boolean => {
    if (done === 0) return true
    const isWorthwhile = hasNews || (done < roundsWithoutNotes && reader.memory(notes) === '')
    return done < rounds && isWorthwhile && bytesRead < bytes
  }
  /** Three rounds were the most when the first runs were kept. */
  const hasEnded = (state: SkimState<Notes>) => !hasNextRound(state) || state.rounds === 3
  const workflow: Workflow<SkimState<Notes>, Places> = {
    name,
    prompts: reader.prompts,
    conversationsOf: reader.name,
    callsPerChunk,
    estimate(text, { chunk, memory }) {
      const count = Math.min(text.chunks, rounds * chunksPerRound)
      const filled = Math.min(text.tokens, count * chunk) + count * memory
      const update = { template: 'update', count, filled, maxTokens: memory }
      // A memory that is consolidated may be twice its budget.
      return callsPerChunk === 1
        ? [update]
        : [update, { ...update, template: 'consolidate', filled: 2 * count * memory }]
    },
    init(question) {
      if (question === undefined) throw withoutQuestion(name, reader.name)
      const notes = reader.init(question)
      return { notes, rounds: 0, chosen: [], read: [], hasNews: false, bytesRead: 0, bytes: 0 }
    },
    isState: (value, origin): value is SkimState<Notes> =>
      hasShape(value, origin, rounds) &&
      reader.isState(value.notes, { question: origin.question, steps: origin.steps }) &&
      (!origin.isDone || (value.chosen.length === 0 && hasEnded(value as unknown as SkimState<Notes>))),
    memory: ({ notes }) => reader.memory(notes),
    withMemory: (state, memory) => ({ ...state, notes: reader.withMemory!(state.notes, memory) }),

    async read(state, chunk, context) {
      const { notes } = state
      // Tags and events name the chunk by its place in the text.
      const asked = { ...notes, steps: chunk.ordinal }
      const { state: after } = await reader.read(asked, chunk, context)
      return {
        state: {
          ...state,
          notes: { ...after, steps: notes.steps + 1 },
          chosen: state.chosen.filter((ordinal) => ordinal !== chunk.ordinal),
          read: [...state.read, chunk.ordinal],
          hasNews: state.hasNews || reader.memory(after) !== reader.memory(notes),
          bytesRead: state.bytesRead + bytesOf(chunk.ranges),
        },
      }
    },

    async *run(start, openChunks, context) {
      let state = start
      while (state.chosen.length > 0 || hasNextRound(state)) {
        if (state.chosen.length === 0) {
          const query = `${state.notes.question}\n${reader.memory(state.notes)}`.trim()
          const next = await found(query, state.read, search, openChunks, context)
          state = { ...state, ...next, rounds: state.rounds + 1, hasNews: false }
          yield state
          continue
        }
        const chosen = new Set(state.chosen)
        const isChosen = ({ ordinal }: Chunk) => chosen.has(ordinal)
        for await (const chunk of openChunks(placeIn(state), isChosen)) {
          if (!isChosen(chunk)) continue
          state = (await workflow.read(state, chunk, context)).state
          yield state
          if (state.chosen.length === 0) break
        }
        if (state.chosen.length > 0) throw withoutChunk(state.chosen)
      }
    },

    answer: ({ notes }, question, context) => reader.answer(notes, question, context),
    unreadBytes: ({ bytesRead, bytes }) => Math.max(0, bytes - bytesRead),
  }
  return workflow
}

export const skim = skimming('skim', overwrite)
export const skimEdits = skimming('skim-edits', edits)

/** Searches by meaning instead of by words. Every search embeds the whole text. */
export function createSkim(embeddings: EmbeddingSearch): typeof skim {
  return byMeaning('skim', overwrite, embeddings)
}

/** The same for `skim-edits`. */
export function createSkimEdits(embeddings: EmbeddingSearch): typeof skimEdits {
  return byMeaning('skim-edits', edits, embeddings)
}

function byMeaning<Notes extends AskedState, Places extends PromptPlaces>(
  name: string,
  reader: Workflow<Notes, Places>,
  embeddings: EmbeddingSearch,
): Workflow<SkimState<Notes>, Places> {
  const { model, queryPrefix = '', passagePrefix = '' } = embeddings
  return {
    ...skimming(
      name,
      reader,
      (search, signal) => scoresByMeaning(search, embeddings, signal),
      mostRounds.byMeaning,
    ),
    fingerprint: JSON.stringify([model.name, queryPrefix, passagePrefix]),
  }
}

/** The best chunks for the query that were not read yet, and the length of the text. */
async function found(
  query: string,
  read: readonly number[],
  search: Search,
  openChunks: (fromOrdinal: number, isRead: (chunk: Chunk) => boolean) => AsyncIterable<Chunk>,
  { budget, signal }: Pick<ReadingContext, 'budget' | 'signal'>,
): Promise<{ readonly chosen: readonly number[]; readonly bytes: number }> {
  const best = new BestChunks(chunksPerRound)
  let bytes = 0
  async function* open() {
    bytes = 0
    for await (const chunk of openChunks(0, () => false)) {
      bytes += bytesOf(chunk.ranges)
      yield chunk
    }
  }
  const [passageTokens, most] = [passageTokensOf(budget), chunksPerRound + read.length]
  for await (const passage of search({ query, passageTokens, most, open }, signal)) {
    if (!read.includes(passage.ordinal)) best.add(passage)
  }
  return { chosen: best.ordinals, bytes }
}

/** Where to open the text: after the chunk read last, where a checkpoint stands, or at 0 for a new round. */
function placeIn({ read, chosen }: Pick<SkimState, 'read' | 'chosen'>): number {
  const last = read.at(-1) ?? -1
  return last < chosen[0]! ? last + 1 : 0
}

const stateShape = objectOf<Omit<SkimState, 'notes'>>({
  rounds: aCount,
  chosen: listOf(aCount),
  read: listOf(aCount),
  hasNews: aFlag,
  bytesRead: aCount,
  bytes: aCount,
})

/** Whether a value is a state, apart from its notes. */
function hasShape(
  value: Json,
  { question, steps, bytes: known }: StateOrigin,
  mostRounds: number,
): value is SkimState {
  const { notes, ...rest } = (value ?? {}) as { readonly [name: string]: Json }
  if (notes === undefined || question === undefined || stateShape(rest, '') !== undefined) return false
  const { rounds, chosen, read, bytesRead, bytes } = value as unknown as SkimState
  return (
    read.length === steps &&
    (known === undefined || bytesRead === known) &&
    new Set([...read, ...chosen]).size === read.length + chosen.length &&
    chosen.every((ordinal, i) => i === 0 || chosen[i - 1]! < ordinal) &&
    (rounds === 0 ? chosen.length === 0 && bytes === 0 : rounds <= mostRounds && bytesRead <= bytes)
  )
}

const withoutQuestion = (name: string, reader: string) =>
  new ConfigurationError({
    code: 'workflow/no-question',
    message: `The workflow ${name} needs a question: it reads only what a search for it finds.`,
    hint: `Ask one, or take notes with a workflow that reads all of the text, such as ${reader}.`,
  })

const withoutChunk = (chosen: readonly number[]) =>
  new DocumentError({
    code: 'document/changed',
    message: `The text has no chunk ${chosen[0]! + 1}, which a search had found: it changed while it was read.`,
    hint: 'Start over, with a text that stays as it is.',
    details: { chosen },
  })
