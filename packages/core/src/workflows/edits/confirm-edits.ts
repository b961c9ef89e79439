/**
 * Whether a change stands if the sentences of its section come in another order: self-consistency (Wang et al., arXiv 2203.11171)
 * over orders of the input (Tang et al., arXiv 2310.07712). What a section says, it says in any order. A misreading often depends
 * on where a sentence stands, and then other orders bring no news at all.
 *
 * Orders are rotations at sentence ends, so all sentences but two keep their neighbours.
 */
import type { ChatResult, TokenLogprob } from '../../chat/chat.ts'
import type { Message } from '../../chat/message.ts'
import type { LeastConfidence } from '../../chat/profile.ts'
import { lastSentenceEnd } from '../../chunking/text-ends.ts'
import type { ReadingContext } from '../workflow.ts'
import { type Edit, type Line, renderEdits } from './edit-grammar.ts'
import { editsOf } from './edits-response.ts'

/** Where the section is cut in two; the second part then comes first. */
const shares = [1 / 4, 1 / 2, 3 / 4]
/** A change stands with at most this many orders that bring no news or no usable response. */
const mostSilent = 1

/** The section's own order is asked about again only for log-probabilities. */
export const ordersAsked = (wantsLogprobs: boolean): number => shares.length + (wantsLogprobs ? 1 : 0)

interface Shown {
  readonly section: string
  readonly lines: readonly Line[]
  readonly question: string | undefined
  readonly step: number
}

/**
 * The confirmed edits of a response to a section. If the model's profile says that it copies, a line with a word that is neither
 * in its prompt nor in `copiesBeside` is not confirmed. The rest is checked against other orders of the section, all asked about
 * at once: either the model is sure enough of them, as its profile says (`leastConfidence`), or all orders but one see a change,
 * whatever it is.
 * @param messagesOf the prompt for a section
 */
export async function confirmedEdits(
  edits: readonly Edit[],
  shown: Shown,
  messagesOf: (section: string) => readonly Message[],
  context: ReadingContext,
): Promise<readonly Edit[]> {
  const { copiesBeside, leastConfidence, budget } = context
  const copied = copiesBeside ? edits.filter(isCopiedFrom(shown, copiesBeside)) : edits
  if (copied.length === 0) return []
  const turned = shares.map((share) => rotated(shown.section, share))
  const orders = leastConfidence ? [shown.section, ...turned] : turned
  const results = await context.chatAll(
    orders.map((section, slot) => ({
      messages: messagesOf(section),
      maxTokens: budget.memory,
      tag: { step: shown.step, kind: 'confirm', slot },
      draft: renderEdits(copied),
      logprobs: leastConfidence !== undefined,
    })),
  )
  const responses = results.map((result) => {
    const parsed = editsOf(result, shown.lines, shown.step, context)
    return { edits: 'edits' in parsed ? parsed.edits : [], logprobs: result.logprobs }
  })
  return isConfirmed(edits, responses, leastConfidence) ? copied : []
}

interface Response {
  /** None if it is unusable. */
  readonly edits: readonly Edit[]
  readonly logprobs: ChatResult['logprobs']
}

function isConfirmed(
  edits: readonly Edit[],
  responses: readonly Response[],
  least: LeastConfidence | undefined,
): boolean {
  if (least && responses.every(({ logprobs }) => logprobs?.length)) {
    const wanted = renderEdits(edits)
    const same = responses.map((one) => (renderEdits(one.edits) === wanted ? probability(one.logprobs!) : 0))
    return mean(responses.map(chanceOfChange)) >= least.change && mean(same) >= least.response
  }
  // The section's own order has seen it.
  const others = responses.slice(-shares.length)
  return others.filter((one) => one.edits.length === 0).length <= mostSilent
}

/** The first token says whether anything changes. */
function chanceOfChange({ edits, logprobs }: Response): number {
  const first = probability(logprobs!.slice(0, 1))
  return edits.length > 0 ? first : 1 - first
}

const probability = (logprobs: readonly TokenLogprob[]): number =>
  Math.exp(logprobs.reduce((sum, { logprob }) => sum + logprob, 0))

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Numbers of up to three digits may be counts, which are not copied. */
function isCopiedFrom(
  { section, lines, question = '' }: Shown,
  beside: readonly string[],
): (edit: Edit) => boolean {
  const there = new Set([section, question, ...beside, ...lines.map(({ text }) => text)].flatMap(wordsOf))
  return (edit) =>
    edit.type === 'drop' || wordsOf(edit.text).every((word) => there.has(word) || /^\d{1,3}$/.test(word))
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []

/** The section with its later part first; unchanged if no sentence ends before the cut. */
export function rotated(section: string, share: number): string {
  const text = section.trim()
  const cut = lastSentenceEnd(text, 1, Math.round(share * text.length)) ?? 0
  return cut === 0 ? text : `${text.slice(cut).trim()}\n${text.slice(0, cut).trim()}`
}
