/**
 * A memory of lines, of which the model writes only the changes (`edit-grammar.ts`): a line that no edit names stays, byte for
 * byte, and an unchanged memory costs a token or two.
 *
 * A response is applied whole or not at all. One that is empty, a refusal, cut by its limit or not in the grammar changes
 * nothing; it is counted and reported as a warning, and never taken for "nothing changes". If edits would make the memory longer
 * than its budget, it is consolidated once in that step, with edits of its own; new lines that still do not fit are refused, with
 * a warning. If nothing is noted by the end, the answer is that the text does not answer, without a call.
 *
 * `edits-confirmed` asks for each change again (`confirm-edits.ts`), and makes only those that are confirmed.
 */
import { aCount, aText, listOf, objectOf } from '../../json-shape.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import { safeText } from '../memory-shown.ts'
import { questionForPrompt } from '../question-shown.ts'
import { warnOfLongStart } from '../start-memory.ts'
import { stateCheck } from '../state-check.ts'
import type { EditCounts, ReadingContext, Workflow } from '../workflow.ts'
import { confirmedEdits, ordersAsked } from './confirm-edits.ts'
import {
  applyEdits,
  type Edit,
  type EditedLines,
  greatestId,
  type Line,
  lineText,
  renderLines,
} from './edit-grammar.ts'
import { editsPrompts } from './edits-prompts.ts'
import { requestEdits } from './edits-response.ts'

export type EditsState = {
  readonly question: string | null
  readonly lines: readonly Line[]
  readonly steps: number
}
type Context = ReadingContext<typeof editsPrompts>

const editing = (name: string, confirms: boolean): Workflow<EditsState, typeof editsPrompts> => ({
  name,
  prompts: editsPrompts,
  callsPerChunk: confirms ? 2 + ordersAsked(true) : 2,
  ...(confirms && { conversationsOf: 'edits', usesLeastConfidence: true }),
  // Each order of a section is a call. Consolidation reads a memory that may be twice its budget.
  estimate({ tokens, chunks }, { memory: maxTokens }, { leastConfidence } = {}) {
    const times = confirms ? 1 + ordersAsked(leastConfidence !== undefined) : 1
    const filled = times * (tokens + chunks * maxTokens)
    return [
      { template: 'update', count: times * chunks, filled, maxTokens },
      { template: 'consolidate', count: chunks, filled: 2 * chunks * maxTokens, maxTokens },
    ]
  },
  init: (question) => ({ question: question ?? null, lines: [], steps: 0 }),
  isState: stateCheck<EditsState>(
    { lines: listOf(objectOf<Line>({ id: aCount, text: aText })) },
    ({ lines }) => {
      const [ids, texts] = [lines.map(({ id }) => id), lines.map(({ text }) => text)]
      return (
        ids.every((id) => id > 0 && id <= greatestId) &&
        new Set(ids).size === ids.length &&
        new Set(texts).size === texts.length &&
        texts.every((text) => text !== '' && lineText(text) === text)
      )
    },
  ),
  memory: memoryOf,
  unchanged: (state) => ({ ...state, steps: state.steps + 1 }),
  withMemory: (state, memory) => ({ ...state, lines: linesOf(memory.split(/\r\n|\r|\n/)) }),

  async read(state, chunk, context) {
    const { steps: step } = state
    const { prompts } = context
    const question = state.question === null ? undefined : await questionForPrompt(state.question, context)
    const lines = await shownLines(state, context)
    const memoryShown = await context.truncate(memoryForPrompt(lines, context), context.budget.memory)
    const messagesOf = (text: string) => {
      const parts = { memory: memoryShown, section: context.neutralize(text) }
      return question === undefined
        ? prompts.messages('note', parts)
        : prompts.messages('update', { ...parts, question })
    }
    const written = await requestEdits(messagesOf(chunk.text), lines, { step, kind: 'update' }, context)
    const shown = { section: chunk.text, lines, question, step }
    const kept = confirms && written ? await confirmedEdits(written, shown, messagesOf, context) : written
    const unconfirmed = (written?.length ?? 0) - (kept?.length ?? 0)
    const after = kept ? await edited(lines, kept, { question, step }, context) : { lines }
    const next = { ...state, lines: after.lines, steps: step + 1 }
    const [memory, previous] = [memoryOf(next), memoryOf(state)]
    context.emit({
      type: 'memory-end',
      step,
      memory,
      previous,
      changed: memory !== previous,
      origin: written ? 'sampled' : 'kept',
      tokens: await tokensOf(after.lines, context),
      ...('counts' in after && { edits: { ...after.counts, ...(unconfirmed > 0 && { unconfirmed }) } }),
    })
    return { state: next }
  },

  async answer(state, question, context) {
    if (state.lines.length === 0) return { text: '', outcome: 'not-found' }
    const { lines, steps } = state
    const within = async (most: number) =>
      memoryForPrompt(await linesWithin(most, [], lines, context), context)
    return answerFromMemory(renderLines(lines), { question, steps, within }, context)
  },
})

export const edits = editing('edits', false)
export const editsConfirmed = editing('edits-confirmed', true)

function memoryOf({ lines }: EditsState): string {
  return lines.map(({ text }) => text).join('\n')
}

/** Lines with ids from 1 on; no text occurs twice. */
const linesOf = (texts: readonly string[]): Line[] =>
  [...new Set(texts.map(lineText))].filter((text) => text !== '').map((text, i) => ({ id: i + 1, text }))

const memoryForPrompt = (lines: readonly Line[], { neutralize, prompts }: Context): string =>
  lines.length === 0 ? prompts.text('emptyMemory', {}) : neutralize(renderLines(lines))

const tokensOf = async (lines: readonly Line[], context: Context): Promise<number> =>
  lines.length === 0 ? 0 : context.countTokens(memoryForPrompt(lines, context))

/** The lines of the state. If the reading began with a memory over the budget, only what fits. */
async function shownLines({ lines, steps }: EditsState, context: Context): Promise<readonly Line[]> {
  const { budget } = context
  const texts = lines.map(({ text }) => safeText(text, context))
  const safe = lines
    .map(({ id }, i) => ({ id, text: texts[i]! }))
    .filter(({ text }, i) => texts.indexOf(text) === i)
  if ((await tokensOf(safe, context)) <= budget.memory) return safe
  warnOfLongStart(steps, context)
  return linesWithin(budget.memory, [], safe, context)
}

interface Step {
  /** As it stands in prompts; undefined for general notes. */
  readonly question: string | undefined
  readonly step: number
}

/** The memory after an update, within its budget, and the counts of its edits. */
async function edited(
  before: readonly Line[],
  written: readonly Edit[],
  step: Step,
  context: Context,
): Promise<{ readonly lines: readonly Line[]; readonly counts: EditCounts }> {
  const { budget, emit } = context
  const first = applyEdits(before, written)
  const added = new Set(first.lines.filter(({ id }) => first.added.includes(id)))
  const isOver = (await tokensOf(first.lines, context)) > budget.memory
  const shorter = isOver ? await consolidated(first.lines, added, step, context) : undefined
  const { lines } = shorter ?? first
  const fitting = await withinBudget(lines, added, context)
  const refused = fitting ? lines.length - fitting.length : written.length - first.repeated
  if (refused > 0) {
    const what = `${refused} ${fitting ? 'new line' : 'edit'}${refused === 1 ? '' : 's'}`
    const message = `The memory is full: ${what} did not fit; a larger memory budget avoids this.`
    emit({ type: 'warning', step: step.step, code: 'memory-full', message })
  }
  return {
    lines: fitting ?? before,
    counts: { repeated: first.repeated + (shorter?.repeated ?? 0), refused },
  }
}

/** Consolidates with one call. Undefined if the response is unusable or makes no room, or if the lines cannot be shown. */
async function consolidated(
  lines: readonly Line[],
  added: ReadonlySet<Line>,
  { question, step }: Step,
  context: Context,
): Promise<EditedLines | undefined> {
  const { prompts, budget } = context
  const messagesOf = (shown: readonly Line[]) => {
    const memory = memoryForPrompt(shown, context)
    return question === undefined
      ? prompts.messages('consolidateNotes', { memory })
      : prompts.messages('consolidate', { question, memory })
  }
  // New lines that the window has no room for are not shown.
  let shown = lines
  while ((await context.roomBeside(messagesOf(shown))) < budget.memory) {
    const last = shown.at(-1)
    if (!last || !added.has(last)) return undefined
    shown = shown.slice(0, -1)
  }
  const written = await requestEdits(messagesOf(shown), shown, { step, kind: 'consolidate' }, context)
  if (!written?.length) return undefined
  const shorter = applyEdits(lines, written)
  // A line that replaces others is not dropped for being new: they would be lost with it.
  const lasting = shorter.lines.filter((line) => !added.has(line))
  if ((await tokensOf(lasting, context)) <= budget.memory) return shorter
  context.emit({
    type: 'warning',
    step,
    code: 'consolidation-failed',
    message: 'The memory is over its budget and could not be consolidated: it would still be too long.',
  })
  return undefined
}

/** Drops new lines that do not fit; undefined if the other lines alone do not fit. */
async function withinBudget(
  lines: readonly Line[],
  added: ReadonlySet<Line>,
  context: Context,
): Promise<readonly Line[] | undefined> {
  const { memory } = context.budget
  if ((await tokensOf(lines, context)) <= memory) return lines
  const lasting = lines.filter((line) => !added.has(line))
  if ((await tokensOf(lasting, context)) > memory) return undefined
  return linesWithin(
    memory,
    lasting,
    lines.filter((line) => added.has(line)),
    context,
  )
}

/** The first lines, which fit, and those of the others that fit too: whole lines, since a part may say something else. */
async function linesWithin(
  most: number,
  first: readonly Line[],
  others: readonly Line[],
  context: Context,
): Promise<readonly Line[]> {
  let fitting = first
  for (const line of others) {
    const more = [...fitting, line]
    if ((await tokensOf(more, context)) <= most) fitting = more
  }
  return fitting
}
