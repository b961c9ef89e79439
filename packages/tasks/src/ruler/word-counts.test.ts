import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'
import { zeta } from './frequent-words.ts'
import { rulerTask } from './ruler-task.ts'
import { ownWordLists } from './word-lists.ts'

const request = { seed: 4, countTokens }

/** How often each word occurs in a list, most frequent first. */
function countWords(words: readonly string[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const word of words) {
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts].sort((a, b) => b[1] - a[1])
}

describe('common words', () => {
  const listOf = (text: string): string[] =>
    text.split(/ (?=\d)/).map((entry, i) => {
      const [, number, word] = /^(\d+)\. (\S+)$/.exec(entry)!
      expect(Number(number)).toBe(i + 1)
      return word!
    })

  it.each([
    [2000, 6, 1],
    [4095, 6, 1],
    [4096, 30, 3],
    [60_000, 30, 3],
  ])('at %d tokens ten words occur %d times and all others %d', async (lengthTokens, common, other) => {
    const task = await rulerTask('common-words').create({})
    const sample = await task.sample({ ...request, index: 1, lengthTokens })
    const counts = countWords(listOf(await textOf(sample)))
    expect(
      counts
        .slice(0, 10)
        .map(([word]) => word)
        .sort(),
    ).toEqual([...sample.references].sort())
    expect(new Set(counts.slice(0, 10).map(([, count]) => count))).toEqual(new Set([common]))
    expect(new Set(counts.slice(10).map(([, count]) => count))).toEqual(new Set([other]))
  })

  it('has the ordinary words in a long list too, so they do not give the common ones away', async () => {
    const task = await rulerTask('common-words').create({})
    const sample = await task.sample({ ...request, index: 1, lengthTokens: 60_000 })
    const words = new Set(listOf(await textOf(sample)))
    const { ordinary } = ownWordLists()
    expect(ordinary.length).toBeGreaterThan(500)
    expect(ordinary.filter((word) => !words.has(word))).toEqual([])
    expect(words.size).toBeGreaterThan(2 * ordinary.length)
  })
})

describe('frequent words', () => {
  it('follow the zeta distribution, with dots as the most frequent', async () => {
    const task = await rulerTask('frequent-words').create({})
    const sample = await task.sample({ ...request, index: 1, lengthTokens: 20_000 })
    const counts = countWords((await textOf(sample)).split(' '))
    expect(counts[0]![0]).toBe('...')
    expect(counts.slice(1, 4).map(([word]) => word)).toEqual(sample.references)
    for (const [word] of counts.slice(1)) {
      expect(word).toMatch(/^[a-z]{6}$/)
    }
    // Counts are floor(n / (k^2 zeta(2))) of one n: the intervals of n that the counts allow must overlap.
    const scale = Math.PI ** 2 / 6
    const least = Math.max(...counts.map(([, count], i) => count * (i + 1) ** 2 * scale))
    const most = Math.min(...counts.map(([, count], i) => (count + 1) * (i + 1) ** 2 * scale))
    expect(least).toBeLessThan(most)
  })

  it('tells the third from the fourth, or refuses the length', async () => {
    const task = await rulerTask('frequent-words').create({})
    let refused = 0
    for (let lengthTokens = 20; lengthTokens < 400; lengthTokens += 7) {
      const sample = await task.sample({ ...request, index: 0, lengthTokens }).catch((error: unknown) => {
        expect(error).toMatchObject({ code: 'task/document-too-short' })
        refused += 1
      })
      if (sample) {
        const counts = countWords((await textOf(sample)).split(' '))
        expect(counts[3]![1]).toBeGreaterThan(counts[4]?.[1] ?? 0)
      }
    }
    expect(refused).toBeGreaterThan(0)
    expect(refused).toBeLessThan(30)
  })

  it('knows the zeta function', () => {
    expect(zeta(2)).toBeCloseTo(Math.PI ** 2 / 6, 12)
    expect(zeta(4)).toBeCloseTo(Math.PI ** 4 / 90, 12)
    expect(zeta(1.5)).toBeCloseTo(2.612375348685488, 10)
  })
})

describe('word lists by path', () => {
  const folder = temporaryFolder(beforeAll, afterAll)
  beforeAll(async () => {
    const list = (prefix: string, count: number) => Array.from({ length: count }, (_, i) => `${prefix}${i}`)
    await writeFile(folder.join('nounlist.txt'), `${list('noun', 40).join('\n')}\n`)
    await writeFile(folder.join('adjectivelist.txt'), `${list('adj', 40).join('\r\n')}\r\n\r\n`)
    await writeFile(folder.join('verblist.txt'), list('verb', 20).join('\n'))
    await writeFile(
      folder.join('english_words.json'),
      JSON.stringify(Object.fromEntries(list('word', 300).entries())),
    )
  })

  it('are used for keys and lists, without a deviation', async () => {
    const options = { wordLists: folder.path }
    const niah = await rulerTask('niah-single-1').create(options)
    expect((await niah.sample({ ...request, index: 0, lengthTokens: 2000 })).question).toMatch(
      / adj\d+-noun\d+ /,
    )
    const common = await rulerTask('common-words').create(options)
    const sample = await common.sample({ ...request, index: 0, lengthTokens: 2000 })
    expect(sample.references.every((word) => /^(noun|adj|verb)\d+$/.test(word))).toBe(true)
    expect(await textOf(sample)).toMatch(/\d+\. word\d+/)
    for (const task of [niah, common]) {
      expect(task.deviations?.filter((deviation) => deviation.includes('wonderwords'))).toEqual([])
    }
    for (const task of [
      await rulerTask('niah-single-1').create({}),
      await rulerTask('common-words').create({}),
    ]) {
      expect(task.deviations?.filter((deviation) => deviation.includes('wonderwords')).length).toBe(1)
    }
  })

  it('are refused when they are unreadable or too few', async () => {
    await expect(rulerTask('common-words').create({ wordLists: folder.join('none') })).rejects.toMatchObject({
      code: 'task/unreadable-file',
    })
    const task = await rulerTask('common-words').create({ wordLists: folder.path })
    await expect(task.sample({ ...request, index: 0, lengthTokens: 60_000 })).rejects.toMatchObject({
      code: 'task/too-few-words',
    })
  })
})
