/**
 * Tests the Tinker client with a real server: the conformance check, every promise of a policy in the encodings it speaks,
 * and reinforcement learning that is stopped and resumed. The server is first asked what it offers: all weights or LoRA, a
 * reference or none; what is missing is reported and not tested. Not part of the test suite, since a server has to be started
 * (docs/training.md says how).
 *
 *     npm run test:tinker -- --model FOLDER [--url http://127.0.0.1:8000] [--server skyrl-jax] [--tokenizer FOLDER]
 *
 * The model is named as the server does; its tokenizer is in that folder, or in another. A key is taken from TINKER_API_KEY.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createTinkerPolicy,
  parseRlConfig,
  type RlConfig,
  type RlEvent,
  type ServerProfile,
  tinkerProfiles,
  trainRl,
} from '@memagent/train'
import { policyContract } from '@memagent/train/testing'
import { askForOffers } from '../../packages/train/src/testing/server-offers.ts'
import { unboxed } from '../../packages/train/src/testing/short-training.ts'
import { task } from './letters.ts'

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8000' },
    server: { type: 'string', default: 'skyrl-jax' },
    tokenizer: { type: 'string' },
  },
})
const { model, url, server, tokenizer = model } = values
const profile: ServerProfile | undefined = Object.values(tinkerProfiles).find(({ name }) => name === server)
if (!model || !profile) {
  throw new Error(`Give --model FOLDER, and --server one of ${Object.keys(tinkerProfiles).join(', ')}.`)
}

const notices = new Set<string>()
const notice = (message: string) => {
  if (!notices.has(message)) console.log(`  (${message})`)
  notices.add(message)
}
const offers = await askForOffers({ baseUrl: url, profile, onNotice: notice }, model)
for (const missing of offers.missing) console.log(`missing ${missing}`)
const offered: ServerProfile = {
  ...profile,
  tuning: [offers.loraRank === 0 ? 'full' : 'lora'],
  reference: offers.hasReference ? 'base-sampler' : 'none',
}

const open = (wire: 'json' | 'proto', conformance: 'full' | 'none', restoreFrom?: string) =>
  createTinkerPolicy({
    baseModel: model,
    baseUrl: url,
    profile: { ...offered, wire },
    // LoRA's first half is random: the same seed gives the same weights.
    seed: 1,
    loraRank: offers.loraRank,
    conformance,
    restoreFrom,
    onNotice: notice,
  })

let failures = 0
async function check(name: string, run: () => Promise<void>): Promise<void> {
  const start = performance.now()
  try {
    await run()
    console.log(`ok      ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  } catch (error) {
    failures++
    console.log(`FAILED  ${name}: ${(error as Error).stack}`)
  }
}

await check(`it computes what the profile ${server} says`, async () =>
  (await open(profile.wire, 'full')).close(),
)
for (const wire of offers.wires) {
  const checks = policyContract({
    create: (restoreFrom) => open(wire, 'none', restoreFrom),
    // Every model has at least this many tokens.
    vocabularySize: 64,
    stopToken: 5,
    // Programs of different shapes round differently.
    tolerance: 1e-3,
    hasReference: offers.hasReference,
    reportsGradientNorm: offers.reportsGradientNorm,
    heedsWeightDecay: profile.optimizerFields.includes('weight_decay'),
  })
  for (const { name, run, skip } of checks) {
    if (skip === undefined) await check(`${wire}: a policy ${name}`, run)
    else console.log(`skipped ${wire}: a policy ${name}: ${skip}`)
  }
}
await check('it trains, stops and goes on', trainStopped)
if (failures > 0) process.exitCode = 1

async function trainStopped(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-tinker-'))
  try {
    const engine = {
      kind: 'tinker',
      baseModel: model,
      server: offered,
      baseUrl: url,
      tokenizer,
      loraRank: offers.loraRank,
    }
    const config = parseRlConfig(
      `
output: ${JSON.stringify(join(folder, 'run'))}
engine: ${JSON.stringify(engine)}
budget: { window: 2048, question: 32, chunk: 64, memory: 16, output: 16 }
task: { name: module }
curriculum: [{ steps: 3, lengths: [100] }]
rollouts: { groups: 2, groupSize: 4, draws: 2 }
loss: { klCoefficient: ${offers.hasReference ? 0.01 : 0} }
updates: 2
optimizer: { learningRate: 0.001, warmupSteps: 1 }
evaluation: { every: 3, samples: 4, lengths: [100] }
checkpointEvery: 1
`,
      'rl.yaml',
    )
    const first = await eventsUntil(config, ({ type, step }) => type === 'checkpoint-end' && step === 1)
    const second = await eventsUntil(config, () => false)
    let learned = 0
    assert.equal(stepsOf(first).join(), '1')
    assert.equal(stepsOf(second).join(), '2,3')
    for (const event of [...first, ...second]) {
      if (event.type !== 'step-end') continue
      const { reward, optimizerSteps, samplerMismatch } = event.metrics
      const off = samplerMismatch === undefined ? 'not asked' : `off by ${samplerMismatch.toExponential(1)}`
      console.log(
        `  step ${event.step}: reward ${reward.toFixed(3)}, ${optimizerSteps} optimizer steps, sampler ${off}`,
      )
      assert.ok((samplerMismatch ?? 0) < 0.01, 'sampler and trainer see other weights')
      learned += optimizerSteps
    }
    assert.ok(learned > 0, 'no step had signal: nothing was trained')
    assert.equal(second.at(-1)?.type, 'training-end')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function eventsUntil(
  config: RlConfig,
  isEnough: (event: RlEvent & { step?: number }) => boolean,
): Promise<RlEvent[]> {
  const events: RlEvent[] = []
  // A random model closes no box: whatever it says last is an answer.
  for await (const event of trainRl(config, { workflow: unboxed, task })) {
    events.push(event)
    if (isEnough(event)) break
  }
  return events
}

function stepsOf(events: readonly RlEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'step-end' ? [event.step] : []))
}
