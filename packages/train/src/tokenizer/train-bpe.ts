/**
 * Trains a byte-level BPE tokenizer and writes it in the Hugging Face `tokenizer.json` format.
 *
 * Pre-tokenization is GPT-2's, which transformers, llama.cpp (`gpt-2`) and our own encoder split alike. Merges are learned
 * on word counts: each step joins the most frequent adjacent pair, ties go to the pair with the smaller ids, so the
 * same text always gives the same tokenizer. Digits stay single, so numbers are copied digit by digit; only the space before
 * a number joins its first digit, because a space alone would not tell which number follows.
 *
 * Source: Sennrich et al., arXiv 1508.07909; byte alphabet of GPT-2.
 */
import { byteAlphabet, ConfigurationError, knownPatterns } from '@memagent/core'

const pretokens = new RegExp(knownPatterns.gpt2, 'gu')

export interface BpeTrainingOptions {
  /** Bytes, merges and added tokens together. At least 256 + added tokens. */
  readonly vocabularySize: number
  /** Control tokens first, then structure markers; they get the last ids in this order. */
  readonly addedTokens: readonly { readonly content: string; readonly special: boolean }[]
}

/** Pairs that occur less often are not merged. */
const leastCount = 2

/**
 * Learns merges from texts and returns the content of `tokenizer.json`.
 * @throws ConfigurationError when the vocabulary is too small for bytes and added tokens, or the texts are empty.
 */
export function trainBpe(texts: Iterable<string>, options: BpeTrainingOptions): Record<string, unknown> {
  const room = options.vocabularySize - 256 - options.addedTokens.length
  if (room < 0) {
    throw new ConfigurationError({
      code: 'tokenizer/vocabulary-too-small',
      message: `A vocabulary of ${options.vocabularySize} cannot hold 256 bytes and ${options.addedTokens.length} added tokens.`,
    })
  }
  const words = countWords(texts)
  if (words.size === 0) {
    throw new ConfigurationError({
      code: 'tokenizer/no-text',
      message: 'There is no text to train a tokenizer on.',
    })
  }
  const alphabet = byteAlphabet()
  const tokens = [...alphabet]
  const merges: [string, string][] = []
  for (const [left, right] of learnMerges(words, room)) {
    merges.push([tokens[left]!, tokens[right]!])
    tokens.push(tokens[left]! + tokens[right]!)
  }
  const addedTokens = options.addedTokens.map((token, index) => ({
    id: tokens.length + index,
    content: token.content,
    single_word: false,
    lstrip: false,
    rstrip: false,
    normalized: false,
    special: token.special,
  }))
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: addedTokens,
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: true },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      ignore_merges: false,
      vocab: Object.fromEntries([
        ...tokens.map((token, id) => [token, id] as const),
        ...addedTokens.map((token) => [token.content, token.id] as const),
      ]),
      merges,
    },
  }
}

/** Counts words; merges never cross the pre-tokenizer's word boundaries. */
function countWords(texts: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) {
    for (const [word] of text.matchAll(pretokens)) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return counts
}

const spaceByte = 0x20
const isDigit = (token: number) => token >= 0x30 && token <= 0x39

interface Candidate {
  readonly count: number
  readonly pair: number
}

const before = (a: Candidate, b: Candidate) => a.count > b.count || (a.count === b.count && a.pair < b.pair)

/** Yields merged pairs of token ids in order; token `256 + n` is the n-th merge. */
function* learnMerges(wordCounts: ReadonlyMap<string, number>, room: number): Generator<[number, number]> {
  const words = [...wordCounts].map(([word, count]) => ({
    symbols: [...new TextEncoder().encode(word)],
    count,
  }))
  const base = 1 << 20
  const pairCounts = new Map<number, number>()
  const wordsOfPair = new Map<number, Set<number>>()
  const heap: Candidate[] = []
  /** Tokens of a space and a digit; they merge no further. */
  const spacedDigits = new Set<number>()
  const mayMerge = (left: number, right: number) =>
    isDigit(right) ? left === spaceByte : !isDigit(left) && !spacedDigits.has(left)

  const add = (left: number, right: number, count: number, word: number) => {
    if (!mayMerge(left, right)) return
    const pair = left * base + right
    pairCounts.set(pair, (pairCounts.get(pair) ?? 0) + count)
    const places = wordsOfPair.get(pair)
    if (places) places.add(word)
    else wordsOfPair.set(pair, new Set([word]))
  }
  words.forEach(({ symbols, count }, word) => {
    for (let i = 1; i < symbols.length; i++) add(symbols[i - 1]!, symbols[i]!, count, word)
  })
  for (const [pair, count] of pairCounts) push(heap, { count, pair })

  for (let merged = 0; merged < room; ) {
    const best = pop(heap)
    if (!best) return
    const count = pairCounts.get(best.pair) ?? 0
    if (count !== best.count) {
      // The count changed since this entry was made; put the true one back in line.
      if (count > 0) push(heap, { count, pair: best.pair })
      continue
    }
    if (count < leastCount) return
    const left = Math.floor(best.pair / base)
    const right = best.pair % base
    const token = 256 + merged++
    if (isDigit(right)) spacedDigits.add(token)
    yield [left, right]
    const raised = new Set<number>()
    for (const word of wordsOfPair.get(best.pair)!) {
      const { symbols, count: times } = words[word]!
      for (let i = 1; i < symbols.length; i++) {
        const pair = symbols[i - 1]! * base + symbols[i]!
        pairCounts.set(pair, (pairCounts.get(pair) ?? 0) - times)
      }
      const joined: number[] = []
      for (let i = 0; i < symbols.length; i++) {
        if (symbols[i] === left && symbols[i + 1] === right) {
          joined.push(token)
          i++
        } else joined.push(symbols[i]!)
      }
      words[word]!.symbols = joined
      for (let i = 1; i < joined.length; i++) {
        add(joined[i - 1]!, joined[i]!, times, word)
        raised.add(joined[i - 1]! * base + joined[i]!)
      }
    }
    pairCounts.delete(best.pair)
    for (const pair of raised) push(heap, { count: pairCounts.get(pair) ?? 0, pair })
  }
}

/** Binary heap, largest count first. */
function push(heap: Candidate[], item: Candidate): void {
  let at = heap.push(item) - 1
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!before(item, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}

function pop(heap: Candidate[]): Candidate | undefined {
  const top = heap[0]
  const last = heap.pop()
  if (heap.length === 0 || last === undefined) return top
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child++
    if (!before(heap[child]!, last)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = last
  return top
}
