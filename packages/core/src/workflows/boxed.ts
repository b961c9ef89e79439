/** The final answer inside `\boxed{...}`. */
import { notFoundPhrase } from './paper-prompts.ts'

/** Content of the last whole `\boxed{...}` (or `\fbox{...}`), braces balanced, trimmed; undefined without one. */
export function lastBoxed(response: string): string | undefined {
  let found: string | undefined
  for (const from of boxStarts(response)) {
    const end = closingBrace(response, from)
    if (end !== undefined) found = response.slice(from, end).trim()
  }
  return found
}

export interface ParsedAnswer {
  /** Empty when not found. */
  readonly text: string
  readonly found: boolean
  /** Where the answer was taken from: a whole box, a box that was never closed, or the response as it is. */
  readonly source: 'box' | 'open-box' | 'response'
}

/**
 * The answer in a final response. Without a whole box it is what follows the last opened one, and without any the
 * whole response. The not-found phrase in it, and an empty answer, mean that the text does not answer.
 */
export function parseAnswer(response: string): ParsedAnswer {
  const boxed = lastBoxed(response)
  const open = boxed === undefined ? boxStarts(response).at(-1) : undefined
  const text = boxed ?? response.slice(open ?? 0).trim()
  const source = boxed !== undefined ? 'box' : open !== undefined ? 'open-box' : 'response'
  const found = text !== '' && !saysNotFound(text, source === 'response')
  return { text: found ? text : '', found, source }
}

/** In a box the phrase has to be all there is; in free text it may stand in one short sentence. */
function saysNotFound(text: string, isFreeText: boolean): boolean {
  const plain = text
    .replace(/\\(?:text|textbf|mathrm)\s*\{([^{}]*)\}/g, '$1')
    .toLowerCase()
    .replace(/[\s"'`*.]+/g, ' ')
    .trim()
  return plain === notFoundPhrase || (isFreeText && plain.length <= 120 && plain.includes(notFoundPhrase))
}

/** Behind the opening brace of every box. */
function boxStarts(response: string): number[] {
  return [...response.matchAll(/\\(?:boxed|fbox)\s*\{/g)].map((match) => match.index + match[0].length)
}

/** Of the brace that is open at `from`; escaped braces do not count. */
function closingBrace(response: string, from: number): number | undefined {
  let depth = 1
  for (let i = from; i < response.length; i++) {
    if (response[i] === '\\') i++
    else if (response[i] === '{') depth++
    else if (response[i] === '}' && --depth === 0) return i
  }
  return undefined
}
