/** Benchmark records of readings that ended early. */
import { createEstimateTokenizer, createScriptedModel } from '@memagent/core'
import { expect, it } from 'vitest'
import { createMethod } from '../methods/registry.ts'
import type { BenchRecord } from '../record.ts'
import { runBenchmark } from './run-benchmark.ts'
import { madePlan, numberTask, plannedTask } from './testing/made-plan.ts'

const profile = {
  name: 'small',
  prompts: 'compact',
  budget: { window: 512, question: 64, chunk: 128, memory: 64, output: 64 },
}

it('which part was read, and that the rest was not', async () => {
  const records: BenchRecord[] = []
  await runBenchmark(
    madePlan({
      tasks: [plannedTask(numberTask(), { 1000: 1 })],
      methods: [{ method: await createMethod('gated') }, { method: await createMethod('gated-exit') }],
      model: createScriptedModel(
        ({ messages }) => (messages[0]!.content.includes('<section>') ? 'yes\n7\nend' : '\\boxed{7}'),
        { tokenizer: createEstimateTokenizer(), contextWindow: 512, profile },
      ),
    }),
    { onRecord: (record) => records.push(record) },
  )
  const [whole, part] = ['gated', 'gated-exit'].map((method) => records.find((one) => one.method === method)!)
  expect(whole).toMatchObject({ outcome: 'found', warnings: [] })
  expect(whole?.seen).toBeUndefined()
  expect(part).toMatchObject({ outcome: 'found', steps: 1 })
  expect(part?.seen).toEqual([{ startByte: 0, endByte: expect.any(Number) }])
  expect(part?.seen?.[0]?.endByte).toBeLessThan(part!.documentBytes / 2)
  expect(part?.warnings).toMatchObject([
    { code: 'ended-early', message: expect.stringContaining('was not read'), steps: [0] },
  ])
})
