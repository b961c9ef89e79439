/**
 * Frequent words, after RULER's `freq_words_extraction.py` (arXiv 2404.06654): coded words of random letters whose counts
 * follow a zeta distribution. The most frequent is `...`, to be ignored; the question wants the next three, which are the
 * same at every length.
 */
import { createRandom, type Random } from '../random.ts'
import { sampleId } from '../sample-id.ts'
import type { Sample, SampleRequest, Task } from '../task.ts'
import type { FrequentWordsParameters } from './configurations.ts'
import { commonDeviations, freshOrder, outputLimit } from './deviations.ts'
import { shuffledWords } from './entries-document.ts'
import { scoreRuler } from './string-match.ts'
import { createTokenMeter } from './token-meter.ts'
import { tooShort } from './too-short.ts'

const noise = '...'
const wantedWords = 3
/** RULER's vocabulary has one word per 50 tokens; the rarest get a count of zero. */
const tokensPerWord = 50

export function createFrequentWords(name: string, parameters: FrequentWordsParameters): Task {
  return {
    name,
    deviations: [...commonDeviations, outputLimit(50), freshOrder],
    async sample(request) {
      const { index, seed, lengthTokens } = request
      const asked = createRandom(name, seed, index)
      const { words, counts } = drawText(asked, parameters, request)
      if (counts.length <= wantedWords || counts[wantedWords] === counts[wantedWords + 1]) {
        throw tooShort(name, lengthTokens)
      }
      const order = asked.fork('order', lengthTokens)
      const { document, entries } = shuffledWords(`${name}-${seed}-${index}`, order, words, counts)
      return {
        id: sampleId(name, request),
        question: `Track how often each coded word appears in the text and ignore the dots '${noise}'. What are the three most frequently appeared coded words?`,
        query: 'three most frequently appeared coded words',
        document,
        references: words.slice(1, 1 + wantedWords),
        match: 'all',
        evidence: [],
        labels: { kind: name, present: true, entries, words: counts.length },
      } satisfies Sample
    },
    score: scoreRuler,
  }
}

/** Words by rank, the dots first, with their counts in the longest text that fits. */
function drawText(
  random: Random,
  { alpha, wordLength }: FrequentWordsParameters,
  { lengthTokens, countTokens }: SampleRequest,
): { words: readonly string[]; counts: readonly number[] } {
  const wordRandom = random.fork('words')
  const meter = createTokenMeter(countTokens, ' ')
  const words: string[] = []
  const tokens: number[] = []
  const taken = new Set<string>()
  const addWord = (): void => {
    let word = words.length === 0 ? noise : drawWord(wordRandom, wordLength)
    while (taken.has(word)) {
      word = drawWord(wordRandom, wordLength)
    }
    taken.add(word)
    words.push(word)
    tokens.push(meter(word))
  }
  const mostWords = Math.max(wantedWords + 2, Math.floor(lengthTokens / tokensPerWord))
  const scale = zeta(alpha)
  const countsFor = (total: number): number[] => {
    const counts: number[] = []
    for (let rank = 0; rank < mostWords; rank += 1) {
      const count = Math.floor((total * (rank + 1) ** -alpha) / scale)
      if (count < 1) {
        break
      }
      counts.push(count)
    }
    return counts
  }
  const fits = (total: number): boolean => {
    let sum = 0
    for (const [rank, count] of countsFor(total).entries()) {
      if (rank === words.length) {
        addWord()
      }
      sum += count * tokens[rank]!
    }
    return sum <= lengthTokens
  }
  let [low, high] = [0, 1]
  while (fits(high)) {
    ;[low, high] = [high, high * 2]
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    ;[low, high] = fits(middle) ? [middle, high] : [low, middle]
  }
  return { words, counts: countsFor(low) }
}

const drawWord = (random: Random, length: number): string =>
  String.fromCharCode(...Array.from({ length }, () => 97 + random.int(26)))

/** Riemann's zeta function for s > 1: the first terms, and the rest by Euler and Maclaurin; to 12 digits for s = 2. */
export function zeta(s: number): number {
  const terms = 1000
  let sum = 0
  for (let k = 1; k < terms; k += 1) {
    sum += k ** -s
  }
  return sum + terms ** (1 - s) / (s - 1) + terms ** -s / 2 + (s * terms ** (-s - 1)) / 12
}
