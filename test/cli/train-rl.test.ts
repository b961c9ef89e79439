/** Reinforcement training that is killed at any moment and started again ends with the weights of one that was not. */
import type { ChildProcess } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { createRandom } from '@memagent/tasks'
import { writeTinyReader } from '@memagent/train/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CommandResult, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
beforeAll(async () => {
  const budget = { window: 448, question: 128, chunk: 160, memory: 24, output: 24 }
  await writeTinyReader(folder.join('reader'), { budget })
})

/** The installed prose takes seconds to find at every start. */
const prose = join(import.meta.dirname, '../../recipes/prose/state-of-the-union')

/** A random reader answers nothing right; its rollouts differ in how long their notes are. */
async function configOf(name: string): Promise<string> {
  const path = folder.join(`${name}.yaml`)
  await writeFile(
    path,
    `
output: ${folder.join(name)}
engine: { kind: embedded, startFrom: ${folder.join('reader')}, threads: 1, batchTokens: 1024 }
task: { name: facts-in-prose, prose: ${prose}, options: { decoysPer200k: 0 } }
curriculum: [{ steps: 8, lengths: [400] }]
rollouts: { groups: 2, groupSize: 3 }
reward: { overlong: { buffer: 22, coefficient: 1 } }
loss: { klCoefficient: 0.01 }
updates: 2
optimizer: { learningRate: 0.003, warmupSteps: 2 }
evaluation: { every: 3, samples: 2, lengths: [400] }
checkpointEvery: 1
`,
  )
  return path
}
const train = (config: string, onStart?: (child: ChildProcess) => void) =>
  runCommand(['train', 'rl', '--config', config, '--events'], onStart && { onStart })
const weightsOf = async (name: string) => (await loadModelFolder(folder.join(name, 'model'))).weights

it('survives kills at random moments', { timeout: 180_000 }, async () => {
  const random = createRandom('train-rl-kills')
  expect((await train(await configOf('undisturbed'))).code).toBe(0)
  const config = await configOf('killed')
  // Counted in events, so that kills hit every phase even on a busy machine that starts slowly.
  const killOnce = (child: ChildProcess) => {
    const after = random.int(6)
    let events = 0
    child.stdout!.on('data', (data) => {
      events += String(data).split('\n').length - 1
      if (events > after) killAfter(child, random.int(400))
    })
    if (after === 0) killAfter(child, random.int(600))
  }
  let [kills, result] = [0, await train(config, killOnce)]
  while (result.signal === 'SIGKILL') {
    kills++
    result = await train(config, kills < 6 ? killOnce : undefined)
  }
  expect(result.stderr).toMatch(/The model is saved in/)
  expect(result.code).toBe(0)
  expect(kills).toBeGreaterThan(3)
  const [expected, weights] = [await weightsOf('undisturbed'), await weightsOf('killed')]
  const initial = (await loadModelFolder(folder.join('reader'))).weights
  let changed = 0
  for (const [name, values] of weights) {
    expect(Buffer.compare(Buffer.from(values.buffer), Buffer.from(expected.get(name)!.buffer)), name).toBe(0)
    if (values.some((value, i) => value !== initial.get(name)![i])) changed++
  }
  expect(changed).toBeGreaterThan(5)
  const log = (await readFile(folder.join('killed', 'metrics.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(log[0]).toMatchObject({ type: 'training-start', program: expect.stringMatching(/^\d+\.\d+\.\d+/) })
  expect(log[0].startFrom).toMatch(/^weights sha256:[0-9a-f]{64}$/)
  const steps = log.filter(({ type }) => type === 'step-end').map(({ step }) => step)
  expect(steps).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
})

it('refuses a folder that another training writes to', { timeout: 60_000 }, async () => {
  const config = await configOf('shared')
  let refused: Promise<CommandResult> | undefined
  const first = await runCommand(['train', 'rl', '--config', config, '--events'], {
    onStart: (child) => {
      child.stdout!.on('data', () => {
        refused ??= train(config)
      })
    },
  })
  expect(first.code).toBe(0)
  expect(await refused).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/shared is in use by another run/),
  })
})

function killAfter(child: ChildProcess, milliseconds: number): void {
  setTimeout(() => child.kill('SIGKILL'), milliseconds).unref()
}
