/** Every file of the corpus yields its planted facts where they are, or the error it must give. */
import { describe, expect, it } from 'vitest'
import type { SourceRemark } from './loader.ts'
import { corpusFile, corpusFiles, expectations, outcomeOf, readTexts } from './testing/corpus.ts'

const { facts, refused, unread } = expectations

it('every file of the corpus is expected to be read or refused', () => {
  expect([...Object.keys(facts), ...Object.keys(refused)].sort()).toEqual([...corpusFiles].sort())
})

describe.each(Object.entries(facts))('%s', (name, expected) => {
  it('gives its facts where they are', async () => {
    const texts = await readTexts(corpusFile(name))
    const found = expected.map(({ text, source = '' }) => {
      const read = texts.get(corpusFile(name) + source)
      const index = read?.text.indexOf(text) ?? -1
      const position = index < 0 ? undefined : read?.positionOf(index + /^\s*/.exec(text)![0].length)
      return {
        text: index < 0 ? `not in: ${read?.text}` : text,
        ...(position && { position }),
        ...(source && { source }),
      }
    })
    expect(found).toEqual(expected)
  })
})

it.each(Object.entries(refused))('%s is refused with %s', async (name, code) => {
  expect(await outcomeOf(corpusFile(name))).toBe(code)
})

it.each(Object.entries(unread))('%s: %s', async (name, message) => {
  const remarks: SourceRemark[] = []
  const source = corpusFile(name)
  await outcomeOf(source, { onRemark: (remark) => remarks.push(remark) })
  expect(remarks).toEqual([{ code: 'source-part-unread', source, message: `${source}: ${message}.` }])
})
