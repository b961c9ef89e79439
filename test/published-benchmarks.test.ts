/** The run that docs/published-benchmarks.md shows, on made samples: every task of it finds its files and asks its questions. */
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createPlan, parseBenchConfig } from '@memagent/bench'
import { createScriptedModel } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const fixtures = join(root, 'packages/tasks/src/published/__fixtures__')
const folder = temporaryFolder(beforeAll, afterAll)
beforeAll(async () => {
  await mkdir(folder.join('qa1'))
  const row = { context: 'Anna keeps the light.', answers: ['Anna'], length: 4, _id: '1' }
  await writeFile(
    folder.join('qasper.jsonl'),
    JSON.stringify({ ...row, input: 'Who keeps it?', dataset: 'qasper', all_classes: null }),
  )
  const choices = { choice_A: 'Anna', choice_B: 'Otto', choice_C: 'Ida', choice_D: 'Eva' }
  await writeFile(
    folder.join('data.json'),
    JSON.stringify([
      { ...choices, ...row, question: 'Who?', answer: 'B', length: 'long' },
      { ...choices, ...row, question: 'Who?', answer: 'A', length: 'short' },
    ]),
  )
  await copyFile(join(fixtures, 'babilong-qa1.jsonl'), folder.join('qa1/128k.json'))
  for (const part of [0, 1]) {
    await copyFile(join(fixtures, 'mrcr.parquet'), folder.join(`2needle_${part}.parquet`))
  }
  const paragraphs = Array.from({ length: 10 }, (_, i) => [`Keeper ${i}`, [`Number ${i} keeps the light. `]])
  await writeFile(
    folder.join('hotpot_dev_distractor_v1.json'),
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

it('runs as it is shown', async () => {
  const page = await readFile(join(root, 'docs/published-benchmarks.md'), 'utf8')
  const yaml = /```yaml\n([\s\S]*?)```/.exec(page)![1]!.replaceAll('data/', `${folder.path}/`)
  const config = parseBenchConfig(yaml, 'docs/published-benchmarks.md')
  const plan = await createPlan(config, { model: createScriptedModel([]) })
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
