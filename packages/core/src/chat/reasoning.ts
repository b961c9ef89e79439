/**
 * Splits what a reasoning model thought from what it said. Servers differ: some put the thinking in a field of its
 * own, some leave `<think>` tags in the text, and templates that open the tag in the prompt leave only `</think>`.
 * What was thought is never part of the text, because the text becomes the memory.
 */
export interface SplitResponse {
  readonly text: string
  readonly reasoning: string | undefined
}

const tag = /<(\/?)(?:think|thinking|seed:think)>|\[(\/?)THINK\]/gi

/**
 * Every closed block is reasoning; after an opening tag that is never closed everything is; before a closing tag that
 * was never opened everything is. Linear in the length of the text.
 * @param fields reasoning that the server had already split off; it comes first
 */
export function splitReasoning(response: string, ...fields: readonly (string | undefined)[]): SplitResponse {
  const thoughts: string[] = fields.filter((field) => field !== undefined)
  let text = ''
  let position = 0
  let isThinking = false
  for (const match of response.matchAll(tag)) {
    const piece = response.slice(position, match.index)
    position = match.index + match[0].length
    const isClosing = match[1] === '/' || match[2] === '/'
    if (isThinking || isClosing) {
      thoughts.push(isThinking ? piece : text + piece)
      if (!isThinking) text = ''
    } else {
      text += piece
    }
    isThinking = !isClosing
  }
  const rest = response.slice(position)
  if (isThinking) thoughts.push(rest)
  else text += rest
  const reasoning = thoughts
    .map((thought) => thought.trim())
    .filter((thought) => thought !== '')
    .join('\n\n')
  return {
    text: position === 0 ? text : text.trimStart(),
    reasoning: reasoning === '' ? undefined : reasoning,
  }
}
