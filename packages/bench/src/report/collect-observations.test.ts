import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BenchRecord } from '../record.ts'
import { entry, makeRecord } from '../testing/made-records.ts'
import { analyse } from './analysis/analyse.ts'
import { collectObservations } from './collect-observations.ts'

const folder = temporaryFolder(beforeEach, afterEach)

const write = async (name: string, ...lines: (BenchRecord | string)[]) => {
  const path = folder.join(name)
  const text = lines.map((line) => (typeof line === 'string' ? line : `${JSON.stringify(line)}\n`)).join('')
  await writeFile(path, text)
  return path
}

describe('reading records', () => {
  it('counts the last line of a key', async () => {
    const path = await write('a.jsonl', makeRecord({ answer: 'first' }), makeRecord({ answer: 'last' }))
    const { observations, sources } = await collectObservations([path])
    expect(observations.map(({ answer }) => answer)).toEqual(['last'])
    expect(sources).toEqual([{ path, records: 1, cutLines: 0 }])
  })

  it('leaves out a line that was cut short, and reports it', async () => {
    const half = JSON.stringify(makeRecord({ index: 1 })).slice(0, 200)
    const path = await write('a.jsonl', makeRecord(), half)
    const { observations, sources } = await collectObservations([path])
    expect(observations).toHaveLength(1)
    expect(sources[0]!.cutLines).toBe(1)
  })

  it('leaves out a last line that is nearly empty', async () => {
    const path = await write('a.jsonl', makeRecord(), '{"v')
    expect((await collectObservations([path])).sources[0]).toMatchObject({ records: 1, cutLines: 1 })
  })

  it('reports zero bytes, wherever they are, and reads the lines beside them', async () => {
    const half = `${JSON.stringify(makeRecord({ index: 1 })).slice(0, 200)}\0\0\n`
    const line = `\0\0${JSON.stringify(makeRecord({ index: 2 }))}\n`
    const path = await write('a.jsonl', makeRecord(), half, '\0\0\n', line, '\0\0')
    expect((await collectObservations([path])).sources[0]).toMatchObject({ records: 2, cutLines: 3 })
  })

  it('treats line separators inside texts as text', async () => {
    const question = 'one\u2028two\u0085three'
    const path = await write('a.jsonl', makeRecord({ question }), makeRecord({ index: 1 }))
    const { observations } = await collectObservations([path])
    expect(observations.map((observation) => observation.question)).toContain(question)
    expect(observations).toHaveLength(2)
  })

  it('keeps what the report needs of a trace: the final memory, depth and diagnosis', async () => {
    const trace = [entry(4, 'Anna Lind'), entry(6, 'a lighthouse')]
    const path = await write(
      'a.jsonl',
      makeRecord({ trace, answer: 'x', metrics: { strict: 0, lenient: 0 } }),
    )
    const [observation] = (await collectObservations([path])).observations
    expect(observation).toMatchObject({ finalMemory: 'a lighthouse', depth: 0.4545 })
    expect(observation!.diagnosis).toMatchObject({ label: 'fact-lost', lostStep: 6 })
    expect(observation).not.toHaveProperty('trace')
  })

  it.each([
    ['a missing field', '{"version":1,"key":"a"}\n', /line 2, .*"task"/],
    ['no version', JSON.stringify({ ...makeRecord(), version: undefined }), /line 2, is no .*"version"/],
    [
      'a metric that is text',
      JSON.stringify({ ...makeRecord(), metrics: { strict: '<script>' } }),
      /metrics.strict/,
    ],
    ['a metric beyond 1', JSON.stringify({ ...makeRecord(), metrics: { strict: 93 } }), /metrics.strict/],
    ['something else than JSON', 'key,task\n', /line 2, .*not JSON/],
    ['another JSON value', '[1, 2]\n', /line 2/],
  ])('says where a file holds %s', async (_, line, message) => {
    const path = await write('a.jsonl', makeRecord(), line)
    await expect(collectObservations([path])).rejects.toMatchObject({
      code: 'bench/bad-record',
      message: expect.stringMatching(message),
    })
  })

  it('tells a line of another version from a damaged one, which may be removed', async () => {
    const path = await write('a.jsonl', makeRecord(), JSON.stringify({ ...makeRecord(), version: 2 }))
    await expect(collectObservations([path])).rejects.toMatchObject({
      code: 'bench/bad-record',
      message: expect.stringMatching(/line 2, cannot be read: its "version" is 2/),
      hint: 'Read it with the version of memagent that wrote it.',
    })
  })

  it('reports a missing file, an empty record and a folder', async () => {
    await expect(collectObservations([folder.join('none')])).rejects.toMatchObject({
      code: 'bench/unreadable-record',
      message: expect.stringContaining('no such file'),
    })
    await expect(collectObservations([folder.path])).rejects.toMatchObject({
      code: 'bench/unreadable-record',
    })
    const empty = await write('empty.jsonl', '\n')
    await expect(collectObservations([empty])).rejects.toMatchObject({ code: 'bench/no-records' })
  })
})

describe('several files', () => {
  const settings = (memory: number) => ({ budget: { memory, chunk: 512 }, temperature: 0 })

  it('with one key and the same settings are one sample; the later file counts', async () => {
    const paths = [
      await write('a.jsonl', makeRecord({ seconds: 1 })),
      await write('b.jsonl', makeRecord({ seconds: 2 })),
    ]
    const { observations } = await collectObservations(paths)
    expect(observations.map(({ seconds }) => seconds)).toEqual([2])
  })

  it('that answer one sample differently need names', async () => {
    const [a, b] = [
      await write('a.jsonl', makeRecord({ answer: 'first' })),
      await write('b.jsonl', makeRecord({ answer: 'later' })),
    ]
    await expect(collectObservations([a, b])).rejects.toMatchObject({
      code: 'bench/other-answers',
      message: expect.stringContaining(`${b} hold different answers to facts/8000/0/overwrite/nano`),
      hint: expect.stringContaining('before=a.jsonl after=b.jsonl'),
    })
    const named = await collectObservations([
      { path: a, reader: 'before' },
      { path: b, reader: 'after' },
    ])
    expect(named.observations.map(({ answer }) => answer)).toEqual(['first', 'later'])
  })

  it('with one key and other settings are two series, named by what differs', async () => {
    const paths = [
      await write('a.jsonl', makeRecord({ settings: settings(256) })),
      await write('b.jsonl', makeRecord({ settings: settings(512) })),
    ]
    const { series, cells } = analyse(await collectObservations(paths))
    expect(series.map(({ name }) => name)).toEqual([
      'overwrite, budget.memory 256',
      'overwrite, budget.memory 512',
    ])
    expect(cells.map(({ count }) => count)).toEqual([1, 1])
  })

  it('of two models are two series, named by the model', async () => {
    const path = await write('a.jsonl', makeRecord({ model: 'nano' }), makeRecord({ model: 'large' }))
    const { series } = analyse(await collectObservations([path]))
    expect(series.map(({ name }) => name)).toEqual(['overwrite, large', 'overwrite, nano'])
  })
})
