/**
 * Splits text into the words that a `tokenizer.json` tokenizes one by one. Only for files whose words do not depend on their
 * context: byte-level BPE, with the pre-tokenizers of GPT-2, SmolLM, Qwen2 and Llama 3. Qwen2 first normalizes text to NFC, so
 * its words come out normalized; normalizing them again changes nothing.
 */
import { knownPatterns } from './known-patterns.ts'

type Splitter = (text: string, onWord: (word: string) => void) => void

const gpt2 = new RegExp(knownPatterns.gpt2, 'gu')

/** Undefined if the file does anything else: then the library must see the whole text. */
export function createPreTokenizer(tokenizerJson: Readonly<Record<string, unknown>>): Splitter | undefined {
  const {
    normalizer,
    model,
    pre_tokenizer: first,
  } = tokenizerJson as {
    normalizer?: { type?: string } | null
    model?: { type?: string }
    pre_tokenizer?: PreTokenizerJson
  }
  const isNormalized = normalizer?.type === 'NFC'
  if ((normalizer && !isNormalized) || model?.type !== 'BPE' || !first) return undefined
  const steps = first.type === 'Sequence' ? (first.pretokenizers ?? []) : [first]
  const patterns = steps.map(patternOf)
  const last = steps.at(-1)
  if (last?.type !== 'ByteLevel' || patterns.includes(undefined)) return undefined
  const split = chain(patterns.filter((pattern) => pattern !== 'none') as Pattern[])
  return isNormalized ? (text, onWord) => split(text.normalize('NFC'), onWord) : split
}

interface PreTokenizerJson {
  readonly type: string
  readonly pretokenizers?: readonly PreTokenizerJson[]
  readonly individual_digits?: boolean
  readonly add_prefix_space?: boolean
  readonly use_regex?: boolean
  readonly behavior?: string
  readonly invert?: boolean
  readonly pattern?: { readonly Regex?: string }
}

type Pattern = RegExp | 'digits'

/** 'none' changes nothing that matters here; undefined is unknown. */
function patternOf(step: PreTokenizerJson): Pattern | 'none' | undefined {
  if (step.type === 'Digits') return step.individual_digits ? 'digits' : undefined
  if (step.type === 'ByteLevel') {
    if (step.add_prefix_space) return undefined
    return step.use_regex === false ? 'none' : gpt2
  }
  if (step.type === 'Split' && step.behavior === 'Isolated' && !step.invert && step.pattern?.Regex) {
    return javaScriptExpression(step.pattern.Regex)
  }
  return undefined
}

/**
 * Translates the part of Oniguruma's syntax that files of common models use. Its white space is Unicode's, unlike JavaScript's,
 * and groups `(?i:...)` contain plain letters. Anything else is unknown.
 */
function javaScriptExpression(source: string): RegExp | undefined {
  if (/\\[^sSpPrnt\\.*+?()[\]{}|/^$'"-]|\[\[:|&&|\(\?[^:!=i]/.test(source)) return undefined
  const translated = source
    .replaceAll('\\s', '\\p{White_Space}')
    .replaceAll('\\S', '\\P{White_Space}')
    .replace(
      /\(\?i:([^()]*)\)/g,
      (_, group: string) =>
        `(?:${group.replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`)})`,
    )
  try {
    return new RegExp(translated, 'gu')
  } catch {
    // Not an error: the library takes over.
    return undefined
  }
}

function chain([pattern, ...rest]: readonly Pattern[]): Splitter {
  if (pattern === undefined) return (text, onWord) => (text === '' ? undefined : onWord(text))
  const next = rest.length === 0 ? undefined : chain(rest)
  const emit: Splitter = next ?? ((text, onWord) => onWord(text))
  return pattern === 'digits' ? splitDigits(emit) : splitByPattern(pattern, emit)
}

/** Emits the matches and the text between them. */
function splitByPattern(pattern: RegExp, emit: Splitter): Splitter {
  // Words usually follow each other: testing at this position creates no match object, unlike a search.
  const here = new RegExp(pattern.source, `${pattern.flags}y`)
  return (text, onWord) => {
    let from = 0
    while (from < text.length) {
      here.lastIndex = from
      let end = here.test(text) ? here.lastIndex : from
      if (end === from) {
        const match = nextMatch(pattern, text, from)
        const start = match?.index ?? text.length
        if (start > from) emit(text.slice(from, start), onWord)
        if (match === undefined) return
        from = start
        end = start + match[0].length
      }
      emit(text.slice(from, end), onWord)
      from = end
    }
  }
}

/** The next match that is not empty. */
function nextMatch(pattern: RegExp, text: string, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (match[0] !== '') return match
    pattern.lastIndex += 1
  }
  return undefined
}

/** Every numeral of any script is a separate word, as in the original implementation. */
function splitDigits(emit: Splitter): Splitter {
  return (text, onWord) => {
    let from = 0
    for (const match of text.matchAll(/\p{N}/gu)) {
      if (match.index > from) emit(text.slice(from, match.index), onWord)
      onWord(match[0])
      from = match.index + match[0].length
    }
    if (from < text.length) emit(text.slice(from), onWord)
  }
}
