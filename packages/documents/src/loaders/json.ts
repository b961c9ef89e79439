/**
 * JSON and JSONL as they are written, except that `\u` escapes become the letters they stand for. Positions are lines, and rows
 * for the elements of a top-level list.
 */
import type { LoadedText, Loader } from '../loader.ts'
import { decodedText } from '../text/decoded-text.ts'

const isJsonText = /^\s*\[?\s*\{\s*"(?:[^"\\\n]|\\.)*"\s*:/

export const json: Loader = {
  name: 'json',
  version: 1,
  claims: ({ fileName, text }) =>
    /\.(json|jsonl|ndjson|geojson)$/.test(fileName) || (!fileName.includes('.') && isJsonText.test(text)),
  async *load(source, context) {
    let isFirst = true
    for await (const { text, position } of elements(withLetters(decodedText(source, context)))) {
      yield { text, ...(position ? { position } : isFirst && { position: { line: 1 } }) }
      isFirst = false
    }
  },
}

/** Escapes that may stand for letters; a pair of surrogates is one letter. */
const escapes = /\\(?:u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|.)/gs
/** An escape that may continue in the next piece. */
const unfinished = /\\(?:u[0-9a-fA-F]{0,3}|u[dD][89abAB][0-9a-fA-F]{2}(?:\\(?:u[0-9a-fA-F]{0,3})?)?)?$/
const longestEscape = 12

async function* withLetters(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let held = ''
  const written = (text: string) =>
    text.replace(escapes, (whole, high?: string, low?: string, single?: string) => {
      if (high && low) return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16))
      const code = single ? Number.parseInt(single, 16) : 0
      return code < 0xa0 || (code >= 0xd800 && code < 0xe000) ? whole : String.fromCharCode(code)
    })
  for await (const text of texts) {
    held += text
    const from = unfinishedAt(held)
    const done = written(held.slice(0, from))
    held = held.slice(from)
    if (done !== '') yield done
  }
  if (held !== '') yield written(held)
}

/** Index of an unfinished escape at the end, which follows an even number of backslashes. */
function unfinishedAt(text: string): number {
  const tail = Math.max(0, text.length - longestEscape)
  const match = unfinished.exec(text.slice(tail))
  if (!match) return text.length
  const at = tail + match.index
  let slashes = 0
  while (text[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 0 ? at : text.length
}

const signs = /["\\[\]{},\n]|[^\s"\\[\]{},]+/g

/** Begins a new piece at every element if the whole text is a list. */
async function* elements(texts: AsyncIterable<string>): AsyncGenerator<LoadedText> {
  let [depth, line, row] = [0, 1, 0]
  let [isInString, isEscaped, isList, awaits, isFirst] = [false, false, false, false, true]
  let position: LoadedText['position']
  for await (const text of texts) {
    let from = 0
    for (const { 0: sign, index } of text.matchAll(signs)) {
      if (sign === '\n') line++
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (sign === '\\') isEscaped = true
        else if (sign === '"') isInString = false
        continue
      }
      if (sign === '\n') continue
      if (awaits && sign !== ']') {
        if (index > from) yield { text: text.slice(from, index), position }
        from = index
        position = { row: ++row, line }
        awaits = false
      }
      if (isFirst) isList = sign === '['
      isFirst = false
      if (sign === '"') isInString = true
      else if (sign === '[' || sign === '{') depth++
      else if (sign === ']' || sign === '}') depth--
      awaits ||= isList && depth === 1 && (sign === ',' || (sign === '[' && row === 0))
    }
    yield { text: text.slice(from), position }
    position = undefined
  }
}
