/**
 * Reads all chunks at the same time against one shared memory and merges those with news into the next memory, in up to three
 * passes, until no chunk has news (PI-Mem, arXiv 2608.03048). What one pass found guides the next, and no fact waits in a memory
 * that is rewritten after every chunk.
 *
 * A pass is read in batches, so no more than one batch is held, however long the text is. Every round of conversations is a
 * checkpoint: a batch of reports, merges that do not depend on each other, the merge into the memory. None depends on how many
 * conversations take place at the same time.
 *
 * A report that is empty, a refusal or malformed changes nothing; it is counted and reported as a warning, and never taken for
 * "no". A report that reached its limit is taken up to its last whole sentence. If a merge gives nothing, its notes are kept as
 * far as there is room. If nothing is noted by the end, the answer is that the text does not answer, without a call.
 */
import type { Chunk } from '../../chunking/chunker.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import type { ReadingContext, Workflow } from '../workflow.ts'
import { mergeInParts, mergeIntoMemory } from './parallel-merge.ts'
import { fullGroups, groupsThatFit, mostMerges, noteTokens } from './parallel-notes.ts'
import { parallelPrompts } from './parallel-prompts.ts'
import { readReports } from './parallel-report.ts'
import { isParallelState, mostPasses, type ParallelState } from './parallel-state.ts'

/** Chunks held at a time: more than most servers take at once. */
const batchSize = 64

type Context = ReadingContext<typeof parallelPrompts>

export const parallel: Workflow<ParallelState, typeof parallelPrompts> = {
  name: 'parallel',
  prompts: parallelPrompts,
  // A report, and its share of the merges.
  callsPerChunk: 2,
  passes: mostPasses,
  estimate({ tokens, chunks }, budget) {
    const { chunk, memory } = budget
    const merges = mostMerges(chunks, budget)
    const note = noteTokens(budget)
    const inAllPasses = (template: string, count: number, filled: number, maxTokens: number) => ({
      template,
      count: mostPasses * count,
      filled: mostPasses * filled,
      maxTokens,
    })
    return [
      inAllPasses('report', chunks, tokens + chunks * memory, note),
      inAllPasses('merge', merges - 1, (merges - 1) * chunk, note),
      inAllPasses('merge', 1, chunk + memory, memory),
    ]
  },
  init: (question) => ({
    question: question ?? null,
    memory: '',
    notes: [],
    chunks: 0,
    pass: 0,
    ordinal: 0,
    isRead: false,
    steps: 0,
    isDone: false,
  }),
  isState: isParallelState,
  memory: ({ memory }) => memory,
  withMemory: (state, memory) => ({ ...state, memory: memory.trim() }),

  /** For programs that read chunk by chunk: news is merged at once. */
  async read(state, chunk, context) {
    const reported = await readReports(state, [chunk], context)
    if (reported.notes.length === 0) return { state: reported }
    return { state: { ...reported, memory: await mergeIntoMemory(reported, context), notes: [] } }
  },

  async *run(start, openChunks, context) {
    let state = start
    while (!state.isDone) {
      if (!state.isRead) for await (state of readPass(state, openChunks, context)) yield state
      for await (state of endPass(state, context)) yield state
    }
  },

  async answer({ memory, steps }, question, context) {
    if (memory === '') return { text: '', outcome: 'not-found' }
    return answerFromMemory(memory, { question, steps }, context)
  },
}

/** Reads to the end of the text, merging on the way only to make room. */
async function* readPass(
  start: ParallelState,
  openChunks: (fromOrdinal?: number) => AsyncIterable<Chunk>,
  context: Context,
): AsyncGenerator<ParallelState> {
  let state = start
  for await (state of makeRoom(state, context)) yield state
  for await (const chunks of inBatches(openChunks(state.ordinal))) {
    state = await readReports(state, chunks, context)
    yield state
    for await (state of makeRoom(state, context)) yield state
  }
  yield { ...state, isRead: true }
}

async function* makeRoom(start: ParallelState, context: Context): AsyncGenerator<ParallelState> {
  let state = start
  for (;;) {
    const groups = await fullGroups(state.notes, context.budget, context.countTokens)
    if (groups.length === 0) return
    state = await mergeInParts(state, groups, context)
    yield state
  }
}

/** Merges the reports into the next memory; without reports, the reading is done. */
async function* endPass(start: ParallelState, context: Context): AsyncGenerator<ParallelState> {
  let state = start
  for (;;) {
    const groups = await groupsThatFit(state.notes, context.budget, context.countTokens)
    if (groups.length <= 1) break
    const several = groups.filter((group) => group.length > 1)
    state = await mergeInParts(state, several, context)
    yield state
  }
  const pass = state.pass + 1
  const isQuiet = state.notes.length === 0
  yield {
    ...state,
    memory: isQuiet ? state.memory : await mergeIntoMemory(state, context),
    notes: [],
    chunks: state.ordinal,
    pass,
    ordinal: 0,
    isRead: false,
    isDone: isQuiet || pass === mostPasses,
  }
}

async function* inBatches(chunks: AsyncIterable<Chunk>): AsyncGenerator<readonly Chunk[]> {
  let batch: Chunk[] = []
  for await (const chunk of chunks) {
    batch.push(chunk)
    if (batch.length < batchSize) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
