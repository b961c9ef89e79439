import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'

const folder = temporaryFolder(beforeAll, afterAll)

let written = 0
async function moduleOf(source: string): Promise<string> {
  written += 1
  const path = folder.join(`task-${written}.mjs`)
  await writeFile(path, source)
  return path
}

const own = `{
  name: 'own',
  async sample({ index }) {
    const text = 'The code of gate ' + index + ' is ' + (7000 + index) + '.'
    const document = {
      name: 'own',
      isReopenable: true,
      async *open() {
        yield { text, source: 'own', offsetBytes: 0, lengthBytes: text.length }
      },
    }
    return {
      id: 'own-' + index, question: 'What is the code?', document, references: [String(7000 + index)],
      match: 'any', evidence: [], labels: {},
    }
  },
  score: (sample, answer) => ({ right: Number(answer === sample.references[0]) }),
}`
const request = { index: 3, seed: 1, lengthTokens: 500, countTokens }

describe('a task module', () => {
  it.each([
    ['its default export', `export default ${own}`],
    ['its export task', `export const task = ${own}`],
    ['createTask', `export const createTask = () => (${own})`],
    ['an asynchronous createTask', `export async function createTask() { return ${own} }`],
    ['a default function', `export default async () => (${own})`],
  ])('gives a task by %s', async (_, source) => {
    const task = await tasks.module({ path: await moduleOf(source) })
    const sample = await task.sample(request)
    expect([task.name, sample.references, await textOf(sample)]).toEqual([
      'own',
      ['7003'],
      'The code of gate 3 is 7003.',
    ])
    expect([task.score(sample, '7003'), task.score(sample, undefined)]).toEqual([{ right: 1 }, { right: 0 }])
  })

  it('passes options to createTask, also by name', async () => {
    const path = await moduleOf(`export const createTask = ({ name }) => ({ ...${own}, name })`)
    expect((await tasks.module({ path, name: 'mine' })).name).toBe('mine')
    expect((await tasks.module({ path, ...{ name: 'yours' } })).name).toBe('yours')
  })

  it.each([
    ['export const other = 1', /it exports no task, only other/],
    ['', /it exports no task, only nothing/],
    [
      'export default 4',
      /its default export is not a task: the whole cannot be 4 \(it takes the fields name, deviations, questions, keepsLength, keepsLonger, sample, score, and others by name\)/,
    ],
    [
      'export const task = { name: "x" }',
      /its export "task" is not a task: sample is missing \(it takes a function\); score is missing/,
    ],
    [
      'export const task = { name: "", sample() {}, score() {} }',
      /is not a task: name cannot be "" \(it takes a text that is not empty\)/,
    ],
    [
      'export const createTask = () => null',
      /what createTask returned is not a task: the whole cannot be null \(it takes the fields/,
    ],
    ['export const createTask = () => { throw new Error("no data") }', /createTask failed: no data/],
    ['import "./missing.mjs"', /it cannot be loaded: .*missing\.mjs/],
    ['export default {', /it cannot be loaded: /],
  ])('%j is refused when it is loaded', async (source, message) => {
    const path = await moduleOf(source)
    await expect(tasks.module({ path })).rejects.toMatchObject({
      code: 'task/bad-module',
      message: expect.stringMatching(message),
      details: { path },
    })
  })

  it('is named when there is no such file', async () => {
    await expect(tasks.module({ path: folder.join('none.mjs') })).rejects.toThrow(
      /none\.mjs: there is no such file/,
    )
    await expect(tasks.module({ path: folder.path })).rejects.toThrow(/there is no such file/)
    await expect(tasks.module({ path: undefined as unknown as string })).rejects.toMatchObject({
      code: 'task/bad-option',
    })
  })

  it('says where it departs from a published benchmark', async () => {
    const task = await tasks.module({
      path: await moduleOf(`const own = ${own}\nexport default { ...own, deviations: ['Fewer rooms.'] }`),
    })
    expect(task.deviations).toEqual(['Fewer rooms.'])
    const wrong = moduleOf(`const own = ${own}\nexport default { ...own, deviations: 'Fewer rooms.' }`)
    await expect(tasks.module({ path: await wrong })).rejects.toThrow(/deviations cannot be "Fewer rooms."/)
  })

  it('is named when its samples or scores are wrong', async () => {
    const broken = async (change: string) =>
      tasks.module({ path: await moduleOf(`const own = ${own}\nexport default { ...own, ${change} }`) })
    const sampleOf = async (change: string) => (await broken(change)).sample(request)
    await expect(sampleOf('async sample() { return undefined }')).rejects.toThrow(
      /sample 3 of seed 1 is wrong: the whole is missing \(it takes the fields id, question, /,
    )
    await expect(
      sampleOf('async sample(r) { return { ...(await own.sample(r)), references: "x" } }'),
    ).rejects.toThrow(/references cannot be "x" \(it takes a list, .*of texts\)/)
    await expect(sampleOf('async sample() { throw new Error("no more") }')).rejects.toThrow(
      /sample 3 of seed 1 failed: no more/,
    )
    for (const [part, message] of [
      ['labels: { codes: ["7003"] }', /labels\.codes cannot be \["7003"\] \(it takes /],
      ['labels: { depth: NaN }', /labels\.depth cannot be NaN/],
      ['evidence: [[0, 10]]', /evidence\.0 cannot be \[0,10\] \(it takes the fields startByte, endByte/],
      ['document: { open() {}, sizeBytes: "83" }', /document cannot be .*\(it takes a document/],
    ] as const) {
      const change = `async sample(r) { return { ...(await own.sample(r)), ${part} } }`
      await expect(sampleOf(change)).rejects.toThrow(message)
    }
    for (const [change, message] of [
      ['score: () => ({})', /numbers from 0 to 1 by name, got none/],
      ['score: () => ({ right: 2 })', /numbers from 0 to 1 by name, got right = 2/],
      ['score: () => ({ right: true })', /right = true/],
      ['score: () => ({ right: "1" })', /right = "1"/],
      ['score: () => [1]', /got 1/],
      ['score: () => ({ right: NaN })', /right = NaN/],
      ['score: () => undefined', /got undefined/],
      ['score: async () => ({ right: 1 })', /got a promise/],
    ] as const) {
      await expect(sampleOf(change)).rejects.toThrow(message)
    }
  })

  it('is tried with the answer "not in the text" before any other', async () => {
    const scored = async (score: string) =>
      tasks.module({ path: await moduleOf(`const own = ${own}\nexport default { ...own, score: ${score} }`) })
    await expect(
      (await scored('(_, answer) => ({ right: Number(answer.trim() === "7003") })')).sample(request),
    ).rejects.toMatchObject({
      code: 'task/bad-module',
      message: expect.stringMatching(
        /score failed for the answer undefined to own-3: Cannot read properties/,
      ),
      hint: expect.stringMatching(/undefined where the model says/),
    })
    const late = await scored('(_, answer) => ({ right: answer === undefined ? 0 : answer.none.there })')
    const sample = await late.sample(request)
    expect(() => late.score(sample, '7003')).toThrow(/score failed for the answer "7003" to own-3: /)
  })
})
