/** The run that docs/published-benchmarks.md shows, on made samples: every task of it finds its files and asks its questions. */
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseBenchConfig, planFromConfig } from '@memagent/bench'
import { createScriptedModel } from '@memagent/core'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const fixtures = join(root, 'packages/tasks/src/published/__fixtures__')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memagent-published-'))
  await mkdir(join(folder, 'qa1'))
  const row = { context: 'Anna keeps the light.', answers: ['Anna'], length: 4, _id: '1' }
  await writeFile(
    join(folder, 'qasper.jsonl'),
    JSON.stringify({ ...row, input: 'Who keeps it?', dataset: 'qasper', all_classes: null }),
  )
  const choices = { choice_A: 'Anna', choice_B: 'Otto', choice_C: 'Ida', choice_D: 'Eva' }
  await writeFile(
    join(folder, 'data.json'),
    JSON.stringify([
      { ...choices, ...row, question: 'Who?', answer: 'B', length: 'long' },
      { ...choices, ...row, question: 'Who?', answer: 'A', length: 'short' },
    ]),
  )
  await copyFile(join(fixtures, 'babilong-qa1.jsonl'), join(folder, 'qa1/128k.json'))
  for (const part of [0, 1]) {
    await copyFile(join(fixtures, 'mrcr.parquet'), join(folder, `2needle_${part}.parquet`))
  }
  const paragraphs = Array.from({ length: 10 }, (_, i) => [`Keeper ${i}`, [`Number ${i} keeps the light. `]])
  await writeFile(
    join(folder, 'hotpot_dev_distractor_v1.json'),
    JSON.stringify(
      Array.from({ length: 100 }, (_, i) => ({
        _id: `q${i}`,
        question: `Who keeps light ${i}?`,
        answer: `Anna ${i}`,
        supporting_facts: [[`Light ${i}`, 0]],
        context: [[`Light ${i}`, [`Anna ${i} keeps it.`]], ...paragraphs.slice(1)].map(([title, text]) => [
          title === `Light ${i}` ? title : `${title} of ${i}`,
          text,
        ]),
      })),
    ),
  )
})
afterAll(() => rm(folder, { recursive: true }))

it('runs as it is shown', async () => {
  const page = await readFile(join(root, 'docs/published-benchmarks.md'), 'utf8')
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)![1]!.replaceAll('data/', `${folder}/`)
  const config = parseBenchConfig(yaml, 'docs/published-benchmarks.md')
  const plan = await planFromConfig(config, { model: createScriptedModel([]) })
  expect(plan.tasks.map(({ task }) => task.name)).toEqual([
    'longbench-qasper',
    'longbench-v2',
    'babilong-qa1',
    'mrcr',
    'ruler-hqa',
  ])
  for (const { task, lengths } of plan.tasks) {
    // The made corpus is small.
    const lengthTokens = Math.min(...lengths.map((one) => one.lengthTokens))
    const countTokens = (text: string) => 2 * text.length
    const sample = await task.sample({ index: 0, seed: 1, lengthTokens, countTokens })
    expect(sample.question).not.toBe('')
    expect(Object.values(task.score(sample, sample.references[0])).every((score) => score === 1)).toBe(true)
    expect(task.deviations?.length).toBeGreaterThan(0)
  }
})
