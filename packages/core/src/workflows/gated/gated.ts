/**
 * Gates on the memory and on the reading (GRU-Mem, arXiv 2602.10560; `gate-grammar.ts`): after each chunk the model writes
 * whether the section brings news, and a new memory only if it does; otherwise the memory stays, byte for byte, for a token or
 * two. `gated-exit` also ends the reading when the model writes that the memory holds everything; `gated` reads on to the end of
 * the text, for tasks whose answer may change or grow.
 *
 * A response that is empty, a refusal, cut by its limit or not in the grammar changes nothing; it is counted and reported as a
 * warning. It is never taken for "no news", nor does it end a reading. Nor can a reading end on an empty memory. The reader
 * reports what was not read.
 */
import { aText, nullable } from '../../json-shape.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import { flawOf } from '../answer/response-flaw.ts'
import { memoryShown } from '../memory-shown.ts'
import { saysNothingNew } from '../nothing-new.ts'
import { questionForPrompt } from '../question-shown.ts'
import { emptiesMemory, saysOnly } from '../rewritten-memory.ts'
import { stateCheck } from '../state-check.ts'
import type { Conversation, ReadingContext, Workflow } from '../workflow.ts'
import { type GatedResponse, parseGates, renderGates } from './gate-grammar.ts'
import { gatedPrompts } from './gated-prompts.ts'

export type GatedState = {
  readonly question: string | null
  /** As prompts show it; null while nothing is noted. */
  readonly memory: string | null
  readonly steps: number
}
type Context = ReadingContext<typeof gatedPrompts>

type GatedWorkflow = Workflow<GatedState, typeof gatedPrompts>

const gatedWorkflow = (name: string, mayExit: boolean): GatedWorkflow => ({
  name,
  prompts: gatedPrompts,
  init: (question) => ({ question: question ?? null, memory: null, steps: 0 }),
  isState: stateCheck<GatedState>(
    { memory: nullable(aText) },
    ({ memory }, { question, endedEarly }) =>
      (!endedEarly || (mayExit && question !== undefined && memory !== null)) &&
      (memory === null || (memory !== '' && memory.trim() === memory)),
    true,
  ),
  memory: ({ memory }) => memory ?? '',
  unchanged: (state) => ({ ...state, steps: state.steps + 1 }),
  withMemory: (state, memory) => ({ ...state, memory: memory.trim() || null }),

  async read(state, chunk, context) {
    const { steps: step } = state
    const { prompts, budget, neutralize } = context
    const before = await memoryShown(state, context)
    const parts = { memory: before ?? prompts.text('emptyMemory', {}), section: neutralize(chunk.text) }
    const messages =
      state.question === null
        ? prompts.messages('note', parts)
        : prompts.messages('update', {
            ...parts,
            question: await questionForPrompt(state.question, context),
          })
    const tag = { step, kind: 'update' }
    // Most sections bring no news.
    const draft = renderGates({ memory: undefined, exit: false })
    const gates = await requestGates({ messages, maxTokens: budget.memory, tag, draft }, before, context)
    const after = gates?.memory === undefined ? before : gates.memory
    const [memory, previous] = [after ?? '', state.memory ?? '']
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous,
      changed: memory !== previous,
      origin: gates ? 'sampled' : 'kept',
      tokens: await context.countTokens(memory),
      ...(gates && { gates: { update: gates.memory !== undefined, exit: gates.exit } }),
    })
    const next = { ...state, memory: after, steps: step + 1 }
    return { state: next, done: mayExit && state.question !== null && (gates?.exit ?? false) }
  },

  async answer(state, question, context) {
    if (state.memory === null) return { text: '', outcome: 'not-found' }
    return answerFromMemory(state.memory, { question, steps: state.steps }, context)
  },
})

/** Reads to the end of the text, whatever the exit gate says. */
export const gated = gatedWorkflow('gated', false)

/** Ends the reading when the exit gate says so. */
export const gatedExit: GatedWorkflow = {
  ...gatedWorkflow('gated-exit', true),
  conversationsOf: gated.name,
  mayEndEarly: true,
}

interface Gates extends Omit<GatedResponse, 'memory'> {
  /** Null if nothing is noted any more; undefined if the memory stays. */
  readonly memory: string | null | undefined
}

/** The gates of the response; undefined, with a warning, if it has none. */
async function requestGates(
  conversation: Conversation,
  before: string | null,
  context: Context,
): Promise<Gates | undefined> {
  const { budget, prompts } = context
  const { tag, maxTokens } = conversation
  const fail = (code: string, problem: string) => {
    const message = `The gates cannot be used, and the previous memory is kept: the response ${problem}.`
    context.emit({ type: 'warning', step: tag.step, code, message, malformed: tag })
    return undefined
  }
  const result = await context.chat(conversation)
  const flaw = flawOf(result, maxTokens, tag.step, context)
  if (flaw) return fail(flaw.kind === 'cut' ? 'gates-cut' : `memory-${flaw.kind}`, flaw.problem)
  const parsed = parseGates(result.text)
  if ('problem' in parsed) return fail('gates-malformed', parsed.problem)
  const isUnchanged =
    before !== null && !context.isTrained && parsed.memory !== undefined && saysNothingNew(parsed.memory)
  const written = parsed.memory === undefined || isUnchanged ? undefined : context.neutralize(parsed.memory)
  if (written !== undefined && (await context.countTokens(written)) > budget.memory) {
    return fail('gates-cut', 'writes a memory over its budget')
  }
  const isEmpty = written !== undefined && saysOnly(written, prompts.text('emptyMemory', {}))
  if (isEmpty && before !== null && !context.isTrained) return fail('memory-empty', emptiesMemory)
  const memory = isEmpty ? null : written
  if (parsed.exit && (memory === undefined ? before : memory) === null) {
    return fail('gates-malformed', 'says that enough was read, although nothing is noted')
  }
  return { memory, exit: parsed.exit }
}
