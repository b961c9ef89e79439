/**
 * Common words, after RULER's `common_words_extraction.py` (arXiv 2404.06654): a numbered list in which ten words occur 30
 * times each and all others 3 times (6 times and once below 4,096 tokens). The ten are the same at every length.
 */
import { TaskError } from '@memagent/core'
import { createRandom, type Random } from '../random.ts'
import { sampleId } from '../sample-id.ts'
import type { Sample, SampleRequest, Task } from '../task.ts'
import type { CommonWordsParameters } from './configurations.ts'
import { commonDeviations, freshOrder, noExample, outputLimit } from './deviations.ts'
import { shuffledRange } from './draw.ts'
import { shuffledWords } from './entries-document.ts'
import { scoreRuler } from './string-match.ts'
import { createTokenMeter } from './token-meter.ts'
import { tooShort } from './too-short.ts'
import type { WordLists } from './word-lists.ts'

/** RULER repeats less in shorter texts. */
const shortLength = 4096
const shortRepeats = { commonRepeats: 6, otherRepeats: 1 }

export function createCommonWords(name: string, parameters: CommonWordsParameters, lists: WordLists): Task {
  return {
    name,
    deviations: [
      ...commonDeviations,
      outputLimit(120),
      noExample,
      freshOrder,
      'Common words come from the list of ordinary words at every length; RULER draws all words of a long text from a larger list.',
      ...(lists.deviation === undefined ? [] : [`The list has ${lists.deviation}.`]),
    ],
    async sample(request) {
      const { index, seed, lengthTokens } = request
      const asked = createRandom(name, seed, index)
      const { words, repeats } = await drawWords(name, asked, parameters, lists, request)
      const order = asked.fork('order', lengthTokens)
      const { document, entries } = shuffledWords(
        `${name}-${seed}-${index}`,
        order,
        words,
        repeats,
        (word, place) => `${place}. ${word}`,
      )
      return {
        id: sampleId(name, request),
        question: `The text is a numbered list of words; some appear more often than others. What are the ${parameters.commonWords} most common words in the list?`,
        query: `${parameters.commonWords} most common words`,
        document,
        references: words.slice(0, parameters.commonWords),
        match: 'all',
        evidence: [],
        labels: { kind: name, present: true, entries, words: words.length },
      } satisfies Sample
    },
    score: scoreRuler,
  }
}

/**
 * The common words, then as many others as fit, ordinary ones first, lest ordinary words stand out in a long list.
 * @throws TaskError if none fits, or if there are too few
 */
async function drawWords(
  name: string,
  random: Random,
  parameters: CommonWordsParameters,
  lists: WordLists,
  { lengthTokens, countTokens }: SampleRequest,
): Promise<{ words: readonly string[]; repeats: readonly number[] }> {
  const { commonWords } = parameters
  const { commonRepeats, otherRepeats } = lengthTokens < shortLength ? shortRepeats : parameters
  const ordinary = random.shuffle(lists.ordinary)
  const words = ordinary.slice(0, commonWords)
  const tokensOf = createTokenMeter(countTokens, ' ')
  // Rare words take more tokens per byte than ordinary ones.
  const tokensOfRare = createTokenMeter(countTokens, ' ')
  const tokensOfNumbers = createNumberMeter(countTokens)
  let tokens = commonRepeats * words.reduce((sum, word) => sum + tokensOf(word), 0)
  let entries = commonRepeats * words.length
  /** Takes another word if it fits. */
  const take = (word: string, wordTokens: number): boolean => {
    const taken = tokens + otherRepeats * wordTokens
    const isFitting = taken + tokensOfNumbers(entries + otherRepeats) <= lengthTokens
    if (isFitting) {
      tokens = taken
      entries += otherRepeats
      words.push(word)
    }
    return isFitting
  }
  const isFull =
    !ordinary.slice(commonWords).every((word) => take(word, tokensOf(word))) ||
    (await takeFromLarge(random, lists, (word) => take(word, tokensOfRare(word))))
  if (!isFull) {
    throw new TaskError({
      code: 'task/too-few-words',
      message: `${name}: ${words.length} words do not fill ${lengthTokens} tokens`,
      hint: 'Ask for a shorter document, or give a longer list of words.',
      details: { name, lengthTokens, words: words.length },
    })
  }
  if (words.length === commonWords) {
    throw tooShort(name, lengthTokens)
  }
  return { words, repeats: words.map((_, word) => (word < commonWords ? commonRepeats : otherRepeats)) }
}

/** Whether a word was left out. */
async function takeFromLarge(
  random: Random,
  lists: WordLists,
  take: (word: string) => boolean,
): Promise<boolean> {
  const large = await lists.large()
  const ordinary = new Set(lists.ordinary)
  for (const place of shuffledRange(random.fork('large'), large.length)) {
    const word = large[place]!
    if (!ordinary.has(word) && !take(word)) {
      return true
    }
  }
  return false
}

/** How many numbers of one length to count for an estimate of their mean. */
const countedNumbers = 20

/** @returns tokens of all numbers from 1 to n, each with its full stop */
function createNumberMeter(countTokens: (text: string) => number): (n: number) => number {
  const known = new Map<number, number>()
  /** Among the numbers from `first`, a power of ten, to ten times that. */
  const meanFrom = (first: number): number => {
    const mean = known.get(first) ?? meanOf(first, countTokens)
    known.set(first, mean)
    return mean
  }
  return (n) => {
    let sum = 0
    for (let first = 1; first <= n; first *= 10) {
      sum += (Math.min(n, first * 10 - 1) - first + 1) * meanFrom(first)
    }
    return sum
  }
}

function meanOf(first: number, countTokens: (text: string) => number): number {
  let tokens = 0
  for (let i = 0; i < countedNumbers; i += 1) {
    const number = Math.floor(first * (1 + (9 * i) / countedNumbers))
    tokens += countTokens(`A ${number}. A`) - countTokens('A A')
  }
  return tokens / countedNumbers
}
