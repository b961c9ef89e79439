/** The whole loop of reinforcement learning over the Tinker protocol: rollouts, updates, evaluation, kill and resume. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTextDocument, type HuggingFaceTokenizer, type ModelProfile } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { createRandom, type Task } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { unboxed } from '../testing/short-training.ts'
import type { Fault } from '../tinker/testing/faults.ts'
import { type ProtocolServer, startProtocolServer } from '../tinker/testing/protocol-server.ts'
import { serverBehaviours } from '../tinker/testing/server-behaviour.ts'
import { openTestPolicy } from '../tinker/testing/test-policy.ts'
import { parseRlConfig, type RlConfig } from './config.ts'
import type { TrainingEngine } from './engine.ts'
import type { RlEvent } from './events.ts'
import type { ReaderTokens } from './reader-tokens.ts'
import { trainRl } from './trainer.ts'

/** A character is a token: the server's model knows 64 of them. */
const alphabet = ' abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.|?{}\\0123'
const tokenizer: HuggingFaceTokenizer = {
  name: 'characters',
  isExact: true,
  count: (text) => text.length,
  encode: (text) => Array.from(text, (character) => Math.max(1, 1 + alphabet.indexOf(character))),
  decode: (ids) => ids.map((id) => alphabet[id - 1] ?? '').join(''),
  idOf: (token) => alphabet.indexOf(token) + 1 || undefined,
}
const tokens: ReaderTokens = {
  tokenizer,
  endToken: 0,
  conversation: {
    prompt: (messages) => ({ text: messages[0]!.content, tokens: tokenizer.encode(messages[0]!.content) }),
    response: () => [],
  },
}
const profile: ModelProfile = {
  name: 'characters',
  budget: { window: 48, question: 6, chunk: 12, memory: 8, output: 8 },
  chunking: 'exact',
  prompts: {
    name: 'characters',
    templates: {
      emptyMemory: 'none',
      update: '{question}|{memory}|{section}|',
      note: '{memory}|{section}|',
      answer: '{question}|{memory}|',
    },
    markers: ['|'],
  },
}
const task: Task = {
  name: 'letters',
  async sample({ index, lengthTokens }) {
    const random = createRandom('letters', index)
    const text = Array.from({ length: lengthTokens }, () => alphabet[1 + random.int(26)]).join('')
    return {
      id: String(index),
      question: 'who?',
      document: createTextDocument(text, `letters-${index}`),
      references: ['a'],
      match: 'any',
      evidence: [],
      labels: {},
    }
  },
  // A random model does this now and then.
  score: (_, answer) => ({ strict: Number(/^[a-m]/i.test(answer ?? '')) }),
}

const folder = temporaryFolder(beforeAll, afterAll)
const servers: ProtocolServer[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

const configOf = (name: string): RlConfig =>
  parseRlConfig(
    `
output: ${folder.join(name)}
engine: { kind: tinker, baseModel: tiny-qwen3, server: skyrl-jax, tokenizer: none }
task: { name: facts-in-prose }
curriculum: [{ steps: 3, lengths: [24] }]
rollouts: { groups: 2, groupSize: 4 }
loss: { klCoefficient: 0.01 }
updates: 2
optimizer: { learningRate: 0.01, warmupSteps: 1 }
evaluation: { every: 3, samples: 3, lengths: [24] }
checkpointEvery: 1`,
    name,
  )

async function run(
  config: RlConfig,
  server: ProtocolServer,
  until: (event: RlEvent) => boolean = () => false,
  signal?: AbortSignal,
): Promise<RlEvent[]> {
  const engine: TrainingEngine = {
    tokens,
    profile,
    isRemote: true,
    parameters: undefined,
    identity: 'tiny',
    createPolicy: async (restoreFrom) =>
      (await openTestPolicy('skyrl-jax', { server, restoreFrom, conformance: 'none' })).policy,
  }
  const events: RlEvent[] = []
  for await (const event of trainRl(config, { engine, workflow: unboxed, task, signal })) {
    events.push(event)
    if (until(event)) break
  }
  return events
}
async function start(): Promise<ProtocolServer> {
  const server = await startProtocolServer({ ...serverBehaviours['skyrl-jax'], maxModels: 8 })
  servers.push(server)
  return server
}

/** The saved states of the model that this state belongs to. */
async function statesOn(server: ProtocolServer, state: string): Promise<string[]> {
  const model = state.split('/')[2]
  const answer = await fetch(`${server.baseUrl}/api/v1/training_runs/${model}/checkpoints`)
  const { checkpoints } = (await answer.json()) as {
    checkpoints: { checkpoint_type: string; tinker_path: string }[]
  }
  return checkpoints
    .filter((checkpoint) => checkpoint.checkpoint_type === 'training')
    .map((checkpoint) => checkpoint.tinker_path)
    .sort()
}

describe('reinforcement learning over the Tinker protocol', () => {
  it('trains, evaluates, saves, and lets go of the model', { timeout: 60_000 }, async () => {
    const server = await start()
    const events = await run(configOf('whole'), server)
    expect(events.map(({ type }) => type)).toEqual([
      'training-start',
      'evaluation-end',
      'step-end',
      'checkpoint-end',
      'step-end',
      'checkpoint-end',
      'step-end',
      'evaluation-end',
      'checkpoint-end',
      'training-end',
    ])
    const steps = events.flatMap((event) => (event.type === 'step-end' ? [event.metrics] : []))
    expect(steps.some(({ groupsWithSignal }) => groupsWithSignal > 0)).toBe(true)
    for (const metrics of steps) {
      // Two updates, or none if there was nothing to learn from.
      expect(metrics.optimizerSteps).toBe(metrics.groupsWithSignal > 0 ? 2 : 0)
      if (metrics.optimizerSteps > 0) expect(metrics.samplerMismatch).toBeLessThan(1e-3)
      else expect(metrics.samplerMismatch).toBeUndefined()
      // Two updates a step, and ratios that move only after the first.
      expect(metrics.conversationsPerRollout).toBeGreaterThanOrEqual(2)
    }
    const optimizerSteps = steps.reduce((sum, metrics) => sum + metrics.optimizerSteps, 0)
    expect(server.callsOf('optim_step').length).toBe(optimizerSteps)
    expect(server.callsOf('unload_model').length).toBeGreaterThan(0)
  })

  it('keeps the best weights beside the last, and reports where', { timeout: 60_000 }, async () => {
    const server = await start()
    const config = configOf('best')
    const events = await run(config, server)
    const [first] = events.filter(({ type }) => type === 'evaluation-end')
    expect(first).toMatchObject({ isBest: true, bestState: expect.stringMatching(/best-state/) })
    expect(server.callsOf('save_weights').map(({ body }) => (body as { path: string }).path)).toContain(
      'best-state',
    )
    const { best, policy } = JSON.parse(await readFile(join(config.output, 'run.json'), 'utf8'))
    expect(events.at(-1)).toMatchObject({ state: policy, bestState: best.state })
    // Training can resume from it, as from any state.
    const restored = await openTestPolicy('skyrl-jax', {
      server,
      restoreFrom: best.state,
      conformance: 'none',
    })
    await restored.policy.close()
  })

  it('leaves two states on the server, the last and the best', { timeout: 60_000 }, async () => {
    const server = await start()
    const config = configOf('states')
    // The first call to delete fails, and is repeated later.
    let deletions = 0
    server.setFaults(({ method }) =>
      method === 'DELETE' && deletions++ === 0 ? { kind: 'status', status: 503 } : undefined,
    )
    await run(config, server)
    expect(deletions).toBeGreaterThan(2)
    const { best, policy } = JSON.parse(await readFile(join(config.output, 'run.json'), 'utf8'))
    expect(await statesOn(server, policy)).toEqual([...new Set([best.state, policy])].sort())

    // States from before a start are not deleted: a copy of the folder may resume from them.
    await run({ ...config, curriculum: config.curriculum.map((stage) => ({ ...stage, steps: 5 })) }, server)
    expect(await statesOn(server, policy)).toContain(policy)
  })

  it('saves its last whole step when it is stopped', { timeout: 60_000 }, async () => {
    const server = await start()
    const config = { ...configOf('stopped'), checkpointEvery: 100 }
    const controller = new AbortController()
    const stopped = run(
      config,
      server,
      // Before the rollouts of step 2 are done.
      (event) => {
        if (event.type === 'step-end') setTimeout(() => controller.abort(new Error('stopped')), 5)
        return false
      },
      controller.signal,
    )
    await expect(stopped).rejects.toThrow('stopped')
    const { step } = JSON.parse(await readFile(join(config.output, 'run.json'), 'utf8'))
    expect(step).toBe(1)
    const events = await run(config, server)
    expect(events[0]).toMatchObject({ type: 'training-start', step: 1 })
    expect(events.at(-1)).toMatchObject({ type: 'training-end', step: 3 })
  })

  it('resumes after a kill, through throttling, slow futures, lost answers and a restart', {
    timeout: 60_000,
  }, async () => {
    const server = await start()
    const config = configOf('faults')
    const random = createRandom('faults')
    const faults: readonly Fault[] = [
      { kind: 'status', status: 429, headers: { 'retry-after': '0' } },
      { kind: 'status', status: 408 },
      { kind: 'status', status: 503 },
      { kind: 'lose-answer' },
      { kind: 'reset' },
    ]
    server.setFaults(({ name }) =>
      name !== 'create_session' && random.chance(0.08) ? random.pick(faults) : undefined,
    )
    await run(config, server, ({ type }) => type === 'checkpoint-end')
    let done = 0
    const events = await run(config, server, ({ type }) => {
      // Requests under way are sent again.
      if (type === 'step-end' && ++done === 1) server.forgetFutures()
      return false
    })
    expect(events.at(-1)?.type).toBe('training-end')
    const records = await readMetrics(join(config.output, 'metrics.jsonl'))
    expect(records.filter(({ type }) => type === 'step-end').map(({ step }) => step)).toEqual([1, 2, 3])
  })
})
