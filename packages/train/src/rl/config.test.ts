import { describe, expect, it } from 'vitest'
import { checkRlConfig, parseRlConfig } from './config.ts'

describe('parseRlConfig', () => {
  it('names every wrong field', () => {
    expect(() => parseRlConfig('output: x\nsteps: 3\nrollouts: { groups: 0 }', 'bad.yaml')).toThrow(
      /bad.yaml is not a valid training configuration:[\s\S]*engine[\s\S]*rollouts.groups[\s\S]*steps/,
    )
  })

  const yamlOf = (engine: string, rollouts: string, loss = '') => `
output: x
engine: { ${engine} }
task: { name: facts-in-prose }
curriculum: [{ steps: 1, lengths: [12] }]
rollouts: { groups: 2, groupSize: 3, ${rollouts} }
loss: { ${loss} }
optimizer: { learningRate: 0.01 }
evaluation: { every: 2, samples: 4, lengths: [12] }`
  const configOf =
    (...parts: Parameters<typeof yamlOf>) =>
    () =>
      parseRlConfig(yamlOf(...parts), 'x.yaml')
  const embedded = 'kind: embedded, startFrom: x'
  const server = 'kind: tinker, baseModel: a/model, server: skyrl-gpu, tokenizer: x'

  it('refuses step rewards of which rewrites get nothing', () => {
    const steps = 'kind: embedded, startFrom: x }\nreward: { metric: strict, steps: { name: memory-recall }'
    expect(configOf(steps, '', 'credit: split')().loss.credit).toBe('split')
    expect(configOf(steps, '', 'credit: final')).toThrow(/loss.credit cannot be "?final"? .*reward.steps/)
  })

  it.each([
    [embedded, 'topP: 0.95', /rollouts.topP cannot be 0.95 .must be 1: tokens that top-p cuts off/],
    [server, 'topP: 0.95', /rollouts.topP cannot be 0.95 .must be 1: tokens that top-p cuts off/],
    [embedded, 'temperature: 0', /rollouts.temperature/],
    [
      server,
      'temperature: 0.7',
      /rollouts.temperature cannot be 0.7 .must be 1 with a Tinker server: it computes/,
    ],
  ])('with %s refuses rollouts with %s, and says why', (engine, rollouts, message) => {
    expect(configOf(engine, rollouts)).toThrow(message)
  })

  it('refuses an output without a name, and a length that would be evaluated twice', () => {
    const yaml = yamlOf(embedded, '')
    const [unnamed, twice] = [
      yaml.replace('output: x', 'output: ""'),
      yaml.replace('samples: 4, lengths: [12]', 'samples: 4, lengths: [12, 24, 12]'),
    ]
    expect(() => parseRlConfig(unnamed, 'x.yaml')).toThrow(/output cannot be "".*not empty/)
    expect(() => parseRlConfig(twice, 'x.yaml')).toThrow(/evaluation\.lengths .*must name each length once/)
  })

  it('refuses to divide by the deviation of a group that is not its baseline', () => {
    const loss = (text: string) => configOf(embedded, '', text)
    expect(loss('baseline: none, normalization: deviation')).toThrow(
      /loss.normalization[\s\S]*without a baseline/,
    )
    expect(loss('baseline: none')().loss).toMatchObject({ baseline: 'none', normalization: 'none' })
  })

  it('refuses the log-probabilities of the start for those of the policy', () => {
    const configWith = (rollouts: string, loss: string) => configOf(embedded, rollouts, loss)
    expect(configWith('from: start', 'rescore: false')).toThrow(
      /loss\.rescore cannot be false .must be true where rollouts\.from is start/,
    )
    expect(() => checkRlConfig({ ...configWith('from: start', '')(), loss: { rescore: false } })).toThrow(
      /loss\.rescore/,
    )
    expect(configWith('from: start', '')().loss.rescore).toBeUndefined()
    expect(configWith('from: start', 'rescore: true')().loss.rescore).toBe(true)
    expect(configWith('from: policy', 'rescore: false')().loss.rescore).toBe(false)
  })

  it('refuses what another setting contradicts', () => {
    const configWith = (setting: string) => () => parseRlConfig(yamlOf(embedded, ''), 'x.yaml', [setting])
    expect(configWith('loss.constantLength=100')).toThrow(
      /loss\.constantLength cannot be 100 .is of conversation-sum, and loss\.aggregation is token-mean/,
    )
    expect(configWith('loss={aggregation: conversation-sum, constantLength: 100}')).not.toThrow()
    expect(configWith('optimizer.finalLearningRate=1')).toThrow(
      /optimizer\.finalLearningRate cannot be 1 .must be at most optimizer\.learningRate, which is 0\.01/,
    )
    expect(configWith('optimizer.finalLearningRate=0.01')).not.toThrow()
    expect(configWith('reward.added=[format, format]')).toThrow(/reward\.added cannot .*names a reward twice/)
    expect(configWith('reward.added=[format, exit]')).not.toThrow()
  })

  it('accepts rollouts at the temperature that is learned', () => {
    expect(configOf(embedded, 'temperature: 0.7, topP: 1')().rollouts).toMatchObject({
      temperature: 0.7,
      topP: 1,
    })
    expect(configOf(server, 'temperature: 1')().rollouts.temperature).toBe(1)
  })
})
