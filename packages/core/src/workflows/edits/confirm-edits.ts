/**
 * Whether a change stands when the sentences of its section come in another order: self-consistency (Wang et al., arXiv
 * 2203.11171) over orders of the input (Tang et al., arXiv 2310.07712). What a section says, it says in any order; a misreading
 * often hangs on where a sentence stands, and then other orders bring no news at all.
 *
 * Orders are rotations at ends of sentences, so that all sentences but two keep their neighbours.
 */
import type { Message } from '../../chat/message.ts'
import { lastSentenceEnd } from '../../chunking/text-ends.ts'
import type { ReadingContext } from '../workflow.ts'
import { type Edit, type Line, renderEdits } from './edit-grammar.ts'
import { editsOf } from './edits-response.ts'

/** Where the section is cut in two, whose second part then comes first. */
const shares = [1 / 4, 1 / 2, 3 / 4]
/** So many orders without news, or without a usable response, and the change is a misreading. */
const mostSilent = 1

export const ordersAsked = shares.length

/**
 * Asks for three other orders of the section at once. What exactly they would change does not matter: only whether they see a change.
 * @param edits of the response to the section as it stands; at least one
 * @param messagesOf the prompt for a section
 */
export async function isConfirmed(
  edits: readonly Edit[],
  section: string,
  messagesOf: (section: string) => readonly Message[],
  { shown, step }: { readonly shown: readonly Line[]; readonly step: number },
  context: ReadingContext,
): Promise<boolean> {
  const results = await context.chatAll(
    shares.map((share, slot) => ({
      messages: messagesOf(rotated(section, share)),
      maxTokens: context.budget.memory,
      tag: { step, kind: 'confirm', slot },
      draft: renderEdits(edits),
    })),
  )
  const silent = results.filter((result) => {
    const parsed = editsOf(result, shown, context)
    return 'problem' in parsed || parsed.edits.length === 0
  })
  return silent.length <= mostSilent
}

/** The section with its later part first; as it is where no sentence ends before. */
export function rotated(section: string, share: number): string {
  const text = section.trim()
  const cut = lastSentenceEnd(text, 1, Math.round(share * text.length)) ?? 0
  return cut === 0 ? text : `${text.slice(cut).trim()}\n${text.slice(0, cut).trim()}`
}
