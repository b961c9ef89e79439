/**
 * Splits a reasoning model's thoughts from its response. Servers differ: some put the reasoning in a separate field, some
 * leave `<think>` tags in the text, and templates that open the tag in the prompt leave only `</think>`.
 * Reasoning is never part of the text, because the text becomes the memory.
 *
 * Documents cannot use this to make a memory vanish: `<think>` tags in them are neutralized before the model sees
 * them, and the rarer spellings count only at the start of a response.
 */
export interface SplitResponse {
  readonly text: string
  readonly reasoning: string | undefined
}

const tag = /<(\/?)think>/gi
const otherOpening = /^\s*(?:<(thinking|seed:think)>|\[THINK\])/i

/**
 * Every closed block is reasoning; after an opening tag that is never closed, so is everything after it; before a closing
 * tag that was never opened, everything before it. Linear in the length of the text.
 * @param fields reasoning that the server had already split off; it comes first
 */
export function splitReasoning(response: string, ...fields: readonly (string | undefined)[]): SplitResponse {
  const thoughts: string[] = fields.filter((field) => field !== undefined)
  const rest = withoutLeadingBlock(response, thoughts)
  let text = ''
  let position = 0
  let isThinking = false
  for (const match of rest.matchAll(tag)) {
    const piece = rest.slice(position, match.index)
    position = match.index + match[0].length
    const isClosing = match[1] === '/'
    if (isThinking || isClosing) {
      thoughts.push(isThinking ? piece : text + piece)
      if (!isThinking) text = ''
    } else {
      text += piece
    }
    isThinking = !isClosing
  }
  const last = rest.slice(position)
  if (isThinking) thoughts.push(last)
  else text += last
  const reasoning = thoughts
    .map((thought) => thought.trim())
    .filter((thought) => thought !== '')
    .join('\n\n')
  const isWhole = text === response
  return { text: isWhole ? text : text.trimStart(), reasoning: reasoning === '' ? undefined : reasoning }
}

/** Whether a thought ends that did not begin in the response: the prompt's template opened it. */
export const closesUnopened = (response: string): boolean => /<(\/?)think>/i.exec(response)?.[1] === '/'

/** Whether a response begins with a thought, in any spelling. */
export const beginsWithThought = (response: string): boolean =>
  /^\s*<think>/i.test(response) || otherOpening.test(response)

/** Removes a block in another spelling if the response begins with one. */
function withoutLeadingBlock(response: string, thoughts: string[]): string {
  const opening = otherOpening.exec(response)
  if (opening === null) return response
  const closing = opening[1] === undefined ? '[/THINK]' : `</${opening[1]}>`
  const end = response.toLowerCase().indexOf(closing.toLowerCase())
  thoughts.push(response.slice(opening[0].length, end < 0 ? undefined : end))
  return end < 0 ? '' : response.slice(end + closing.length)
}
