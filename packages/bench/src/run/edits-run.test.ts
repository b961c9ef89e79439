/** A benchmark of `edits` on a real task, with a reader that makes no mistakes and one that sometimes breaks the form. */
import {
  createEstimateTokenizer,
  createScriptedModel,
  type ModelProfile,
  type ScriptedReply,
} from '@memagent/core'
import { createRandom, createTextProse, type Sample, tasks } from '@memagent/tasks'
import { expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import type { BenchRecord } from '../record.ts'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, plannedTask } from './testing/made-plan.ts'

const words = 'the mill river old stone came under evening road quiet late grain market field wall'.split(' ')
const random = createRandom('a quiet road')
const sentence = () => `The ${Array.from({ length: 12 }, () => random.pick(words)).join(' ')}.`
const paragraphs = Array.from({ length: 120 }, () => Array.from({ length: 6 }, sentence).join(' '))
const prose = createTextProse('a quiet road', `${paragraphs.join('\n\n')}\n`)
const profile: ModelProfile = {
  name: 'small',
  prompts: 'compact',
  budget: { window: 512, question: 64, chunk: 256, memory: 64, output: 64 },
}

/** The reader notes every wanted value; some responses are spoilt. */
async function run(spoilt: (index: number) => ScriptedReply | undefined = () => undefined) {
  const task = await tasks['several-values']({ prose })
  const samples = new Map<string, Sample>()
  const watched = {
    ...task,
    async sample(request: Parameters<typeof task.sample>[0]) {
      const sample = await task.sample(request)
      samples.set(sample.question, sample)
      return sample
    },
  }
  let updates = 0
  const lost: string[] = []
  const script = ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => {
    const [, question = '', memory = '', section] =
      /^<problem> (.*?)<\/problem><memory>(.*?)<\/memory>(?:<section>(.*)<\/section>)?$/s.exec(
        messages[0]!.content,
      )!
    const { references } = samples.get(question)!
    if (section === undefined) return `\\boxed{${memory.replaceAll(/^#\d+ /gm, '').replaceAll('\n', '; ')}}`
    const fresh = references.filter((value) => section.includes(value) && !memory.includes(value))
    const reply = spoilt(updates++)
    if (reply !== undefined) lost.push(...fresh)
    return reply ?? (fresh.map((value) => `+ ${value}`).join('\n') || 'none')
  }
  const records: BenchRecord[] = []
  await runBenchmark(
    madePlan({
      tasks: [plannedTask(watched, { 8000: 10 })],
      methods: [{ method: await createMethod('edits') }],
      model: createScriptedModel(script, {
        tokenizer: createEstimateTokenizer(),
        contextWindow: 512,
        profile,
      }),
      concurrency: 1,
    }),
    { onRecord: (record) => records.push(record) },
  )
  const told = (code: string) =>
    records.flatMap(({ warnings = [] }) =>
      warnings.filter((warning) => warning.code === code).flatMap(({ steps }) => steps),
    )
  return { records, updates, lost, told }
}

it('has all values where every response is right', async () => {
  const { records, updates } = await run()
  expect(records.map(({ metrics }) => metrics.strict)).toEqual(new Array(10).fill(1))
  expect(updates).toBeGreaterThan(250)
  expect(records.flatMap(({ warnings }) => warnings ?? [])).toEqual([])
})

it('loses the values of spoilt responses and no others, and tells every one', async () => {
  const draw = createRandom('spoilt')
  const counts = { malformed: 0, cut: 0 }
  const { records, lost, told } = await run(() => {
    const share = draw.next()
    if (share < 0.1) {
      counts.malformed++
      return 'Here is the memory:\n+ nothing new'
    }
    if (share < 0.15) {
      counts.cut++
      return { text: '+ The road', finishReason: { unified: 'length', raw: 'length' } }
    }
    return undefined
  })
  expect(told('edits-malformed')).toHaveLength(counts.malformed)
  expect(told('edits-cut')).toHaveLength(counts.cut)
  expect(counts.malformed).toBeGreaterThan(15)
  expect(counts.cut).toBeGreaterThan(5)
  const missing = records.flatMap(({ references, answer }) =>
    references.filter((value) => !answer.includes(value)),
  )
  expect(lost.length).toBeGreaterThan(0)
  expect(missing.sort()).toEqual(lost.sort())
  // A few lost chunks do not make answers unsure, but the warnings report them.
  expect(new Set(records.map(({ outcome }) => outcome))).toEqual(new Set(['found']))
})
