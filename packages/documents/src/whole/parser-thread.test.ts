import { expect, it } from 'vitest'
import { corpusFile, readTexts } from '../testing/corpus.ts'

it.each([
  ['parseMegabytes', 1],
  ['parseMegabytes', Number.NaN],
  ['parseMegabytes', Number.POSITIVE_INFINITY],
  ['parseSeconds', Number.NaN],
  ['parseSeconds', -1],
])('a limit %s of %d is refused by name', async (name, value) => {
  await expect(readTexts(corpusFile('page.pdf'), { limits: { [name]: value } })).rejects.toMatchObject({
    code: 'document/bad-limit',
    message: expect.stringContaining(`${name} is ${value}`),
  })
})

it.each([1e7, Number.POSITIVE_INFINITY])(
  '%d seconds are longer than a timer can wait',
  async (parseSeconds) => {
    const texts = await readTexts(corpusFile('page.pdf'), { limits: { parseSeconds } })
    expect(texts.size).toBe(1)
  },
)
