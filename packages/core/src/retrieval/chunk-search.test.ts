import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Chunk } from '../chunking/chunker.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { Bm25Ranking } from './bm25-ranking.ts'
import { BestChunks, scoresByWords } from './chunk-search.ts'
import { passagesOf, textOf } from './passages.ts'

const chunkOf = (text: string, ordinal: number): Chunk => ({ ordinal, text, ranges: [], tokens: 0 })
async function* streamOf(texts: Iterable<string>) {
  let ordinal = 0
  for (const text of texts) yield chunkOf(text, ordinal++)
}
const filler = (n: number) => Array.from({ length: n }, (_, i) => `Story ${i} is about rivers.`).join('\n\n')

async function scoresOf(query: string, texts: readonly string[], passageTokens = 48) {
  const scores: number[] = []
  const search = { query, passageTokens, most: texts.length, open: () => streamOf(texts) }
  for await (const { ordinal, score } of scoresByWords(search)) {
    scores[ordinal] = Math.max(scores[ordinal] ?? 0, score)
  }
  return scores
}

describe('the score of a chunk', () => {
  it('is that of its best passage among the passages of all chunks', async () => {
    const texts = [`${filler(30)}\n\nThe gate has a keeper.\n\n${filler(30)}`, 'The gate.', filler(5)]
    const ranking = new Bm25Ranking('Who keeps the gate?')
    const ends: number[] = []
    let passages = 0
    for (const text of texts) {
      const options = { maxTokens: 48, tokenizer: createEstimateTokenizer() }
      for await (const passage of passagesOf(createTextDocument(text), options)) {
        ranking.add(textOf(passage))
        passages++
      }
      ends.push(passages)
    }
    const best = [0, 0, 0]
    for (const { ordinal, score } of ranking.ranked()) {
      const chunk = ends.findIndex((end) => ordinal < end)
      best[chunk] = Math.max(best[chunk]!, score)
    }
    expect(passages).toBeGreaterThan(20)
    expect(await scoresOf('Who keeps the gate?', texts)).toEqual(best)
    expect(best).toEqual([expect.any(Number), expect.any(Number), 0])
  })

  it('does not sink in a long chunk', async () => {
    const [long, short] = await scoresOf('the keeper of the gate', [
      `${filler(300)}\n\nThe keeper of the gate is Ann.\n\n${filler(300)}`,
      'A gate.',
    ])
    expect(long).toBeGreaterThan(short!)
  })

  it('is 0 for all where nothing is asked or nothing is written', async () => {
    expect(await scoresOf('', ['The gate.', ' '])).toEqual([0, 0])
    expect(await scoresOf('the gate', [' ', ' \n'])).toEqual([0, 0])
  })
})

it('keeps the best, equal ones in order, and gives them in document order', () => {
  const best = new BestChunks(3)
  for (const [ordinal, score] of [1, 0, 2, 1, 3, 1].entries()) best.add({ ordinal, score })
  expect(best.ordinals).toEqual([0, 2, 4])
  // A better passage of the same chunk counts.
  for (const score of [2.5, 1, 1.5]) best.add({ ordinal: 5, score })
  expect(best.ordinals).toEqual([2, 4, 5])
  expect(new BestChunks(3).ordinals).toEqual([])
})

it('leaves out no passage of the best chunks', async () => {
  const word = fc.constantFrom('the', 'gate', 'keeper', 'wall', 'river', 'town')
  const text = fc.array(word, { maxLength: 12 }).map((words) => `${words.join(' ')}.`)
  const query = fc.array(word, { maxLength: 4 }).map((words) => words.join(' '))
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 40 }), query, fc.nat(5), async (texts, asked, most) => {
      // Each passage is a whole text here.
      const ranking = new Bm25Ranking(asked)
      for (const one of texts) ranking.add(one)
      const scores = texts.map(() => 0)
      for (const { ordinal, score } of ranking.ranked()) scores[ordinal] = score
      const [wanted, best] = [new BestChunks(most), new BestChunks(most)]
      for (const [ordinal, score] of scores.entries()) wanted.add({ ordinal, score })
      const search = { query: asked, passageTokens: 256, most, open: () => streamOf(texts) }
      for await (const scored of scoresByWords(search)) best.add(scored)
      expect(best.best).toEqual(wanted.best)
    }),
  )
})

it('looks through the text a second time where a query has so many terms that nearly every passage has others', async () => {
  const words = Array.from({ length: 16 }, (_, i) => `term${i}`)
  const ofBits = (i: number) => `${words.filter((_, bit) => i & (1 << bit)).join(' ')}.`
  const texts = Array.from({ length: 25_000 }, (_, i) => ofBits(i))
  let opened = 0
  const open = () => {
    opened++
    return streamOf(texts)
  }
  const best = new BestChunks(1)
  const search = { query: words.join(' '), passageTokens: 256, most: 1, open }
  for await (const scored of scoresByWords(search)) best.add(scored)
  expect(opened).toBe(2)
  // The best text has the most of the terms.
  const counts = texts.map((text) => text.split(' ').length)
  expect(counts[best.ordinals[0]!]).toBe(Math.max(...counts))
})

it('holds no more of a long text than of a short one', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage: () => void = runInNewContext('gc')
  const heapMiB: number[] = []
  function* texts() {
    for (let i = 0; i < 10_000; i++) {
      if (i % 2500 === 2499) {
        collectGarbage()
        heapMiB.push(process.memoryUsage().heapUsed / 2 ** 20)
      }
      yield `The gate of ${i === 9000 ? 'Kelvora' : `town ${i % 700}`} has a keeper, and its wall has towers.`
    }
  }
  const best = new BestChunks(8)
  const search = { query: 'Who keeps the gate of Kelvora?', passageTokens: 48, most: 8 }
  for await (const scored of scoresByWords({ ...search, open: () => streamOf(texts()) })) best.add(scored)
  expect(best.ordinals).toContain(9000)
  expect(Math.max(...heapMiB) - heapMiB[0]!).toBeLessThan(1)
})
