/**
 * Four kinds of loop that the workflow interface must support besides `overwrite`, each as small as possible: an update
 * gate and an exit gate (after GRU-Mem, arXiv 2602.10560), old memories recalled from a log (after ReMemR1, arXiv
 * 2509.23040), several memories of which one is rewritten per step (after MHM, arXiv 2607.01523), and every chunk
 * against one shared memory in several passes (after PI-Mem, arXiv 2608.03048). They test the interface; their prompts
 * were never tuned, so do not measure with them.
 */
import type { Chunk } from '../chunking/chunker.ts'
import { aCount, aText, listOf, nullable, objectOf, type Shape } from '../json-shape.ts'
import { askForAnswer } from '../workflows/final-answer.ts'
import { acceptMemory } from '../workflows/overwrite.ts'
import { definePrompts } from '../workflows/prompts.ts'
import type {
  Answer,
  Conversation,
  ConversationTag,
  Json,
  ReadingContext,
  Workflow,
} from '../workflows/workflow.ts'

const [problem, memory] = ['<problem>\n{question}\n</problem>', '<memory>\n{memory}\n</memory>']
const asking = (request: string) =>
  `${request}\n\n${problem}\n\n${memory}\n\n<section>\n{section}\n</section>\n\n`
const places = ['question', 'memory', 'section'] as const

/** Prompts for all four, each of which uses some of them. */
const fakePrompts = definePrompts({
  conversations: {
    gate: places,
    query: places,
    note: places,
    merge: places,
    update: places,
    answer: ['question', 'memory'],
  },
  texts: { emptyMemory: [], anyQuestion: [] },
  sets: {
    paper: {
      templates: {
        gate: asking('Does the section help? Say skip, update or enough.'),
        query: asking('Name a word to look up in old memories.'),
        note: asking('Note what helps.'),
        merge: asking('Write the updated memory.'),
        update: asking('Write the updated memory.'),
        answer: `Put the answer in \\boxed{}.\n\n${problem}\n\n${memory}\n\nYour answer:\n`,
        emptyMemory: 'No previous memory',
        anyQuestion: 'What is worth noting?',
      },
    },
  },
})
type FakeContext = ReadingContext<typeof fakePrompts>
type FakeWorkflow<State extends Json> = Workflow<State, typeof fakePrompts>

type Base = { readonly question: string | null; readonly step: number }

/** Checks these fields besides the common ones. Every pass restarts its steps, so steps are not compared. */
function stateCheck<State extends Base>(
  shapes: { readonly [Name in Exclude<keyof State, keyof Base>]-?: Shape },
) {
  const shape = objectOf<State>({ question: nullable(aText), step: aCount, ...shapes } as {
    readonly [Name in keyof State]-?: Shape
  })
  return (value: Json, { question }: { readonly question: string | undefined }): value is State & Json =>
    shape(value, '') === undefined && (value as unknown as Base).question === (question ?? null)
}

/** A gate is asked before the memory is rewritten: `skip`, `update`, or `enough`, which ends the stream. */
export const gatedFake: FakeWorkflow<Base & { readonly memory: string }> = {
  name: 'fake-gated',
  prompts: fakePrompts,
  init: (question) => ({ question: question ?? null, step: 0, memory: '' }),
  isState: stateCheck({ memory: aText }),
  memory: (state) => state.memory,
  async read(state, chunk, context) {
    const { step } = state
    const gate = ask({ step, kind: 'gate' }, 8, state, context)
    const verdict = (await context.chat(await gate(state.memory, chunk.text))).text
    const next = { ...state, step: step + 1 }
    if (verdict.includes('enough')) return { state: next, done: true }
    if (!verdict.includes('update')) return { state: next }
    return {
      state: {
        ...next,
        memory: await rewrite({ step, kind: 'update' }, state.memory, chunk.text, state, context),
      },
    }
  },
  answer: (state, question, context) => answerFrom(state.memory, state.step, question, context),
}

/** Every memory goes into the log; before a rewrite the model names a word, and the newest memory that holds it is shown again. */
export const recallFake: FakeWorkflow<Base & { readonly memory: string; readonly logged: number }> = {
  name: 'fake-recall',
  prompts: fakePrompts,
  init: (question) => ({ question: question ?? null, step: 0, memory: '', logged: 0 }),
  isState: stateCheck({ memory: aText, logged: aCount }),
  memory: (state) => state.memory,
  async read(state, chunk, context) {
    const { step, logged } = state
    const query = ask({ step, kind: 'query' }, 16, state, context)
    const word = (await context.chat(await query(state.memory, chunk.text))).text.trim()
    let recalled = ''
    for (let i = logged - 1; i >= 0 && recalled === '' && word !== ''; i--) {
      const { text } = await context.memoryLog.get(i)
      if (text.includes(word) && text !== state.memory) recalled = text
    }
    const half = Math.floor(context.budget.memory / 2)
    const shown =
      `${await context.truncate(state.memory, half)}\n${await context.truncate(recalled, half - 1)}`.trim()
    const memory = await rewrite({ step, kind: 'update' }, state.memory, chunk.text, state, context, {
      shown,
    })
    await context.memoryLog.append({ step, text: memory })
    return { state: { ...state, step: step + 1, memory, logged: logged + 1 } }
  },
  answer: (state, question, context) => answerFrom(state.memory, state.step, question, context),
}

/** Three memories share the budget; each step rewrites the one that was not rewritten for longest. */
export const slotsFake: FakeWorkflow<Base & { readonly memories: readonly string[] }> = {
  name: 'fake-slots',
  prompts: fakePrompts,
  init: (question) => ({ question: question ?? null, step: 0, memories: ['', '', ''] }),
  isState: stateCheck({ memories: listOf(aText) }),
  memory: (state) => state.memories.join('\n').trim(),
  async read(state, chunk, context) {
    const { step, memories } = state
    const slot = step % memories.length
    const budget = Math.max(1, Math.floor(context.budget.memory / memories.length) - 1)
    const memory = await rewrite(
      { step, kind: 'update', slot },
      memories[slot]!,
      chunk.text,
      state,
      context,
      { budget },
    )
    return { state: { ...state, step: step + 1, memories: memories.with(slot, memory) } }
  },
  answer: (state, question, context) => answerFrom(slotsFake.memory(state), state.step, question, context),
}

type ParallelState = Base & {
  readonly pass: number
  /** The memory that all chunks of this pass are read against. */
  readonly memory: string
  /** What this pass has found so far: the memory of the next pass. */
  readonly found: string
}
const [passes, batch] = [2, 4]

/** Every chunk of a pass is read against the same memory, four at a time; their notes are merged within the window. */
export const parallelFake: FakeWorkflow<ParallelState> = {
  name: 'fake-parallel',
  prompts: fakePrompts,
  init: (question) => ({ question: question ?? null, step: 0, pass: 0, memory: '', found: '' }),
  isState: stateCheck({ pass: aCount, memory: aText, found: aText }),
  memory: (state) => state.found || state.memory,
  async read(state, chunk, context) {
    return { state: await readBatch(state, [chunk], context) }
  },
  async *run(start, openChunks, context) {
    let state = start
    while (state.pass < passes) {
      let chunks: Chunk[] = []
      for await (const chunk of openChunks(state.step)) {
        chunks.push(chunk)
        if (chunks.length < batch) continue
        state = await readBatch(state, chunks, context)
        chunks = []
        yield state
      }
      if (chunks.length > 0) state = await readBatch(state, chunks, context)
      state = { ...state, pass: state.pass + 1, step: 0, memory: state.found || state.memory, found: '' }
      yield state
    }
  },
  answer: (state, question, context) => answerFrom(parallelFake.memory(state), state.step, question, context),
}

async function readBatch(
  state: ParallelState,
  chunks: readonly Chunk[],
  context: FakeContext,
): Promise<ParallelState> {
  const { pass, step } = state
  const budget = Math.max(1, Math.floor(context.budget.memory / batch))
  const conversations = chunks.map((chunk, i) =>
    ask({ step: step + i, kind: 'note', pass }, budget, state, context)(state.memory, chunk.text),
  )
  const results = await context.chatAll(await Promise.all(conversations))
  const notes = results.map((result, i) => acceptMemory(result, '', step + i, context).text.trim())
  const next = { ...state, step: step + chunks.length }
  if (notes.every((note) => note === '')) return next
  const tag: FakeTag = { step: next.step, kind: 'merge', pass }
  return { ...next, found: await rewrite(tag, state.found || state.memory, notes.join('\n'), state, context) }
}

type FakeTag = ConversationTag & { readonly kind: Exclude<keyof typeof fakePrompts.conversations, 'answer'> }

/** A conversation of the kind that its tag says; question, memory and section as data. */
function ask(tag: FakeTag, maxTokens: number, state: Base, context: FakeContext) {
  return async (memory: string, section: string): Promise<Conversation> => {
    const { neutralize, truncate, prompts, budget } = context
    const messages = prompts.messages(tag.kind, {
      question: neutralize(state.question ?? prompts.text('anyQuestion', {})),
      memory: await truncate(neutralize(memory || prompts.text('emptyMemory', {})), budget.memory),
      section: await truncate(neutralize(section), budget.chunk),
    })
    return { messages, maxTokens, tag }
  }
}

/** The memory after a rewrite; `shown` is what the prompt contains in its place. */
async function rewrite(
  tag: FakeTag,
  memory: string,
  section: string,
  state: Base,
  context: FakeContext,
  {
    shown = memory,
    budget = context.budget.memory,
  }: { readonly shown?: string; readonly budget?: number } = {},
): Promise<string> {
  const result = await context.chat(await ask(tag, budget, state, context)(shown, section))
  const { text, origin } = acceptMemory(result, memory, tag.step, context)
  const after = text.trim()
  const { step, slot } = tag
  context.emit({
    type: 'memory-end',
    step,
    ...(slot === undefined ? {} : { slot }),
    memory: after,
    previous: memory,
    changed: after !== memory,
    origin,
    tokens: await context.countTokens(after),
  })
  return after
}

async function answerFrom(
  memory: string,
  step: number,
  question: string,
  context: FakeContext,
): Promise<Answer> {
  if (memory === '') return { text: '', outcome: 'not-found' }
  const { neutralize, truncate, prompts, budget } = context
  const parts = { question: neutralize(question), memory: await truncate(neutralize(memory), budget.memory) }
  return askForAnswer(prompts.messages('answer', parts), step, context)
}
