/**
 * Makes text from documents, memories and questions unable to close a section, open another one or end a turn: where it
 * holds one of the prompt's markers, or what chat templates use as control tokens, the opening sign is replaced by a
 * look-alike. The change is visible and small; nothing is taken out, so that parts cannot close up to a new marker; and
 * doing it twice changes nothing more.
 */

import { ConfigurationError } from '../errors.ts'

/** What opens a marker, and its look-alike, which no Unicode normalisation turns back. */
const lookalikes: Readonly<Record<string, string>> = { '<': '‹', '[': '〔', '\\': '∖', '|': '¦' }

/** Between the signs of a marker: white space and what shows nothing. Every run ends at one sign, so matching is linear. */
const gap = '[\\s\\p{Cf}\\p{Variation_Selector}]*'

/** Any of the words, with gaps between their signs. */
const anyOf = (words: string) =>
  `(?:${words
    .split(' ')
    .map((word) => [...word].join(gap))
    .join('|')})`

/** Control tokens of common chat templates: what follows the opening sign. */
const controlTokens = [
  // `<|im_end|>`, `<｜User｜>`, `<turn|>`
  `<(?=${gap}[|｜])`,
  `\\|(?=${gap}>)`,
  `<(?=${gap}(?:/${gap})?${anyOf('s bos eos pad unk think tool_call tool_calls tool_response')}${gap}>)`,
  `<(?=${gap}${anyOf('start_of_turn end_of_turn')}${gap}>)`,
  `<(?=${gap}${anyOf('begin end')}${gap}▁)`,
  `<(?=${gap}<${gap}(?:/${gap})?${anyOf('sys')}${gap}>)`,
  `\\[(?=${gap}(?:/${gap})?${anyOf('inst think available_tools tool_calls tool_results tool_content system_prompt')}${gap}\\])`,
]

/** By their markers: every reading asks for the same few, and they are dear to compile. */
const patterns = new Map<string, RegExp>()
const mostPatterns = 64

/**
 * @param markers of the prompts in use, opening with `<`, `[`, `|` or a backslash; caught in any case, with any white space or
 * invisible signs in them, and tags also with attributes. @throws ConfigurationError for other markers
 */
export function createNeutralizer(markers: readonly string[]): (text: string) => string {
  const key = JSON.stringify(markers)
  const pattern =
    patterns.get(key) ?? new RegExp([...controlTokens, ...markers.map(markerPattern)].join('|'), 'giu')
  if (patterns.size < mostPatterns) patterns.set(key, pattern)
  return (text) => (/[<[\\|]/.test(text) ? text.replace(pattern, (sign) => lookalikes[sign] as string) : text)
}

/** The marker's first sign where the rest of the marker follows. */
function markerPattern(marker: string): string {
  const [first, ...rest] = marker.replace(/\s/gu, '')
  if (first === undefined || !(first in lookalikes)) {
    throw new ConfigurationError({
      code: 'workflow/unknown-marker',
      message: `The marker ${JSON.stringify(marker)} cannot be kept out of documents.`,
      hint: `Markers begin with one of ${Object.keys(lookalikes).join(' ')}`,
      details: { marker },
    })
  }
  const signs = rest.map((sign) => gap + escaped(sign))
  if (first === '<' && rest.at(-1) === '>') signs.splice(-1, 1, `(?:${gap}>|[\\s/][^<>]*>)`)
  return `${escaped(first)}(?=${signs.join('')})`
}

const escaped = (sign: string) => sign.replace(/[\\^$.*+?()[\]{}|/]/u, '\\$&')
