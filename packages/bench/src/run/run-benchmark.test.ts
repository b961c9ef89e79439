import type { Script } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import type { Task } from '@memagent/tasks'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { groupBy } from '../group-by.ts'
import type { Method } from '../method.ts'
import { runBenchmark } from './run-benchmark.ts'
import { askOnce, madePlan, numberTask, plannedTask, rightAnswers, wide } from './testing/made-plan.ts'
import { recordsIn, recordsOf } from './testing/records-in.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let output: string
beforeEach(() => {
  output = folder.join('record.jsonl')
})

describe('what is asked', () => {
  it('is the same question for every method and length, and another for every index and task', async () => {
    const records = await recordsOf(wide())
    expect(records).toHaveLength(24)
    const questions = groupBy(records, ({ task, index }) => `${task}/${index}`)
    for (const same of questions.values()) {
      expect(same).toHaveLength(6)
      expect(new Set(same.map(({ question }) => question)).size).toBe(1)
    }
    expect(new Set(records.map(({ question }) => question)).size).toBe(4)
  })

  it('comes with a search query, if the task has one', async () => {
    const task = numberTask()
    const searched: (string | undefined)[] = []
    const method: Method = {
      ...askOnce(),
      answer(request) {
        searched.push(request.query)
        return askOnce().answer(request)
      },
    }
    const withQuery = {
      ...task,
      sample: async (request: never) => ({ ...(await task.sample(request)), query: 'code' }),
    }
    await recordsOf(madePlan({ tasks: [plannedTask(withQuery, { 8: 1 })], methods: [{ method }] }))
    await recordsOf(madePlan({ tasks: [plannedTask(task, { 8: 1 })], methods: [{ method }] }))
    expect(searched).toEqual(['code', undefined])
  })

  it('comes shortest first, alternating tasks and methods', async () => {
    const records = await recordsOf(wide({ concurrency: 1 }))
    expect(records.slice(0, 8).map(({ key }) => key)).toEqual([
      'a/8/0/one/scripted',
      'a/8/0/two/scripted',
      'a/8/0/three/scripted',
      'b/8/0/one/scripted',
      'b/8/0/two/scripted',
      'b/8/0/three/scripted',
      'a/8/1/one/scripted',
      'a/8/1/two/scripted',
    ])
    expect(records.map(({ lengthTokens }) => lengthTokens)).toEqual(
      [8, 20].flatMap((length) => new Array(12).fill(length)),
    )
  })

  it('comes task by task when asked to', async () => {
    const records = await recordsOf(wide({ concurrency: 1, order: 'listed' }))
    expect([...new Set(records.map(({ task, lengthTokens }) => `${task}/${lengthTokens}`))]).toEqual([
      'a/8',
      'a/20',
      'b/8',
      'b/20',
    ])
  })

  it('is only what a method is meant for', async () => {
    const [one, two, three] = ['one', 'two', 'three'].map(askOnce)
    const records = await recordsOf(
      wide({
        methods: [{ method: one! }, { method: two!, maxLengthTokens: 19 }, { method: three!, lengths: [20] }],
      }),
    )
    const asked = new Set(records.map(({ method, lengthTokens }) => `${method}/${lengthTokens}`))
    expect(asked).toEqual(new Set(['one/8', 'one/20', 'two/8', 'three/20']))
  })

  it('takes no more workers than there are samples, whatever is allowed', async () => {
    expect(await recordsOf(wide({ concurrency: Number.MAX_SAFE_INTEGER }))).toHaveLength(24)
  })

  it('uses exactly the allowed concurrency', async () => {
    let [active, most] = [0, 0]
    const script: Script = async (call) => {
      most = Math.max(most, ++active)
      await new Promise((resolve) => setTimeout(resolve, 5))
      active--
      return (rightAnswers as (c: typeof call) => string)(call)
    }
    await runBenchmark(wide({ script, concurrency: 3 }))
    expect(most).toBe(3)
  })

  it('is nothing when the plan is empty, which is an error', async () => {
    await expect(runBenchmark(madePlan({ methods: [] }))).rejects.toMatchObject({
      code: 'bench/nothing-to-do',
    })
    await expect(
      runBenchmark(madePlan({ methods: [{ method: askOnce() }, { method: askOnce() }] })),
    ).rejects.toMatchObject({ code: 'bench/same-name' })
  })

  it('is made once for all methods', async () => {
    let made = 0
    const task = numberTask()
    const counted = {
      ...task,
      sample: (request: Parameters<typeof task.sample>[0]) => {
        made++
        return task.sample(request)
      },
    }
    await runBenchmark(wide({ tasks: [plannedTask(counted, { 8: 3, 9: 2 })] }))
    expect(made).toBe(5)
  })
})

it('sums up questions without an answer apart from the others', async () => {
  const number = numberTask('mixed')
  const task: Task = {
    ...number,
    sample: async (request) => {
      const sample = await number.sample(request)
      return request.index === 0 ? sample : { ...sample, references: [], evidence: [] }
    },
    score: ({ references }, answer) => ({ strict: references[0] === answer ? 1 : 0 }),
  }
  const plan = madePlan({ tasks: [plannedTask(task, { 8: 3 })], script: () => 'unknown' })
  const { groups } = await runBenchmark(plan)
  expect(groups.map(({ answerable, samples, metrics }) => [answerable, samples, metrics.strict])).toEqual([
    [true, 1, 0],
    [false, 2, 1],
  ])
})

it('means a metric over the samples that have it', async () => {
  const number = numberTask('mixed')
  const score: Task['score'] = ({ id }) => (id.includes('index-0') ? { strict: 1, f1: 0.5 } : { strict: 1 })
  const { groups } = await runBenchmark(madePlan({ tasks: [plannedTask({ ...number, score }, { 8: 3 })] }))
  expect(groups[0]!.metrics).toEqual({ strict: 1, f1: 0.5 })
})

it('ends when a task cannot make a sample, and keeps what is recorded', async () => {
  const task = numberTask('late')
  const breaking = {
    ...task,
    sample: async (request: Parameters<typeof task.sample>[0]) => {
      if (request.index === 2) throw new Error('out of words')
      return task.sample(request)
    },
  }
  const plan = madePlan({ output, tasks: [plannedTask(breaking)], concurrency: 1 })
  await expect(runBenchmark(plan)).rejects.toThrow('out of words')
  expect(await recordsIn(output)).toHaveLength(2)
})

it('refuses a document that cannot have the length asked for, unless it keeps its own', async () => {
  const task = numberTask()
  const short: Task = { ...task, sample: (request) => task.sample({ ...request, lengthTokens: 8 }) }
  await expect(recordsOf(madePlan({ tasks: [plannedTask(short, { 1000: 1 })] }))).rejects.toMatchObject({
    code: 'bench/short-document',
    message: expect.stringMatching(
      /^The document of number\/.* has \d+ bytes, and was to have 1000 tokens\.$/,
    ),
    hint: expect.stringContaining('`keepsLength: true`'),
  })
  const own = { ...short, keepsLength: true }
  expect(await recordsOf(madePlan({ tasks: [plannedTask(own, { 1000: 1 })] }))).toHaveLength(1)
})

it('records that a document is longer than asked, where the task lets it be', async () => {
  const task = numberTask()
  const long: Task = { ...task, sample: (request) => task.sample({ ...request, lengthTokens: 300 }) }
  const kept = async (parts: Partial<Task>, lengthTokens: number) => {
    const plan = madePlan({ tasks: [plannedTask({ ...long, ...parts }, { [lengthTokens]: 1 })] })
    return (await recordsOf(plan))[0]!.keepsLength
  }
  expect(await kept({ keepsLonger: true }, 100)).toBe(true)
  expect(await kept({ keepsLonger: true }, 600)).toBeUndefined()
  expect(await kept({}, 100)).toBeUndefined()
})

it('reports its progress, including earlier records', async () => {
  await runBenchmark(wide({ output, tasks: [plannedTask(numberTask('a'), { 8: 2, 20: 2 })] }))
  const told: { recorded: number; share: number }[] = []
  await runBenchmark(wide({ output }), {
    onProgress: ({ planned, recorded, share }) => {
      expect(planned).toBe(24)
      told.push({ recorded, share })
    },
  })
  expect(told[0]!.recorded).toBe(12)
  expect(told[0]!.share).toBeCloseTo(0.5)
  expect(told.at(-1)!.recorded).toBe(24)
  expect(told.at(-1)!.share).toBeCloseTo(1)
  expect(told.map(({ share }) => share)).toEqual(told.map(({ share }) => share).toSorted((a, b) => a - b))
})
