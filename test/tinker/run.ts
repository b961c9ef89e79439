/**
 * Holds the Tinker client to a real server: the conformance check, every promise of a policy in both encodings, and
 * reinforcement learning that is stopped and gone on with. Not part of the test suite, since a server has to be started
 * (docs/training.md says how).
 *
 *     npm run test:tinker -- --model FOLDER [--url http://127.0.0.1:8000] [--server skyrl-jax]
 *
 * The model's folder has its tokenizer, and is what the server calls the model. A key is taken from TINKER_API_KEY.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  createTinkerPolicy,
  type RlEvent,
  type ServerProfile,
  tinkerProfiles,
  trainRlFromConfig,
} from '@memagent/train'
import { policyContract } from '../../packages/train/src/testing/policy-contract.ts'

const { values } = parseArgs({
  options: {
    model: { type: 'string' },
    url: { type: 'string', default: 'http://127.0.0.1:8000' },
    server: { type: 'string', default: 'skyrl-jax' },
  },
})
const { model, url, server } = values
const profile: ServerProfile | undefined = Object.values(tinkerProfiles).find(({ name }) => name === server)
if (!model || !profile) {
  throw new Error(`Give --model FOLDER, and --server one of ${Object.keys(tinkerProfiles).join(', ')}.`)
}

const open = (wire: 'json' | 'proto', conformance: 'full' | 'none', restoreFrom?: string) =>
  createTinkerPolicy({
    baseModel: model,
    baseUrl: url,
    profile: { ...profile, wire },
    // LoRA's first half is random: the same seed gives the same weights.
    seed: 1,
    loraRank: profile.tuning.includes('lora') ? 8 : 0,
    conformance,
    restoreFrom,
    onNotice: notice,
  })

const notices = new Set<string>()
function notice(message: string): void {
  if (!notices.has(message)) console.log(`  (${message})`)
  notices.add(message)
}

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

await check(`it computes what the profile ${server} says`, async () => (await open('json', 'full')).close())
for (const wire of ['json', 'proto'] as const) {
  const checks = policyContract({
    create: (restoreFrom) => open(wire, 'none', restoreFrom),
    vocabularySize: 256,
    stopToken: 5,
    // Programs of different shapes round differently.
    tolerance: 1e-3,
  })
  for (const { name, run } of checks) await check(`${wire}: a policy ${name}`, run)
}
await check('it trains, stops and goes on', trainStopped)
if (failures > 0) process.exitCode = 1

async function trainStopped(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-tinker-'))
  try {
    const config = join(folder, 'rl.yaml')
    const engine = { kind: 'tinker', baseModel: model, server, baseUrl: url, tokenizer: model, loraRank: 8 }
    writeFileSync(
      config,
      `
output: ${JSON.stringify(join(folder, 'run'))}
engine: ${JSON.stringify(engine)}
budget: { window: 2048, question: 32, chunk: 64, memory: 16, output: 16 }
task: { name: module, options: { path: ${JSON.stringify(join(import.meta.dirname, 'letters.ts'))} } }
curriculum: [{ steps: 3, lengths: [100] }]
rollouts: { groups: 2, groupSize: 4, draws: 2 }
loss: { klCoefficient: 0.01 }
updates: 2
optimizer: { learningRate: 0.001, warmupSteps: 1 }
evaluation: { every: 3, samples: 4, lengths: [100] }
checkpointEvery: 1
`,
    )
    const first = await eventsUntil(config, ({ type, step }) => type === 'checkpoint-end' && step === 1)
    const second = await eventsUntil(config, () => false)
    assert.equal(stepsOf(first).join(), '1')
    assert.equal(stepsOf(second).join(), '2,3')
    for (const event of [...first, ...second]) {
      if (event.type !== 'step-end') continue
      const { reward, samplerMismatch = 0 } = event.metrics
      console.log(
        `  step ${event.step}: reward ${reward.toFixed(3)}, sampler off by ${samplerMismatch.toExponential(1)}`,
      )
      assert.ok(samplerMismatch < 0.01, 'sampler and trainer see other weights')
    }
    assert.equal(second.at(-1)?.type, 'training-end')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function eventsUntil(
  config: string,
  isEnough: (event: RlEvent & { step?: number }) => boolean,
): Promise<RlEvent[]> {
  const events: RlEvent[] = []
  for await (const event of trainRlFromConfig(config)) {
    events.push(event)
    if (isEnough(event)) break
  }
  return events
}

function stepsOf(events: readonly RlEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'step-end' ? [event.step] : []))
}
