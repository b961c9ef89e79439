/**
 * A kind of loop that the workflow interface must support besides those of the registry, as small as possible: every chunk against
 * one shared memory in several passes (after PI-Mem, arXiv 2608.03048). It tests the interface; its prompts were never tuned, so
 * do not measure with it.
 */
import type { Chunk } from '../chunking/chunker.ts'
import { aCount, aText, nullable, objectOf, type Shape } from '../json-shape.ts'
import { askForAnswer } from '../workflows/answer/final-answer.ts'
import { definePrompts } from '../workflows/prompts/prompts.ts'
import { acceptMemory } from '../workflows/rewritten-memory.ts'
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

const fakePrompts = definePrompts({
  conversations: {
    note: places,
    merge: places,
    update: places,
    answer: ['question', 'memory'],
  },
  texts: { emptyMemory: [], anyQuestion: [] },
  sets: {
    paper: {
      templates: {
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
  const notes = results.map((result, i) =>
    acceptMemory(result, { previous: '', maxTokens: budget, step: step + i }, context).text.trim(),
  )
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

/** The memory after a rewrite. */
async function rewrite(
  tag: FakeTag,
  memory: string,
  section: string,
  state: Base,
  context: FakeContext,
): Promise<string> {
  const conversation = await ask(tag, context.budget.memory, state, context)(memory, section)
  const result = await context.chat(conversation)
  const { text, origin } = acceptMemory(
    result,
    { previous: memory, maxTokens: conversation.maxTokens, step: tag.step },
    context,
  )
  const after = text.trim()
  context.emit({
    type: 'memory-end',
    step: tag.step,
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
