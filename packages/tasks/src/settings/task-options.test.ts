/** For every option of every registered task, errors name the task, the option, its value, and what it takes. */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { TaskDefinition } from '../define-task.ts'
import { type TaskName, tasks } from '../registry.ts'
import { sampleProse } from '../testing/fixtures.ts'

const create = (name: string, options: object) =>
  (tasks[name as keyof typeof tasks] as (options: object) => Promise<unknown>)(options)

async function refusal(name: string, options: object): Promise<{ message: string; hint: string }> {
  try {
    await create(name, options)
  } catch (error) {
    expect(error).toMatchObject({ name: 'TaskError' })
    return error as { message: string; hint: string }
  }
  throw new Error(`${name} took ${JSON.stringify(options)}`)
}

const haystack = sampleProse(20)

/** No option of any task takes this. */
const wrong = [[null]]

describe.each(Object.keys(tasks) as TaskName[])('the definition of the task %s', (name) => {
  it('says what it asks, what every option is for, and what it is by default', async () => {
    const definition: TaskDefinition = await tasks[name].definition()
    expect(definition.name).toBe(name)
    expect(definition.description).toMatch(/^\p{Lu}.*\.$/u)
    const schema = z.toJSONSchema(definition.options, { io: 'input', unrepresentable: 'any' })
    for (const [option, described] of Object.entries(schema.properties ?? {})) {
      const { description, default: value, defaultIs } = described as Record<string, unknown>
      expect(description, option).toMatch(/^\p{Lu}.*\.$/su)
      const isLong = JSON.stringify(value ?? '').length > 40
      expect(isLong && defaultIs === undefined ? value : undefined, option).toBeUndefined()
    }
  })
})

describe.each(Object.keys(tasks).filter((name) => name !== 'module'))('the task %s', (name) => {
  const path = name === 'jsonl' ? { path: 'questions.jsonl' } : {}

  it('names every option that has a wrong value', async () => {
    const { hint } = await refusal(name, { ...path, nonsense: 1 })
    const known = /^Its options: (.*)\.$/.exec(hint)![1]!.split(', ')
    expect(known.length).toBeGreaterThan(1)
    for (const option of known.filter((each) => each !== 'prose')) {
      const { message } = await refusal(name, { prose: haystack, ...path, [option]: wrong })
      expect(message).toContain(`The task ${name} cannot be made: `)
      expect(message).toMatch(new RegExp(`\\b${option}(\\.0)? cannot be \\[.*null.*\\] \\(it takes .{4,}\\)`))
    }
  })

  it('names an unknown option, and the nearest known one', async () => {
    const known = /^Its options: (.*)\.$/.exec((await refusal(name, { ...path, nonsense: 1 })).hint)![1]!
    for (const option of known.split(', ')) {
      const misspelt = `${option.slice(0, 2)}${option.slice(3)}`
      const { message } = await refusal(name, { ...path, [misspelt]: 1 })
      expect(message).toContain(`The task ${name} cannot be made: `)
      expect(message).toContain(`${misspelt} is unknown (did you mean ${option}?)`)
    }
  })
})

it.each<[TaskName, object]>([
  ['aliases', { renames: 0, refusals: -1, kinds: ['whence'] }],
  ['all-mentions', { relations: ['guests'], mentions: 0 }],
  ['changing-state', { changes: 0, conditions: -1, kinds: ['mood'] }],
  ['corrected-fact', { corrections: 1.5, kinds: ['whence'] }],
  ['corrected-fact', { corrections: [] }],
  ['facts-in-prose', { absentShare: 2, kinds: ['whence'] }],
  ['many-facts', { choice: 'lowest', series: ['tides'], facts: 0 }],
  ['many-facts', { choice: [] }],
  [
    'multi-hop',
    { hops: 5, distractors: -1, order: 'sideways', split: 'test', templates: 'new', absentShare: 1.5 },
  ],
  ['multi-hop', { hops: [] }],
  ['near-miss', { nearMisses: 0, kinds: ['whence'] }],
  ['needles-in-prose', { values: 'letter', queries: 0, absentShare: -1 }],
  ['never-mentioned', { names: 1, classes: ['town'], wish: 'why' }],
  ['order-of-telling', { wish: 'last', values: 9 }],
  ['order-of-telling', { values: 1 }],
  ['other-words', { topics: ['whence'], lures: -1 }],
  ['several-values', { values: 7, collections: ['moons'] }],
  ['tally', { measure: 'mean', events: 13, kinds: ['taxes'] }],
])('the task %s does not take %o, and says so of each', async (name, options) => {
  const { message } = await refusal(name, { prose: haystack, ...options })
  for (const [option, value] of Object.entries(options)) {
    const [where, refused] =
      Array.isArray(value) && value.length > 0 ? [`${option}.0`, value[0]] : [option, value]
    expect(message).toContain(`${where} cannot be ${JSON.stringify(refused)} (it takes `)
  }
})

it('a number in words is an error, not a crash', async () => {
  const { message } = await refusal('facts-in-prose', { prose: haystack, decoys: 'three' })
  expect(message).toBe(
    'The task facts-in-prose cannot be made: decoys cannot be "three" (it takes a whole number of at least 0 or "by-length").',
  )
})

it('invalid prose is reported', async () => {
  const { message } = await refusal('multi-hop', { prose: 'a-folder' })
  expect(message).toContain('prose cannot be "a-folder" (it takes prose as createFolderProse')
  expect((await refusal('multi-hop', {})).message).toContain('prose is missing (it takes prose as')
})

it('only the path belongs to a module', async () => {
  for (const path of [undefined, 7, '', ['a.js']]) {
    expect((await refusal('module', { path })).message).toMatch(
      /path .*it takes the path of the JavaScript module/,
    )
  }
})
