import { writeFile } from 'node:fs/promises'
import { createScriptedModel, type ModelProfile } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPlan } from './create-plan.ts'
import { estimateBenchmark } from './estimate.ts'
import { runBenchmark } from './run-benchmark.ts'
import { askOnce, madePlan, numberTask, plannedTask } from './testing/made-plan.ts'
import { parseBenchConfig } from './yaml-config.ts'

const planOf = (yaml: string) =>
  createPlan(parseBenchConfig(yaml, 'test'), { model: createScriptedModel([]) })

const complete = `
lengths: [1k, 2k]
samples: 2
tasks: [{ name: multi-hop, as: one-hop, options: { hops: 1 }, seen: true }]
methods: [overwrite, { name: 'refine', options: { chunk: 100 }, maxLength: 1k }]
model: { budget: { window: 2000, chunk: 300, question: 100, memory: 100, output: 100 }, chunking: exact }
`

describe('createPlan', () => {
  it('draws question i as the first of a seed of its own, where the configuration says so, and records it', async () => {
    const plan = await planOf(`
tasks: [{ name: facts-in-prose, as: seeded, firstSeed: 1001 }, facts-in-prose]
lengths: [1k]
samples: 1
methods: [overwrite]
`)
    const [seeded, plain] = plan.tasks
    expect(seeded!.options).toEqual({ firstSeed: 1001 })
    const request = { lengthTokens: 1000, countTokens: (text: string) => text.split(' ').length }
    const asked = await seeded!.task.sample({ ...request, seed: 1, index: 4 })
    const same = await plain!.task.sample({ ...request, seed: 1005, index: 0 })
    expect([asked.id, asked.question]).toEqual([same.id, same.question])
  })

  it('makes tasks, methods and profile', async () => {
    const plan = await planOf(complete)
    expect(plan.profile).toMatchObject({ budget: { window: 2000, chunk: 300 }, chunking: 'exact' })
    expect(plan.tasks).toMatchObject([
      {
        name: 'one-hop',
        options: { hops: 1 },
        seenInTraining: true,
        lengths: [
          { lengthTokens: 1000, samples: 2 },
          { lengthTokens: 2000, samples: 2 },
        ],
      },
    ])
    expect(plan.methods).toMatchObject([
      { method: { name: 'overwrite' }, workflow: 'overwrite' },
      { method: { name: 'refine:chunk=100' }, maxLengthTokens: 1000 },
    ])
    expect(plan.tasks[0]!.content).toBeUndefined()
    expect(plan.methods[1]!.workflow).toBeUndefined()
    const sample = await plan.tasks[0]!.task.sample({
      index: 0,
      seed: 1,
      lengthTokens: 1000,
      countTokens: (text) => text.split(' ').length,
    })
    expect(sample.labels.hops).toBe(1)
    // The prose depends on what is installed, and the documents on the prose.
    expect(plan.settings).toMatchObject({ prose: { fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) } })
  })

  it('says of methods whether the model was trained for what they ask, where its profile tells', async () => {
    const budget = { window: 2000, chunk: 300, question: 100, memory: 100, output: 100 }
    const yaml = 'tasks: [multi-hop]\nlengths: [1k]\nmethods: [overwrite, edits, bm25, skim]'
    const trainedOf = async (profile: Partial<ModelProfile>) => {
      const model = createScriptedModel([], { profile: { name: 'm', budget, ...profile } })
      const { methods } = await createPlan(parseBenchConfig(yaml, 'test'), { model })
      return methods.map(({ trained }) => trained)
    }
    expect(await trainedOf({})).toEqual([undefined, undefined, undefined, undefined])
    // BM25 has instructions of its own, or else asks as `overwrite` does; skim always asks like `overwrite`.
    expect(await trainedOf({ workflows: ['edits'] })).toEqual([false, true, undefined, false])
    expect(await trainedOf({ workflows: ['edits'], prompts: 'compact' })).toEqual([false, true, false, false])
    expect(await trainedOf({ workflows: ['overwrite'], prompts: 'compact' })).toEqual([
      true,
      false,
      true,
      true,
    ])
    // A method can have lessons of its own.
    expect(await trainedOf({ workflows: ['bm25'] })).toEqual([false, false, true, false])
  })

  it('refuses a window without room for what a method asks: each sample would be recorded as a failure', async () => {
    const yaml = (method: string) =>
      `tasks: [multi-hop]\nlengths: [1k]\nmethods: [bm25, '${method}']\nmodel: { budget: { window: 2048 } }`
    await planOf(yaml('overwrite:chunk=300,memory=200,output=200'))
    const error = await planOf(yaml('overwrite:memory=200')).catch((reason) => reason)
    expect(error).toMatchObject({
      code: 'reading/budget-exceeds-window',
      message: expect.stringMatching(/^overwrite:memory=200: The budget needs up to \d+ tokens/),
    })
    const [, chunk] = /option chunk=(\d+)/.exec(error.hint)!
    await planOf(yaml(`overwrite:memory=200,chunk=${chunk}`))
    await expect(planOf(yaml(`overwrite:memory=200,chunk=${Number(chunk) + 1}`))).rejects.toThrow('2049')
    await expect(planOf(yaml('overwrite:memory=2000'))).rejects.toMatchObject({
      hint: 'Use smaller budgets, or raise the window if the model has a larger one.',
    })
  })

  it.each([
    ['', 'A benchmark needs tasks, lengths, methods.'],
    ['tasks: [multi-hop]\nmethods: [overwrite]', 'A benchmark needs lengths.'],
    ['tasks: [multi-hob]\nlengths: [1k]\nmethods: [overwrite]', 'There is no task named multi-hob.'],
    ['tasks: [multi-hop]\nlengths: [1k]\nmethods: [overwright]', 'There is no method named overwright.'],
    [
      'tasks: [multi-hop]\nlengths: [1k]\nsamples: { 100: 2 }\nmethods: [overwrite]',
      'How many samples of 1000 tokens? The configuration says it up to 100.',
    ],
  ])('refuses %j', async (yaml, message) => {
    await expect(planOf(yaml === '' ? '{}' : yaml)).rejects.toMatchObject({ message })
  })
})

describe('documents that keep their own length', () => {
  const folder = temporaryFolder(beforeAll, afterAll)
  const tasksOf = (lengths: string, pad = false) =>
    `tasks: [{ name: jsonl, options: { path: ${folder.join('gates.jsonl')}, pad: ${pad} } }]\nlengths: ${lengths}\nsamples: 2\nmethods: ['truncate', 'overwrite:chunk=50']\nprose: ${folder.path}\nmodel: { budget: { window: 2000, memory: 100, output: 100 } }`
  beforeAll(async () => {
    const lines = [1, 10].map((times) => ({
      question: `Where is gate ${times}?`,
      document: 'The garden is large and nobody lived there. '.repeat(20 * times),
      answers: ['here'],
    }))
    await writeFile(folder.join('gates.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
    await writeFile(folder.join('prose.txt'), 'The old house stood by the sea. '.repeat(100))
  })

  it('are asked about once, and not under several lengths', async () => {
    await expect(planOf(tasksOf('[1k, 64k]'))).rejects.toMatchObject({
      code: 'bench/own-length',
      message:
        'The documents of jsonl:path=gates.jsonl,pad=false keep their own length: at each of 2 lengths they are the same.',
    })
    await planOf(tasksOf('[1k, 1k]'))
    await planOf(tasksOf('[1k, 64k]', true))
  })

  it('are measured for an estimate, which is more than the run takes', async () => {
    const short = await planOf(tasksOf('[8]'))
    const { groups } = await estimateBenchmark(short)
    expect(groups).toEqual((await estimateBenchmark(await planOf(tasksOf('[8]')))).groups)
    const [truncate, overwrite] = groups
    expect([truncate, overwrite]).toMatchObject([
      { method: 'truncate', lengthTokens: 8, keepsLength: true, samples: 2, calls: 2 },
      { method: 'overwrite:chunk=50', lengthTokens: 8, keepsLength: true, samples: 2 },
    ])
    const model = createScriptedModel(({ messages }) =>
      messages[0]!.content.includes('<section>') ? 'A note.' : '\\boxed{here}',
    )
    const { groups: taken } = await runBenchmark({ ...short, model })
    const calls = taken.find(({ method }) => method === 'overwrite:chunk=50')!.calls
    expect(calls).toBeGreaterThan(30)
    expect(overwrite!.calls).toBeGreaterThanOrEqual(calls)
    expect(overwrite!.calls).toBeLessThan(1.5 * calls)
    // Padding makes no document shorter.
    const { groups: padded } = await estimateBenchmark(await planOf(tasksOf('[8]', true)))
    expect(padded.map(({ calls }) => calls)).toEqual(groups.map(({ calls }) => calls))
  })
})

describe('estimateBenchmark', () => {
  it('adds up what the methods say, by method and length', async () => {
    const plan = madePlan({
      tasks: [plannedTask(numberTask('a'), { 100: 2, 1000: 1 }), plannedTask(numberTask('b'), { 100: 3 })],
      methods: [{ method: askOnce('one') }, { method: askOnce('two'), maxLengthTokens: 100 }],
      prices: { prompt: 1000, completion: 4000 },
    })
    // A sample of n tokens: one call, n + 10 tokens in, 5 out.
    const five = { samples: 5, calls: 5, promptTokens: 550, completionTokens: 25 }
    expect(await estimateBenchmark(plan, 10)).toMatchObject({
      samples: 11,
      calls: 11,
      promptTokens: 2110,
      completionTokens: 55,
      seconds: 216.5,
      price: 2.33,
      groups: [
        { method: 'one', lengthTokens: 100, ...five, seconds: 57.5, price: 0.65 },
        { method: 'two', lengthTokens: 100, ...five, seconds: 57.5, price: 0.65 },
        {
          method: 'one',
          lengthTokens: 1000,
          samples: 1,
          calls: 1,
          promptTokens: 1010,
          completionTokens: 5,
          seconds: 101.5,
          price: 1.03,
        },
      ],
    })
    expect(await estimateBenchmark({ ...plan, prices: undefined })).toMatchObject({
      seconds: undefined,
      price: undefined,
    })
  })
})
