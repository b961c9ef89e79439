import { describe, expect, it } from 'vitest'
import { countTokensRoughly as countTokens, sampleProse } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'
import type { RulerTaskName } from './configurations.ts'
import { rulerTask } from './ruler-task.ts'

const prose = sampleProse()
const needle = /One of the special magic (numbers|words|uuids) for (\S+) is: (\S+)\./g
const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}'
const word = '[a-z]+-[a-z]+'

const draw = async (name: RulerTaskName, lengthTokens = 8192, index = 0) => {
  const sample = await (await rulerTask(name).create({ prose })).sample({
    index,
    seed: 0,
    lengthTokens,
    countTokens,
  })
  const text = await textOf(sample)
  const needles = [...text.matchAll(needle)].map(([, type, key, value]) => ({ type, key, value: value! }))
  return { sample, text, needles }
}

describe('needles in a haystack', () => {
  // RULER's table: needles of other keys, values of the keys asked for, and the types of keys and values.
  it.each([
    ['niah-single-1', 0, 1, word, '\\d{7}', 'number'],
    ['niah-single-2', 0, 1, word, '\\d{7}', 'number'],
    ['niah-single-3', 0, 1, word, uuid, 'uuid'],
    ['niah-multikey-1', 3, 1, word, '\\d{7}', 'number'],
    ['niah-multivalue', 0, 4, word, '\\d{7}', 'number'],
    ['niah-multiquery', 0, 4, word, '\\d{7}', 'number'],
  ] as const)('%s has %d other needles and %d asked for', async (name, others, wanted, key, value, type) => {
    const { sample, needles } = await draw(name)
    expect(needles.length).toBe(others + wanted)
    expect(sample.references.length).toBe(wanted)
    for (const found of needles) {
      expect(found.type).toBe(`${type}s`)
      expect(found.key).toMatch(new RegExp(`^${key}$`))
      expect(found.value).toMatch(new RegExp(`^${value}$`))
    }
    const asked = needles.filter((found) => sample.question.includes(found.key!))
    expect(asked.map((found) => found.value).sort()).toEqual([...sample.references].sort())
    expect(new Set(needles.map((found) => found.value)).size).toBe(needles.length)
  })

  it("asks in RULER's words", async () => {
    const question = async (name: RulerTaskName) => (await draw(name)).sample.question
    expect(await question('niah-single-1')).toMatch(
      new RegExp(`^What is the special magic number for ${word} mentioned in the provided text\\?$`),
    )
    expect(await question('niah-multikey-3')).toMatch(
      new RegExp(`^What is the special magic uuid for ${uuid} mentioned in the provided text\\?$`),
    )
    expect(await question('niah-multivalue')).toMatch(
      new RegExp(`^What are all the special magic numbers for ${word} mentioned in the provided text\\?$`),
    )
    expect(await question('niah-multiquery')).toMatch(
      new RegExp(
        `^What are all the special magic numbers for (${word}, ){3}and ${word} mentioned in the provided text\\?$`,
      ),
    )
  })

  it('gives the values of several keys in the order of the question', async () => {
    const { sample, needles } = await draw('niah-multiquery')
    const asked = /for (.*) mentioned/.exec(sample.question)![1]!.split(/, (?:and )?/)
    expect(sample.references).toEqual(asked.map((key) => needles.find((found) => found.key === key)!.value))
  })

  it('is among lines of noise', async () => {
    const { text, sample } = await draw('niah-single-1')
    const lines = text.split('\n')
    expect(new Set(lines.filter((line) => !line.includes('magic')))).toEqual(
      new Set(['The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.']),
    )
    expect(lines.filter((line) => line.includes('magic'))).toEqual([
      expect.stringMatching(new RegExp(`^One of .* is: ${sample.references[0]}\\.$`)),
    ])
  })

  it.each([
    ['niah-multikey-2', word, '\\d{7}'],
    ['niah-multikey-3', uuid, uuid],
  ] as const)('%s: all lines are needles, and one has the requested key', async (name, key, value) => {
    const { sample, text, needles } = await draw(name, 16_384)
    expect(text.split('\n').length).toBe(needles.length)
    expect(needles.length).toBeGreaterThan(50)
    for (const found of needles) {
      expect(`${found.key} ${found.value}`).toMatch(new RegExp(`^${key} ${value}$`))
    }
    const asked = needles.filter((found) => sample.question.includes(found.key!))
    expect(asked.map((found) => found.value)).toEqual(sample.references)
  })

  it('searches for the key in RULER’s words, and names what RULER draws differently', async () => {
    const { sample } = await draw('niah-multiquery')
    expect(sample.question).toBe(`What are all the ${sample.query} mentioned in the provided text?`)
    expect(sample.query).toMatch(/^special magic numbers for \S+, \S+, \S+, and \S+$/)
    const { deviations } = await rulerTask('niah-multiquery').create({ prose })
    for (const said of [/all different/, /training never draws/, /paragraph of its own/, /40 depths/]) {
      expect(deviations).toContainEqual(expect.stringMatching(said))
    }
  })

  it('draws keys and values anew for each index', async () => {
    const drawn = await Promise.all([0, 1, 2, 3].map((index) => draw('niah-multiquery', 2000, index)))
    expect(new Set(drawn.flatMap(({ sample }) => sample.references)).size).toBe(16)
    expect(new Set(drawn.map(({ sample }) => sample.question)).size).toBe(4)
  })
})
