/**
 * A memory of lines, of which the model writes only what changes (`edit-grammar.ts`): a line that is not named stays, byte for
 * byte, and an unchanged memory costs a token or two.
 *
 * A response is applied whole or not at all. One that is empty, a refusal, cut by its limit or not in the grammar changes
 * nothing, is reported as a warning and counted: it is never taken for "nothing changes". A memory that edits would make longer than its
 * budget is consolidated once in that step, with edits of its own; new lines that still do not fit are refused, with a
 * warning. When nothing was noted by the end, the answer is that the text does not answer, without a call.
 */
import type { ChatResult } from '../chat/chat.ts'
import type { Message } from '../chat/message.ts'
import { aCount, aText, listOf, nullable, objectOf } from '../json-shape.ts'
import { applyEdits, type Edit, type Line, lineText, parseEdits, renderLines } from './edit-grammar.ts'
import { editsPrompts } from './edits-prompts.ts'
import { askForAnswer } from './final-answer.ts'
import { questionForPrompt } from './overwrite.ts'
import { readsAsRefusal } from './refusal.ts'
import type { ConversationTag, EditCounts, Json, ReadingContext, StateOrigin, Workflow } from './workflow.ts'

export type EditsState = {
  readonly question: string | null
  readonly lines: readonly Line[]
  readonly steps: number
}
type Context = ReadingContext<typeof editsPrompts>

export const edits: Workflow<EditsState, typeof editsPrompts> = {
  name: 'edits',
  prompts: editsPrompts,
  callsPerChunk: 2,
  init: (question) => ({ question: question ?? null, lines: [], steps: 0 }),
  isState,
  memory: ({ lines }) => lines.map(({ text }) => text).join('\n'),
  withMemory: (state, memory) => ({ ...state, lines: linesOf(memory.split(/\r\n|\r|\n/)) }),

  async read(state, chunk, context) {
    const { steps: step } = state
    const { prompts } = context
    const question = state.question === null ? undefined : await questionForPrompt(state.question, context)
    const lines = await shownLines(state, context)
    const memoryShown = await context.truncate(memoryForPrompt(lines, context), context.budget.memory)
    const parts = { memory: memoryShown, section: context.neutralize(chunk.text) }
    const written = await requestEdits(
      question === undefined
        ? prompts.messages('note', parts)
        : prompts.messages('update', { ...parts, question }),
      lines,
      { step, kind: 'update' },
      context,
    )
    const after = written ? await edited(lines, written, { question, step }, context) : { lines }
    const next = { ...state, lines: after.lines, steps: step + 1 }
    const [memory, previous] = [edits.memory(next), edits.memory(state)]
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous,
      changed: memory !== previous,
      origin: written ? 'sampled' : 'kept',
      tokens: await tokensOf(after.lines, context),
      ...('counts' in after && { edits: after.counts }),
    })
    return { state: next }
  },

  async answer(state, question, context) {
    if (state.lines.length === 0) return { text: '', outcome: 'not-found' }
    const memory = context.neutralize(edits.memory(state))
    const messages = context.prompts.messages('answer', {
      question: await questionForPrompt(question, context),
      memory: await context.truncate(memory, context.budget.memory),
    })
    return askForAnswer(messages, state.steps, context)
  },
}

const stateShape = objectOf<EditsState>({
  question: nullable(aText),
  lines: listOf(objectOf<Line>({ id: aCount, text: aText })),
  steps: aCount,
})

function isState(value: Json, { question, steps, endedEarly = false }: StateOrigin): value is EditsState {
  if (endedEarly || stateShape(value, '') !== undefined) return false
  const state = value as EditsState
  const [ids, texts] = [state.lines.map(({ id }) => id), state.lines.map(({ text }) => text)]
  return (
    state.question === (question ?? null) &&
    state.steps === steps &&
    !ids.includes(0) &&
    new Set(ids).size === ids.length &&
    new Set(texts).size === texts.length &&
    texts.every((text) => text !== '' && lineText(text) === text)
  )
}

/** With ids from 1 on, and no text twice. */
const linesOf = (texts: readonly string[]): Line[] =>
  [...new Set(texts.map(lineText))].filter((text) => text !== '').map((text, i) => ({ id: i + 1, text }))

/**
 * What a text is in the memory: unable to close its section, whatever other lines hold. So it is the same in every prompt.
 */
const safeText = (text: string, { neutralize }: Context): string => neutralize(`${text} >`).slice(0, -2)

const memoryForPrompt = (lines: readonly Line[], { neutralize, prompts }: Context): string =>
  lines.length === 0 ? prompts.text('emptyMemory', {}) : neutralize(renderLines(lines))

const tokensOf = async (lines: readonly Line[], context: Context): Promise<number> =>
  lines.length === 0 ? 0 : context.countTokens(memoryForPrompt(lines, context))

/** Those of the state; of a memory that the reading began with, what the budget has room for. */
async function shownLines({ lines, steps: step }: EditsState, context: Context): Promise<readonly Line[]> {
  const { budget } = context
  const safe = lines.map(({ id, text }) => ({ id, text: safeText(text, context) }))
  if ((await tokensOf(safe, context)) <= budget.memory) return safe
  const rows = (await context.truncate(renderLines(safe), budget.memory)).split('\n')
  context.emit({
    type: 'warning',
    step,
    code: 'memory-full',
    message: 'The memory to begin with is over its budget; what does not fit is left out.',
  })
  // What was cut may have kept a tag from being one.
  return linesOf(rows.map((row, i) => safeText(lineText(row.slice(`#${safe[i]!.id} `.length)), context)))
}

/** The edits of a response; undefined, with a warning, where it has none. */
async function requestEdits(
  messages: readonly Message[],
  shown: readonly Line[],
  tag: ConversationTag,
  context: Context,
): Promise<readonly Edit[] | undefined> {
  const maxTokens = context.budget.memory
  const result = await context.chat({ messages, maxTokens, tag })
  const flaw = flawOf(result, maxTokens)
  const parsed = flaw ? { problem: flaw.problem } : parseEdits(result.text, shown)
  if ('edits' in parsed) {
    return parsed.edits.map((edit) =>
      edit.type === 'drop' ? edit : { ...edit, text: safeText(edit.text, context) },
    )
  }
  const isUpdate = tag.kind === 'update'
  context.emit({
    type: 'warning',
    step: tag.step,
    code: isUpdate ? (flaw?.code ?? 'edits-malformed') : 'consolidation-failed',
    message: isUpdate
      ? `The edits cannot be used, and the previous memory is kept: ${parsed.problem}.`
      : `The memory is over its budget and could not be consolidated: ${parsed.problem}.`,
    malformed: tag,
  })
  return undefined
}

/** Why a response is not even looked into. */
function flawOf({ text, reasoning, finishReason, usage }: ChatResult, maxTokens: number) {
  if (finishReason.unified === 'refusal' || readsAsRefusal(text))
    return { code: 'memory-refused', problem: 'the response is a refusal' }
  if (text.trim() === '')
    return {
      code: 'memory-empty',
      problem: reasoning === undefined ? 'the response is empty' : 'the response ended inside its reasoning',
    }
  // Some servers give no reason, or another one.
  const isFull = finishReason.unified !== 'stop' && (usage?.completionTokens ?? 0) >= maxTokens
  if (finishReason.unified === 'length' || isFull)
    return { code: 'edits-cut', problem: 'the response reached its token limit' }
  return undefined
}

interface Step {
  /** As it stands in prompts; undefined for general notes. */
  readonly question: string | undefined
  readonly step: number
}

/** The memory after an update, within its budget; and what was counted on the way. */
async function edited(
  before: readonly Line[],
  written: readonly Edit[],
  { question, step }: Step,
  context: Context,
): Promise<{ readonly lines: readonly Line[]; readonly counts: EditCounts }> {
  const { budget, emit } = context
  const first = applyEdits(before, written)
  let { lines, repeated } = first
  const added = new Set(first.added)
  if ((await tokensOf(lines, context)) > budget.memory) {
    const shorter = await consolidated(lines, added, { question, step }, context)
    for (const id of shorter?.added ?? []) added.add(id)
    repeated += shorter?.repeated ?? 0
    lines = shorter?.lines ?? lines
  }
  const fitting = await withinBudget(lines, added, context)
  const refused = fitting ? lines.length - fitting.length : written.length
  if (refused > 0) {
    const what = `${refused} ${fitting ? 'new line' : 'edit'}${refused === 1 ? '' : 's'}`
    const message = `The memory is full: ${what} did not fit; a larger memory budget avoids this.`
    emit({ type: 'warning', step, code: 'memory-full', message })
  }
  return { lines: fitting ?? before, counts: { repeated, refused } }
}

/** With one call: undefined where its response cannot be used, and where nothing could be shown. */
async function consolidated(
  lines: readonly Line[],
  added: ReadonlySet<number>,
  { question, step }: Step,
  context: Context,
) {
  const { prompts, budget } = context
  const messagesOf = (shown: readonly Line[]) => {
    const memory = memoryForPrompt(shown, context)
    return question === undefined
      ? prompts.messages('consolidateNotes', { memory })
      : prompts.messages('consolidate', { question, memory })
  }
  // New lines beyond the window wait unseen.
  let shown = lines
  while ((await context.roomBeside(messagesOf(shown))) < budget.memory) {
    if (!added.has(shown.at(-1)?.id ?? 0)) return undefined
    shown = shown.slice(0, -1)
  }
  const written = await requestEdits(messagesOf(shown), shown, { step, kind: 'consolidate' }, context)
  return written && applyEdits(lines, written)
}

/** Without the new lines that do not fit; undefined where the others do not. */
async function withinBudget(
  lines: readonly Line[],
  added: ReadonlySet<number>,
  context: Context,
): Promise<readonly Line[] | undefined> {
  const { memory } = context.budget
  if ((await tokensOf(lines, context)) <= memory) return lines
  let fitting = lines.filter(({ id }) => !added.has(id))
  if ((await tokensOf(fitting, context)) > memory) return undefined
  for (const line of lines.filter(({ id }) => added.has(id))) {
    const more = [...fitting, line]
    if ((await tokensOf(more, context)) <= memory) fitting = more
  }
  return fitting
}
