/**
 * Several memories, of which each step may rewrite one: the least recently updated (MHM-LRU, arXiv 2607.01523). The model sees
 * all of them, so a fact is rewritten only when its slot's turn comes, not after every chunk. No training is needed.
 *
 * In the paper every chunk updates a slot. Here a response may leave the slot unchanged, in a word or by repeating it; the slot
 * is then not updated, and its turn stays. If more follows that word, the slot stays too, with a warning: the rest is no memory.
 * So only news moves the turn on, and a fact outlives as many rewrites as there are other slots. A response that is empty or a
 * refusal also leaves the slot unchanged; it is counted, with a warning. If nothing is noted by the end, the answer is that the
 * text does not answer, without a call.
 */
import { ConfigurationError } from '../../errors.ts'
import { aCount, aText, listOf, objectOf } from '../../json-shape.ts'
import { answerFromMemory } from '../answer/answer-from-memory.ts'
import { fitted } from '../cut-text.ts'
import { saysNothingNew } from '../nothing-new.ts'
import { questionForPrompt } from '../question-shown.ts'
import { acceptMemory, afterWords, saysOnly } from '../rewritten-memory.ts'
import { warnOfLongStart } from '../start-memory.ts'
import { stateCheck } from '../state-check.ts'
import type { ReadingContext, Workflow } from '../workflow.ts'
import { slotsPrompts } from './slots-prompts.ts'

/** As many as in the paper's main experiments. */
const slotCount = 4

type Slot = {
  /** As sampled, trimmed; empty before the first update. */
  readonly text: string
  /** Chunks read when it was last updated; 0 if never, and for a memory that the reading began with. */
  readonly updated: number
}
export type SlotsState = {
  readonly question: string | null
  readonly slots: readonly Slot[]
  readonly steps: number
}
type Context = ReadingContext<typeof slotsPrompts>

export const slots: Workflow<SlotsState, typeof slotsPrompts> = {
  name: 'slots',
  prompts: slotsPrompts,
  init: (question) => ({
    question: question ?? null,
    slots: Array.from({ length: slotCount }, () => ({ text: '', updated: 0 })),
    steps: 0,
  }),
  isState: stateCheck<SlotsState>(
    { slots: listOf(objectOf<Slot>({ text: aText, updated: aCount })) },
    ({ slots, steps }) => {
      const updates = slots.flatMap(({ updated }) => (updated === 0 ? [] : updated))
      return (
        slots.length === slotCount &&
        slots.every(({ text, updated }) => text === text.trim() && (text !== '' || updated === 0)) &&
        updates.every((updated) => updated <= steps) &&
        new Set(updates).size === updates.length
      )
    },
  ),
  memory: (state) =>
    state.slots.flatMap(({ text }, i) => (text === '' ? [] : `[${i + 1}] ${indented(text)}`)).join('\n'),

  withMemory: (state, memory) => ({
    ...state,
    slots: inParts(memory.trim()).map((text) => ({ text, updated: 0 })),
  }),
  // The other slots are shown beside the one that is rewritten: the whole memory is read, a part of it written.
  estimate({ tokens, chunks }, { memory }) {
    // A label takes at least one token.
    const maxTokens = Math.floor(memory / slotCount) - 1
    if (maxTokens < 1) throw tooSmall(memory)
    return [{ template: 'update', count: chunks, filled: tokens + chunks * memory, maxTokens }]
  },

  async read(state, chunk, context) {
    const { steps: step } = state
    const { prompts, budget } = context
    const share = await shareOf(context)
    await warnOfCuts(state, share, context)
    const turn = leastRecentlyUpdated(state.slots)
    const emptyMemory = prompts.text('emptyMemory', {})
    const previous = state.slots[turn]!.text
    const others = textOf(state.slots.filter((_, i) => i !== turn))
    const shown = (text: string, most: number) =>
      text === '' ? context.truncate(emptyMemory, most) : fitted(text, most, context)
    const parts = {
      others: await shown(others, budget.memory - share),
      memory: await shown(previous, share),
      section: context.neutralize(chunk.text),
    }
    const result = await context.chat({
      messages:
        state.question === null
          ? prompts.messages('note', parts)
          : prompts.messages('update', {
              ...parts,
              question: await questionForPrompt(state.question, context),
            }),
      maxTokens: share,
      tag: { step, kind: 'update', slot: turn },
    })
    const { text, origin } = acceptMemory(result, { previous, maxTokens: share, step }, context)
    const isRepeated = text.trim() === previous
    const more = isRepeated ? undefined : afterWords(text, prompts.text('unchanged', {}))
    if (more) warnOfMore(step, context)
    const isKept = more !== undefined || saysOnly(text, emptyMemory) || saysNothingNew(text)
    const after = isKept ? previous : await withinShare(text.trim(), share, step, context)
    const next = {
      ...state,
      slots: after === previous ? state.slots : state.slots.with(turn, { text: after, updated: step + 1 }),
      steps: step + 1,
    }
    const [memory, before] = [slots.memory(next), slots.memory(state)]
    context.emit({
      type: 'memory-end',
      step,
      slot: turn,
      memory,
      previous: before,
      changed: memory !== before,
      origin,
      tokens: await context.countTokens(memory),
    })
    return { state: next }
  },

  async answer(state, question, context) {
    const memory = textOf(state.slots)
    if (memory === '') return { text: '', outcome: 'not-found' }
    return answerFromMemory(memory, { question, steps: state.steps }, context)
  },
}

/** The first empty slot, or else the least recently updated one. */
function leastRecentlyUpdated(all: readonly Slot[]): number {
  const age = ({ text, updated }: Slot) => (text === '' ? -1 : updated)
  return all.reduce((least, slot, i) => (age(slot) < age(all[least]!) ? i : least), 0)
}

/** Lines and sentences in order, about as much in each slot. */
function inParts(memory: string): string[] {
  const parts = Array.from({ length: slotCount }, () => '')
  const pieces = memory.split(/(?<=\n|[.!?]\s)/)
  let written = 0
  for (const piece of pieces) {
    const part = Math.min(slotCount - 1, Math.floor((slotCount * written) / memory.length))
    parts[part] += piece
    written += piece.length
  }
  return parts.map((part) => part.trim())
}

/** A memory that the reading began with may be longer than a reading can write. */
async function warnOfCuts(state: SlotsState, share: number, context: Context): Promise<void> {
  for (const { text } of state.slots) {
    if (!(await isWithin(text, share, context))) return warnOfLongStart(state.steps, context)
  }
}

function warnOfMore(step: number, { emit }: Context): void {
  const message =
    'The model wrote that a memory stays unchanged, and more; the memory is kept without the rest.'
  emit({ type: 'warning', step, code: 'memory-ambiguous', message })
}

/** Does not keep what prompts could not show: a server may count differently from the reader, or ignore the limit. */
async function withinShare(text: string, share: number, step: number, context: Context): Promise<string> {
  if (await isWithin(text, share, context)) return text
  const message = 'A memory is over its share of the budget and was cut; a larger memory budget avoids this.'
  context.emit({ type: 'warning', step, code: 'memory-cut', message })
  return fitted(text, share, context)
}

const isWithin = async (text: string, share: number, { neutralize, countTokens }: Context) =>
  (await countTokens(neutralize(text))) <= share

/** Slots as prompts show them: paragraphs without numbers, since a response never names one. */
const textOf = (shown: readonly Slot[]): string =>
  shown.flatMap(({ text }) => (text === '' ? [] : text)).join('\n\n')

/** Indents all but the first line, so that no text can look like another slot. */
const indented = (text: string) => text.replace(/\r\n|[\n\r\u0085\u2028\u2029]/g, '\n    ')

/** Tokens of one slot. @throws ConfigurationError when the memory budget has no room for them */
async function shareOf({ budget, countTokens }: Context): Promise<number> {
  const labels = await countTokens(Array.from({ length: slotCount }, (_, i) => `[${i + 1}]\n\n`).join(''))
  const share = Math.floor((budget.memory - labels) / slotCount)
  if (share < 1) throw tooSmall(budget.memory)
  return share
}

const tooSmall = (memory: number) =>
  new ConfigurationError({
    code: 'workflow/memory-too-small',
    message: `The workflow slots divides its memory into ${slotCount}, and ${memory} tokens are too few for that.`,
    hint: 'Raise the memory budget (--memory), or choose another workflow.',
    details: { memory },
  })
