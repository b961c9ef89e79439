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

/** Other spellings, at the start of a response: how thoughts begin and end, and what may end the response itself. */
const otherSpellings: readonly {
  readonly opening: RegExp
  readonly closing: RegExp
  readonly end?: RegExp
}[] = [
  { opening: /^\s*<thinking>/i, closing: /<\/thinking>/i },
  { opening: /^\s*<seed:think>/i, closing: /<\/seed:think>/i },
  { opening: /^\s*<mm:think>/i, closing: /<\/mm:think>/i },
  { opening: /^\s*\[THINK\]/i, closing: /\[\/THINK\]/i },
  // gpt-oss (github.com/openai/harmony docs/format.md): one message per channel, and no message of thoughts if there are none.
  {
    opening: /^\s*(?:<\|start\|>assistant)?(?=<\|channel\|>)/,
    closing: /<\|channel\|>final[^<]*<\|message\|>/,
    end: /<\|(?:return|end|call)\|>\s*$/,
  },
  // The same from servers that drop its control tokens without interpreting them.
  { opening: /^analysis(?=[\s\S]*assistantfinal)/, closing: /assistantfinal/ },
]

/**
 * Every closed block is reasoning; so is everything after an opening tag that is never closed, and everything before a closing
 * tag that was never opened. Linear in the length of the text.
 * @param fields reasoning that the server has already split off; it comes first
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

/** Whether the response closes a thought that it did not open, because the prompt's template did. */
export const closesUnopened = (response: string): boolean => /<(\/?)think>/i.exec(response)?.[1] === '/'

/** Whether a response begins with a thought, in any spelling. */
export const beginsWithThought = (response: string): boolean =>
  /^\s*<think>/i.test(response) || otherSpellings.some(({ opening }) => opening.test(response))

/** Markers between messages of gpt-oss. */
const markers = /<\|(?:start|end)\|>(?:assistant)?|<\|channel\|>[^<]*<\|message\|>/g

/** Removes a block in another spelling if the response begins with one. */
function withoutLeadingBlock(response: string, thoughts: string[]): string {
  const spelling = otherSpellings.find(({ opening }) => opening.test(response))
  if (spelling === undefined) return response
  const rest = response.replace(spelling.opening, '')
  const closing = spelling.closing.exec(rest)
  thoughts.push(rest.slice(0, closing?.index).replace(markers, ''))
  if (closing === null) return ''
  const text = rest.slice(closing.index + closing[0].length)
  return spelling.end === undefined ? text : text.replace(spelling.end, '')
}
