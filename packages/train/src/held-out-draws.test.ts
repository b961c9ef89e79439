import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseRlConfig } from './rl/config.ts'
import { heldOutNotices as noticesOfTask } from './rl/held-out.ts'
import { parseSftConfig } from './sft/config.ts'
import { heldOutNotices as noticesOfSkills } from './sft/held-out.ts'

const recipes = resolve(import.meta.dirname, '../../../recipes')
const files = readdirSync(recipes, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [name, readFileSync(resolve(recipes, name), 'utf8')] as const)
const of = (schema: string) => files.filter(([, yaml]) => yaml.split('\n')[0]!.endsWith(`/${schema}.json`))

type Options = Record<string, unknown>

describe('a training by rewards', () => {
  const notices = (options: Options, evaluationOptions: Options = {}, name = 'facts-in-prose') =>
    noticesOfTask({ name, options, evaluationOptions })
  const trained = { split: 'train', templates: 'lessons' }

  it('warns where it draws what is kept for evaluation, also by default', async () => {
    const [names, wordings, same, ...others] = await notices({})
    expect(names).toMatch(/facts-in-prose with split: eval\. Set split: train in task\.options/)
    expect(wordings).toMatch(/facts-in-prose with templates: mixed\. Set templates: lessons, or train, in/)
    expect(same).toMatch(/split: eval\. Set split: eval in task\.evaluationOptions/)
    expect(others).toEqual([])
    expect(await notices({ ...trained, templates: 'held-out' }, { split: 'eval' })).toHaveLength(1)
  })

  it('warns where evaluation draws what is trained on', async () => {
    expect(await notices(trained)).toEqual([expect.stringMatching(/measure memorization/)])
    expect(await notices(trained, { split: 'eval' })).toEqual([])
  })

  it('warns of each task that is mixed, with its own options and the shared ones', async () => {
    const tasks = { list: { task: 'several-values' }, needle: { task: 'needles-in-prose' } }
    const found = await notices({ tasks }, { shared: { split: 'train' } }, 'mixed')
    expect(found).toEqual([
      expect.stringMatching(/mixed\.list, mixed\.needle with split: eval\. .* task\.options\.shared/),
      expect.stringMatching(/: mixed\.list with templates: mixed/),
    ])
    const options = { tasks: { ...tasks, other: { task: 'niah-single-1' } }, shared: trained }
    expect(await notices(options, { shared: { split: 'eval' } }, 'mixed')).toEqual([])
  })

  it('says nothing of tasks without such options', async () => {
    expect(await notices({ path: 'questions.jsonl' }, {}, 'jsonl')).toEqual([])
  })

  it.each(of('train-rl'))('keeps apart what is evaluated in %s', async (name, yaml) => {
    expect(await noticesOfTask(parseRlConfig(yaml, name).task)).toEqual([])
  })
})

describe('supervised training', () => {
  const [[name, yaml] = ['', '']] = of('train-sft').filter(([, text]) => text.includes('several-values'))
  const config = parseSftConfig(yaml, name)
  const [first, ...stages] = config.stages
  const notices = (skill: (typeof config.skills)[string], more: Partial<typeof config> = {}) =>
    noticesOfSkills({
      ...config,
      skills: { one: skill },
      stages: [{ ...first!, skills: { one: { weight: 1, lengths: [300, 400] } } }],
      ...more,
    })

  it('warns where a skill draws what is kept for evaluation, also by default', async () => {
    expect(await notices({ task: 'several-values', options: {} })).toEqual([
      expect.stringMatching(/one with split: eval\. Set split: train in the options of the skill/),
      expect.stringMatching(/one with templates: mixed/),
      expect.stringMatching(/one with split: eval/),
    ])
    const split = { task: 'several-values', options: { split: 'train' } }
    expect(await notices(split)).toEqual([expect.stringMatching(/templates: mixed/)])
    expect(await notices(split, { stages: [first!, ...stages].map((one) => ({ ...one, skills: {} })) })).toEqual([]) // biome-ignore format: one case
  })

  it('warns where evaluation cannot change the split', async () => {
    const mixed = {
      task: 'mixed',
      options: { tasks: { needle: { task: 'needles-in-prose' } }, shared: { split: 'train' } },
    }
    expect(await notices(mixed)).toEqual([expect.stringMatching(/one\.needle with split: train/)])
    expect(await notices(mixed, { prose: { evaluationShare: 0 } })).toEqual([])
  })

  it.each(of('train-sft'))('keeps apart what is evaluated in %s', async (file, text) => {
    expect(await noticesOfSkills(parseSftConfig(text, file))).toEqual([])
  })
})
