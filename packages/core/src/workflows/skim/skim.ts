/**
 * Looks things up: reads the chunks that a search for the question finds, in document order and with a memory, as
 * `overwrite` does. The notes then make the next query (ITER-RETGEN, Shao et al., arXiv 2305.15294), so that what was read leads to what it
 * names. A round that leaves existing notes as they are is the last: its query would be the next one, too.
 *
 * The rest of the text is passed over. The reading says how much that is, and what was not found is never said not to be in the
 * text, unless all of it was read (`../reading/unread.ts`).
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
import { type OverwriteState, overwrite } from '../overwrite/overwrite.ts'
import type { Json, ReadingContext, StateOrigin, Workflow } from '../workflow.ts'

const mostRounds = 3
const chunksPerRound = 8

export type SkimState = {
  /** As of a reading of the chosen chunks alone. */
  readonly notes: OverwriteState
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
type Context = ReadingContext<typeof overwrite.prompts>
type SkimWorkflow = Workflow<SkimState, typeof overwrite.prompts>
type Run = NonNullable<SkimWorkflow['run']>
type Search = (search: ChunkSearch, signal: AbortSignal) => AsyncIterable<ScoredPassage>

export const skim: SkimWorkflow = {
  name: 'skim',
  prompts: overwrite.prompts,
  conversationsOf: overwrite.name,
  estimate(text, { chunk, memory }) {
    const count = Math.min(text.chunks, mostRounds * chunksPerRound)
    const filled = Math.min(text.tokens, count * chunk) + count * memory
    return [{ template: 'update', count, filled, maxTokens: memory }]
  },
  init(question) {
    if (question === undefined) throw withoutQuestion()
    const notes = overwrite.init(question)
    return { notes, rounds: 0, chosen: [], read: [], hasNews: false, bytesRead: 0, bytes: 0 }
  },
  isState,
  memory: ({ notes }) => overwrite.memory(notes),
  withMemory: (state, memory) => ({ ...state, notes: overwrite.withMemory!(state.notes, memory) }),

  async read(state, chunk, context) {
    const { notes } = state
    // Tags and events tell the chunk by its place in the text.
    const asked = { ...notes, steps: chunk.ordinal }
    const { state: after } = await overwrite.read(asked, chunk, context)
    return {
      state: {
        ...state,
        notes: { ...after, steps: notes.steps + 1 },
        chosen: state.chosen.filter((ordinal) => ordinal !== chunk.ordinal),
        read: [...state.read, chunk.ordinal],
        hasNews: state.hasNews || overwrite.memory(after) !== overwrite.memory(notes),
        bytesRead: state.bytesRead + bytesOf(chunk.ranges),
      },
    }
  },

  run: runWith(scoresByWords),
  answer: ({ notes }, question, context) => overwrite.answer(notes, question, context),
  unreadBytes: ({ bytesRead, bytes }) => Math.max(0, bytes - bytesRead),
}

/** Searches by meaning instead of by words. Every search embeds the whole text. */
export function createSkim(embeddings: EmbeddingSearch): SkimWorkflow {
  const { model, queryPrefix = '', passagePrefix = '' } = embeddings
  return {
    ...skim,
    fingerprint: JSON.stringify([model.name, queryPrefix, passagePrefix]),
    run: runWith((search, signal) => scoresByMeaning(search, embeddings, signal)),
  }
}

function runWith(search: Search): Run {
  return async function* run(start, openChunks, context) {
    let state = start
    while (state.chosen.length > 0 || hasNextRound(state)) {
      if (state.chosen.length === 0) {
        state = await searched(state, search, openChunks, context)
        yield state
        continue
      }
      const chosen = new Set(state.chosen)
      const isChosen = ({ ordinal }: Chunk) => chosen.has(ordinal)
      for await (const chunk of openChunks(placeIn(state), isChosen)) {
        if (!isChosen(chunk)) continue
        state = (await skim.read(state, chunk, context)).state
        yield state
        if (state.chosen.length === 0) break
      }
      if (state.chosen.length > 0) throw withoutChunk(state.chosen)
    }
  }
}

function hasNextRound({ notes, rounds, hasNews, bytesRead, bytes }: SkimState): boolean {
  if (rounds === 0) return true
  const hasNewQuery = hasNews || overwrite.memory(notes) === ''
  return rounds < mostRounds && hasNewQuery && bytesRead < bytes
}

/** The state with the best chunks that were not read. */
async function searched(
  state: SkimState,
  search: Search,
  openChunks: Parameters<Run>[1],
  { budget, signal }: Context,
): Promise<SkimState> {
  const { notes, read } = state
  const query = `${notes.question}\n${overwrite.memory(notes)}`.trim()
  const best = new BestChunks(chunksPerRound)
  let bytes = 0
  async function* open() {
    bytes = 0
    for await (const chunk of openChunks(0, () => false)) {
      bytes += bytesOf(chunk.ranges)
      yield chunk
    }
  }
  for await (const passage of search({ query, passageTokens: passageTokensOf(budget), open }, signal)) {
    if (!read.includes(passage.ordinal)) best.add(passage)
  }
  return { ...state, rounds: state.rounds + 1, chosen: best.ordinals, hasNews: false, bytes }
}

/** Where to open the text: behind the chunk read last, where a checkpoint stands, unless a new round begins. */
function placeIn({ read, chosen }: SkimState): number {
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

function isState(
  value: Json,
  { question, steps, bytes: known, isDone = false }: StateOrigin,
): value is SkimState {
  const { notes, ...rest } = (value ?? {}) as { readonly [name: string]: Json }
  if (notes === undefined || question === undefined || stateShape(rest, '') !== undefined) return false
  const state = value as unknown as SkimState
  const { rounds, chosen, read, bytesRead, bytes } = state
  return (
    overwrite.isState(notes, { question, steps }) &&
    read.length === steps &&
    (known === undefined || bytesRead === known) &&
    new Set([...read, ...chosen]).size === read.length + chosen.length &&
    chosen.every((ordinal, i) => i === 0 || chosen[i - 1]! < ordinal) &&
    (rounds === 0 ? chosen.length === 0 && bytes === 0 : rounds <= mostRounds && bytesRead <= bytes) &&
    (!isDone || (chosen.length === 0 && !hasNextRound(state)))
  )
}

const withoutQuestion = () =>
  new ConfigurationError({
    code: 'workflow/no-question',
    message: 'The workflow skim needs a question: it reads only what a search for it finds.',
    hint: 'Ask one, or take notes with a workflow that reads all of the text, such as overwrite.',
  })

const withoutChunk = (chosen: readonly number[]) =>
  new DocumentError({
    code: 'document/changed',
    message: `The text has no chunk ${chosen[0]! + 1}, which a search had found: it changed while it was read.`,
    hint: 'Start over, with a text that stays as it is.',
    details: { chosen },
  })
