/** Every configuration that the project shows is one that the commands take. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import {
  createPlan,
  estimateBenchmark,
  parseBenchConfig,
  parseReportConfig,
  runBenchmark,
  writeReports,
} from '@memagent/bench'
import { canonicalJson, createScriptedModel, workflowNames } from '@memagent/core'
import { createFolderProse } from '@memagent/tasks'
import { dryRun, parseRlConfig, parseSftConfig } from '@memagent/train'
import { afterAll, describe, expect, it } from 'vitest'
import { readSampleRecord } from '../packages/tasks/src/testing/recorded-samples.ts'

const root = resolve(import.meta.dirname, '..')
const recipes = readdirSync(join(root, 'recipes'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => [`recipes/${name}`, readFileSync(join(root, 'recipes', name), 'utf8')] as const)
const examples = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((name) => {
    const text = readFileSync(join(root, 'docs', name), 'utf8')
    return [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(
      ([, yaml], i) => [`docs/${name} ${i}`, yaml!] as const,
    )
  })
  // Some show only a part.
  .filter(([, yaml]) => /^output:/m.test(yaml))

const isReport = (yaml: string) => /^(pages|reports):/m.test(yaml)

describe('configurations', () => {
  it.each(recipes.filter(([, yaml]) => isReport(yaml)))('%s', (name, yaml) => {
    const { pages, reports } = parseReportConfig(yaml, name)
    expect(pages.length + reports.length).toBeGreaterThan(0)
  })

  it.each([...recipes, ...examples].filter(([, yaml]) => !isReport(yaml)))('%s', (name, yaml) => {
    const parse = /^methods:/m.test(yaml)
      ? parseBenchConfig
      : /^engine:/m.test(yaml)
        ? parseRlConfig
        : parseSftConfig
    expect(parse(yaml, name).output).not.toBe('')
  })
})

it('every benchmark hides things in prose of the repository, which no upgrade changes', async () => {
  const folder = 'recipes/prose/state-of-the-union'
  const benchmarks = recipes.filter(([, yaml]) => /^methods:/m.test(yaml))
  expect(benchmarks.map(([name, yaml]) => [name, parseBenchConfig(yaml, name).prose])).toEqual(
    benchmarks.map(([name]) => [name, folder]),
  )
  const { name, uniqueBytes, fingerprint } = await createFolderProse(join(root, folder))
  // Records continue only with these values: a change of the files, or of how they are cut into paragraphs, ends them all.
  expect([name, fingerprint]).toEqual([
    'state-of-the-union',
    '866a0714839bf9ae9d246b7df6c7a6e6db5f9968f0969b5fd5c3e103656861d8',
  ])
  expect(uniqueBytes).toBeGreaterThan(5e6)
})

it('has hashes of the samples of every recipe', async () => {
  const { entries } = await readSampleRecord()
  const recorded = new Set(entries.map(({ task, options }) => canonicalJson([task, options])))
  const asked = recipes.flatMap(([name, yaml]) => {
    if (/^methods:/m.test(yaml)) {
      return parseBenchConfig(yaml, name).tasks.map(({ name, options }) => [name, options])
    }
    if (!/^engine:/m.test(yaml)) return []
    const { task } = parseRlConfig(yaml, name)
    return [
      [task.name, task.options],
      [task.name, { ...task.options, ...task.evaluationOptions }],
    ]
  })
  expect(asked.length).toBeGreaterThan(20)
  // To record more: see test/samples/check.ts.
  expect(asked.map(canonicalJson).filter((task) => !recorded.has(task))).toEqual([])
})

describe('the matrix of the bundled model', () => {
  const files = ['matrix.yaml', 'matrix-overwrite.yaml']
  const configs = files.map((name) =>
    parseBenchConfig(readFileSync(join(root, 'recipes/bench', name), 'utf8'), name),
  )

  it('asks both weights the same questions', () => {
    const [bundled, overwrite] = configs.map(({ tasks, prose, seed, lengths, samples }) => ({
      ...{ tasks, prose, seed, lengths, samples },
    }))
    expect(overwrite).toEqual(bundled)
    expect(configs[0]!.output).not.toBe(configs[1]!.output)
  })

  it('asks other ways to read the same questions at its two greatest lengths', () => {
    const name = 'matrix-long.yaml'
    const long = parseBenchConfig(readFileSync(join(root, 'recipes/bench', name), 'utf8'), name)
    const { output, prose, seed, tasks } = configs[0]!
    const asked = tasks.flatMap(({ lengths: all = [], ...task }) => {
      const lengths = all.filter((length) => length >= 512_000)
      if (lengths.length === 0) return []
      return [lengths.length === 1 ? task : { ...task, lengths }]
    })
    expect(long).toMatchObject({ output, prose, seed, lengths: [512_000], tasks: asked })
  })

  it('takes at most thirty hours by its estimate, with every workflow at 8,000 tokens and all but one at 64,000', async () => {
    const plans = await Promise.all(
      configs.map((config, i) => {
        const folder = ['models/nano', 'recipes/nano/overwrite'][i]!
        const profile = JSON.parse(readFileSync(join(root, folder, 'profile.json'), 'utf8'))
        return createPlan(config, { model: createScriptedModel([], { profile }) })
      }),
    )
    const [bundled, overwrite] = await Promise.all(
      plans.map((plan, i) => estimateBenchmark(plan, configs[i]!.tokensPerSecond)),
    )
    expect(bundled!.seconds! + overwrite!.seconds!).toBeLessThan(30 * 3600)
    const at = ({ groups }: NonNullable<typeof bundled>, length: number) =>
      groups.filter(({ lengthTokens }) => lengthTokens === length).map(({ method }) => method)
    for (const length of [8000, 64_000]) {
      const asked = workflowNames.filter((name) => length === 8000 || name !== 'edits-confirmed')
      // A smaller chunk makes room for a second memory.
      expect(at(bundled!, length).map((method) => method.replace(':chunk=192', ''))).toEqual(
        expect.arrayContaining([...asked, 'map-reduce', 'bm25', 'bm25:rounds=2', 'truncate']),
      )
    }
    for (const length of [512_000, 3_500_000]) {
      expect(at(bundled!, length)).toEqual(['edits', 'bm25', 'bm25:rounds=2'])
      expect(at(overwrite!, length)).toEqual(['overwrite', 'map-reduce', 'bm25', 'bm25:rounds=2'])
    }
    const asked = (length: number) =>
      plans[0]!.tasks.flatMap(({ lengths }) => lengths.filter(({ lengthTokens }) => lengthTokens === length))
    expect(asked(512_000).map(({ samples }) => samples)).toEqual(Array(10).fill(32))
    expect(asked(3_500_000).map(({ samples }) => samples)).toEqual([64, 64])
  })

  it('is reported over tasks that it asks, at lengths that they have', () => {
    const name = 'matrix-report.yaml'
    const { pages } = parseReportConfig(readFileSync(join(root, 'recipes/bench', name), 'utf8'), name)
    const [section] = pages[0]!.sections
    if (section?.kind !== 'comparison') return expect.unreachable()
    const { tasks, lengths: usual } = configs[0]!
    for (const { tasks: named = [], lengths = [] } of Object.values(section.groups!)) {
      for (const name of named) {
        const task = tasks.find(({ as }) => as === name)
        expect(task?.lengths ?? usual, name).toEqual(expect.arrayContaining([...lengths]))
      }
      expect(named.length).toBeGreaterThan(5)
    }
  })
})

const folder = mkdtempSync(join(tmpdir(), 'memagent-recipes-'))
afterAll(() => rmSync(folder, { recursive: true }))

it.each([
  ['recipes/bench/report.yaml', 'README.md'],
  ['recipes/nano/report.yaml', 'models/nano/README.md'],
])(
  '%s finds the tables in %s as the recorded lines give them',
  async (name, file) => {
    const { pages } = parseReportConfig(readFileSync(join(root, name), 'utf8'), name)
    const shown = readFileSync(join(root, file), 'utf8')
    const copy = join(folder, 'page.md')
    writeFileSync(copy, shown)
    await writeReports({ pages: pages.map((page) => ({ ...page, file: copy })), reports: [] })
    expect(new Set(pages.map((page) => page.file))).toEqual(new Set([file]))
    expect(readFileSync(copy, 'utf8')).toBe(shown)
  },
  240_000,
)

describe('ten steps of rewards', () => {
  const own = recipes.filter(
    ([name, yaml]) => name.startsWith('recipes/workflows/') && /^engine:/m.test(yaml),
  )
  const readme = readFileSync(join(root, 'recipes/workflows/README.md'), 'utf8')

  it.each(own)('%s fits its window with every conversation', async (name, yaml) => {
    const config = parseRlConfig(yaml, name)
    const engine = { ...config.engine, startFrom: join(root, 'models/nano') } as typeof config.engine
    const { steps, step } = await dryRun({ ...config, engine })
    expect(steps).toBe(10)
    expect(step.longestConversation).toBeLessThanOrEqual(config.budget!.window)
  })

  it.each(own)(
    '%s improved its reward on questions that were not trained on, as its page says',
    async (name) => {
      const workflow = basename(name, '.yaml')
      const log = readFileSync(join(root, `recipes/workflows/results/${workflow}.jsonl`), 'utf8')
      const evaluations = log
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
        .filter(({ type }) => type === 'evaluation-end')
      expect(evaluations.map(({ step }) => step)).toEqual([0, 10])
      const [before, after] = evaluations.map(({ results }): readonly number[] => results[0].scores)
      const mean = (values: readonly number[]) =>
        values.reduce((sum, value) => sum + value, 0) / values.length
      const gains = after!.map((score, i) => score - before![i]!)
      const [gain, n] = [mean(gains), gains.length]
      const error = Math.sqrt(mean(gains.map((one) => (one - gain) ** 2)) / (n - 1))
      const [low, high] = [gain - 1.96 * error, gain + 1.96 * error]
      expect(low).toBeGreaterThan(0)
      const told = [mean(before!), mean(after!), gain, low, high].map((value) => value.toFixed(3))
      const row = readme.split('\n').find((line) => line.includes(`(${workflow}.yaml)`))
      expect(row).toContain(`| ${n} | ${told[0]} | ${told[1]} | ${told[2]} [${told[3]}, ${told[4]}] |`)
    },
  )
})

describe('ablations', () => {
  it.each(recipes.filter(([name]) => name.startsWith('recipes/ablations/')))(
    "%s fits the paper's window with every method",
    async (name, yaml) => {
      const model = createScriptedModel(
        ({ messages }) => (messages[0]!.content.includes('<section>') ? 'A note.' : '\\boxed{unknown}'),
        { contextWindow: 8192 },
      )
      const plan = await createPlan(parseBenchConfig(yaml, name), { model })
      expect((await estimateBenchmark(plan)).samples).toBeGreaterThanOrEqual(1000)
      // Methods other than workflows refuse what does not fit only when they read a document.
      const lengths = [{ lengthTokens: 8000, samples: 1 }]
      const tasks = plan.tasks.map((task) => ({ ...task, lengths }))
      const output = join(folder, `${name.replaceAll('/', '-')}.jsonl`)
      const { samples, errors } = await runBenchmark({ ...plan, tasks, output })
      expect(errors).toEqual({})
      expect(samples).toBe(plan.tasks.length * plan.methods.length)
    },
  )
})
