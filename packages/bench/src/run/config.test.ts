import { fieldPaths } from '@memagent/core/testing'
import { describe, expect, it } from 'vitest'
import { parse, parseDocument } from 'yaml'
import { type BenchConfig, samplesAt } from './config.ts'
import { overrideConfig } from './override-config.ts'
import { parseBenchConfig } from './yaml-config.ts'

const yaml = `
output: runs/mine.jsonl
model: { name: 'openai:first', baseUrl: 'http://one/v1', temperature: 0, budget: { window: 4096 } }
lengths: [8k, 64k, 256k]
samples: { 64k: 64, 3.5m: 16 }
tasks:
  - { name: multi-hop, as: two-hop, options: { hops: 2 }, seen: false }
  - { name: niah-single-2, seen: true, lengths: [8k, 3.5m], samples: 5 }
  - multi-hop:hops=1
methods:
  - overwrite
  - { name: refine, maxLength: 128k }
  - bm25:k=8
prices: { prompt: 0.15, completion: 0.6 }
`
const parsed = () => parseBenchConfig(yaml, 'mine.yaml')

describe('a configuration', () => {
  it('describes a whole run', () => {
    expect(parsed()).toEqual({
      output: 'runs/mine.jsonl',
      seed: 1,
      model: { name: 'openai:first', baseUrl: 'http://one/v1', temperature: 0, budget: { window: 4096 } },
      lengths: [8000, 64_000, 256_000],
      samples: [
        { upTo: 64_000, samples: 64 },
        { upTo: 3_500_000, samples: 16 },
      ],
      tasks: [
        { name: 'multi-hop', as: 'two-hop', options: { hops: 2 }, seen: false },
        {
          name: 'niah-single-2',
          as: 'niah-single-2',
          options: {},
          seen: true,
          lengths: [8000, 3_500_000],
          samples: 5,
        },
        { name: 'multi-hop', as: 'multi-hop:hops=1', options: { hops: 1 } },
      ],
      methods: [
        { name: 'overwrite', options: {} },
        { name: 'refine', options: {}, maxLength: 128_000 },
        { name: 'bm25', options: { k: '8' } },
      ],
      ahead: 1,
      concurrency: 4,
      order: 'shortest',
      maxConsecutiveFailures: 20,
      prices: { prompt: 0.15, completion: 0.6, embedded: 0 },
    })
  })

  it('names every wrong field', () => {
    const wrong =
      'lengths: [8q]\nconcurrency: 0\ntasks: [{ name: x, sen: true }, { name: x, as: a/b }]\nfoo: 1'
    expect(() => parseBenchConfig(wrong, 'wrong.yaml')).toThrow(
      [
        'wrong.yaml is not a valid configuration of a benchmark:',
        'line 3: tasks.0.sen is unknown (did you mean seen?)',
        'line 3: tasks.1.as cannot be "a/b" (the name must not contain "/": choose another with `as`)',
        'line 1: lengths.0 cannot be "8q" ("8q" is not a valid document length.)',
        'line 2: concurrency cannot be 0 (it takes a whole number of at least 1)',
        'line 4: foo is unknown (known: output, seed, model,',
      ].join('\n  '),
    )
    expect(() => parseBenchConfig('a: [', 'broken.yaml')).toThrow(/broken\.yaml is not valid YAML/)
  })
})

it('every setting is named with line, value and what is allowed when it is wrong', () => {
  const all = `${yaml.replace(/^model: .*$/m, '')}
model: { name: openai:x, baseUrl: http://x, budget: { window: 1, chunk: 1 }, chunking: exact, temperature: 0, topP: 1 }
prose: folder
order: listed
maxConsecutiveFailures: 2
tokensPerSecond: 3
`
  const paths = fieldPaths(parse(all)).filter(
    // Options belong to tasks and methods; numbers by length are described as a whole.
    (path) => !path.slice(0, -1).some((name) => name === 'options' || name === 'samples'),
  )
  expect(paths.length).toBeGreaterThan(25)
  for (const path of paths) {
    const document = parseDocument(all)
    document.setIn(path, document.createNode([[null]]))
    expect(() => parseBenchConfig(document.toString(), 'x.yaml'), path.join('.')).toThrow(
      new RegExp(`\\n  line \\d+: ${path.join('\\.')}(\\.0)? cannot be .*null.* \\(.{4,}\\)`),
    )
  }
})

describe('samplesAt', () => {
  it('is the number of the shortest length that reaches as far', () => {
    const { samples } = parsed()
    expect([1, 64_000, 64_001, 3_500_000].map((length) => samplesAt(samples, length))).toEqual([
      64, 64, 16, 16,
    ])
    expect(() => samplesAt(samples, 3_500_001)).toThrow(/How many samples of 3500001 tokens/)
    expect(samplesAt(7, 1e9)).toBe(7)
  })
})

describe('overrides', () => {
  const overridden = (overrides: Parameters<typeof overrideConfig>[1]) => overrideConfig(parsed(), overrides)

  it('choose entries of the configuration by name, with all they say, or make new ones', async () => {
    const { tasks, methods } = await overridden({
      tasks: ['two-hop', 'variable-tracking'],
      methods: ['refine', 'bm25:k=8', 'bm25:k=2'],
    })
    expect(tasks).toEqual([
      { name: 'multi-hop', as: 'two-hop', options: { hops: 2 }, seen: false },
      { name: 'variable-tracking', as: 'variable-tracking', options: {} },
    ])
    expect(methods).toEqual([
      { name: 'refine', options: {}, maxLength: 128_000 },
      { name: 'bm25', options: { k: '8' } },
      { name: 'bm25', options: { k: '2' } },
    ])
  })

  it('know an entry by the name that records have, however its options are written', async () => {
    const config = parseBenchConfig(
      `methods:
  - { name: map-reduce, options: { chunk: 500, memory: 64 }, maxLength: 8k }
  - { name: overwrite, options: { memory: 64 }, maxLength: 8k }
  - { name: overwrite, options: { memory: 128 }, maxLength: 16k }
  - { name: bm25, options: { k: 8 } }
  - bm25`,
      'mine.yaml',
    )
    const most = async (method: string) =>
      (await overrideConfig(config, { methods: [method] })).methods.map(({ options, maxLength }) => [
        Object.values(options).join(),
        maxLength,
      ])
    expect(await most('map-reduce:memory=64,chunk=500')).toEqual([['500,64', 8000]])
    expect(await most('overwrite:memory=128')).toEqual([['128', 16_000]])
    expect(await most('overwrite')).toEqual([
      ['64', 8000],
      ['128', 16_000],
    ])
    expect(await most('bm25')).toEqual([['', undefined]])
    expect(await most('overwrite:memory=256')).toEqual([['256', undefined]])
  })

  it('put one number of samples, or one for each length, in the place of all others', async () => {
    const asked = ({ tasks, lengths, samples }: BenchConfig) =>
      tasks.map((task) => (task.lengths ?? lengths!).map((n) => [n, samplesAt(task.samples ?? samples, n)]))
    expect(asked(await overridden({ lengths: ['16k', '8k'], samples: [2, 4] }))).toEqual([
      [
        [16_000, 2],
        [8000, 4],
      ],
      [
        [16_000, 2],
        [8000, 4],
      ],
      [
        [16_000, 2],
        [8000, 4],
      ],
    ])
    expect(asked(await overridden({ samples: [3] }))[1]).toEqual([
      [8000, 3],
      [3_500_000, 3],
    ])
    await expect(overridden({ lengths: ['8k'], samples: [1, 2] })).rejects.toThrow(
      /2 numbers of samples for 1 lengths/,
    )
    await expect(overridden({ lengths: ['1k', '1000'], samples: [1, 2] })).rejects.toThrow(
      /two numbers of samples for 1000 tokens/,
    )
    const twice = yaml.replace('{ 64k: 64, 3.5m: 16 }', '{ 64k: 64, 64000: 16 }')
    expect(() => parseBenchConfig(twice, 'mine.yaml')).toThrow(/samples .*must name each length once/)
    const mistyped = yaml.replace('{ 64k: 64, 3.5m: 16 }', '{ 64k: 64, 1x: 2 }')
    expect(() => parseBenchConfig(mistyped, 'mine.yaml')).toThrow(
      'line 5: samples cannot be {"64k":64,"1x":2} ("1x" is not a valid document length.)',
    )
  })

  it.each([
    ['model.topP', { model: { topP: 95 } }],
    ['model.budget.window', { model: { budget: { window: 1.5 } } }],
    ['seed', { seed: Number.NaN }],
    ['prices.prompt', { prices: { prompt: -1 } }],
  ] as const)('are refused where a file would be: %s', async (field, overrides) => {
    await expect(overridden(overrides)).rejects.toThrow(
      `The command is not a valid configuration of a benchmark:\n  ${field} cannot be `,
    )
  })

  it('drop server, tokenizer and window of a model when another is named', async () => {
    expect((await overridden({ model: { name: 'openai:second' } })).model).toEqual({
      name: 'openai:second',
      temperature: 0,
      budget: {},
    })
    expect((await overridden({ model: { threads: 2, budget: { chunk: 5 } } })).model).toEqual({
      name: 'openai:first',
      baseUrl: 'http://one/v1',
      temperature: 0,
      threads: 2,
      budget: { window: 4096, chunk: 5 },
    })
  })

  it('leave the rest alone, and are enough without a file', async () => {
    expect(await overridden({})).toEqual(parsed())
    expect(await overridden({ seed: 9, prices: { prompt: 1 } })).toMatchObject({
      seed: 9,
      output: 'runs/mine.jsonl',
      prices: { prompt: 1, completion: 0.6, embedded: 0 },
    })
    expect(
      await overrideConfig(undefined, { tasks: ['a', 'b:x=1'], lengths: ['1k'], methods: ['c'] }),
    ).toMatchObject({
      tasks: [{ as: 'a' }, { as: 'b:x=1' }],
      lengths: [1000],
      samples: 64,
    })
  })
})
