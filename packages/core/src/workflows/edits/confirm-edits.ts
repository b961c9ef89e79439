/**
 * Whether a change stands if the sentences of its section come in another order: self-consistency (Wang et al., arXiv 2203.11171)
 * over orders of the input (Tang et al., arXiv 2310.07712). What a section says, it says in any order. A misreading often depends
 * on where a sentence stands, and then other orders bring no news at all.
 *
 * Orders are rotations at sentence ends, so all sentences but two keep their neighbours.
 */
import type { Message } from '../../chat/message.ts'
import { lastSentenceEnd } from '../../chunking/text-ends.ts'
import type { ReadingContext } from '../workflow.ts'
import { type Edit, type Line, renderEdits } from './edit-grammar.ts'
import { editsOf } from './edits-response.ts'

/** Where the section is cut in two; the second part then comes first. */
const shares = [1 / 4, 1 / 2, 3 / 4]
/** A change stands with at most this many orders that bring no news or no usable response. */
const mostSilent = 1

export const ordersAsked = shares.length

interface Shown {
  readonly section: string
  readonly lines: readonly Line[]
  readonly question: string | undefined
  readonly step: number
}

/**
 * The confirmed edits of a response to a section. If the model's profile says that it copies, a line with a word that is neither
 * in its prompt nor in `copiesBeside` is not confirmed. The rest is checked against three other orders of the section, all asked
 * about at once: what exactly they would change does not matter, only whether they see a change.
 * @param messagesOf the prompt for a section
 */
export async function confirmedEdits(
  edits: readonly Edit[],
  shown: Shown,
  messagesOf: (section: string) => readonly Message[],
  context: ReadingContext,
): Promise<readonly Edit[]> {
  const { copiesBeside } = context
  const copied = copiesBeside ? edits.filter(isCopiedFrom(shown, copiesBeside)) : edits
  if (copied.length === 0) return []
  const results = await context.chatAll(
    shares.map((share, slot) => ({
      messages: messagesOf(rotated(shown.section, share)),
      maxTokens: context.budget.memory,
      tag: { step: shown.step, kind: 'confirm', slot },
      draft: renderEdits(copied),
    })),
  )
  const silent = results.filter((result) => {
    const parsed = editsOf(result, shown.lines, context)
    return 'problem' in parsed || parsed.edits.length === 0
  })
  return silent.length <= mostSilent ? copied : []
}

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
