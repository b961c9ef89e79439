/** A benchmark that reads ahead records the same answers, and the usage it wasted. */
import { createScriptedModel, createTextDocument, type ModelProfile } from '@memagent/core'
import { expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import type { BenchRecord } from '../record.ts'
import { parseRecord } from '../record.ts'
import { estimateBenchmark } from './estimate.ts'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, numberTask, plannedTask } from './testing/made-plan.ts'

const profile: ModelProfile = {
  name: 'small',
  budget: { window: 400, question: 60, chunk: 20, memory: 40, output: 40 },
}
const prices = { prompt: 1, completion: 10 }

/** The number is in the middle of the text. */
const task = numberTask()
const inTheMiddle = {
  ...task,
  async sample(request: Parameters<typeof task.sample>[0]) {
    const sample = await task.sample(request)
    const text = `${'filler '.repeat(200)}The code is ${sample.references[0]}. ${'filler '.repeat(200)}`
    return { ...sample, document: createTextDocument(text, 'made'), evidence: [] }
  },
}

const planOf = async (ahead: number | undefined) =>
  madePlan({
    tasks: [plannedTask(inTheMiddle, { 400: 2 })],
    methods: [{ method: await createMethod('overwrite') }, { method: await createMethod('truncate') }],
    model: createScriptedModel(
      async ({ messages }) => {
        await new Promise((resolve) => setImmediate(resolve))
        const prompt = messages[0]!.content
        const code = / is (\d{4})\./.exec(prompt)?.[1]
        if (!prompt.includes('<section>')) return `\\boxed{${code ?? 'none'}}`
        return code === undefined ? 'No previous memory' : `It is ${code}.`
      },
      { profile },
    ),
    ahead,
    prices,
  })

async function run(ahead: number | undefined): Promise<BenchRecord[]> {
  const records: BenchRecord[] = []
  await runBenchmark(await planOf(ahead), { onRecord: (record) => records.push(record) })
  return records
}

it('to the same answers and notes; wasted calls are recorded and priced', async () => {
  const [inOrder, ahead] = [await run(undefined), await run(4)]
  const seen = ({ usage: _, seconds: __, price: ___, finishedAt: ____, ...record }: BenchRecord) => record
  expect(ahead.map(seen)).toEqual(inOrder.map(seen))
  for (const [i, { usage, price, method }] of ahead.entries()) {
    const { calls, promptTokens, completionTokens } = usage.wasted ?? {
      calls: 0,
      promptTokens: 0,
      completionTokens: 0,
    }
    expect(method === 'overwrite').toBe(calls > 0)
    expect(usage.calls - calls).toBe(inOrder[i]!.usage.calls)
    expect(price).toBeCloseTo(inOrder[i]!.price! + (promptTokens + 10 * completionTokens) / 1e6, 12)
    expect(parseRecord(ahead[i])).toEqual({ record: ahead[i] })
  }
})

it('is estimated with as many wasted calls as there may be, for workflows alone', async () => {
  const [inOrder, ahead] = [
    await estimateBenchmark(await planOf(1)),
    await estimateBenchmark(await planOf(4)),
  ]
  const callsOf = ({ groups }: typeof inOrder, name: string) =>
    groups.find(({ method }) => method === name)!.calls
  expect(callsOf(ahead, 'truncate')).toBe(callsOf(inOrder, 'truncate'))
  // Two questions, with one answer call each.
  expect(callsOf(ahead, 'overwrite') - 2).toBe(2 * (callsOf(inOrder, 'overwrite') - 2))
})
