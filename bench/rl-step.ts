/**
 * What a step of reinforcement learning costs with the bundled model: tokens per second, the shares of its phases, and the
 * time in which no thread is in a call of the runtime (reading loop, tokenizer, sampling, verifier, packing, losses).
 *
 *   npm run bench:rl [-- --steps 6]
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type StepMetrics, trainRlFromConfig } from '@memagent/train'
import { readRuntimeClock } from './runtime-clock.ts'

const { values: options } = parseArgs({
  options: {
    config: { type: 'string', default: 'recipes/nano/rl.yaml' },
    steps: { type: 'string', default: '6' },
    set: { type: 'string', multiple: true, default: [] },
  },
})

const output = await mkdtemp(join(tmpdir(), 'rl-step-'))
/** Seconds. */
const measured: { metrics: StepMetrics; runtime: number; loading: number }[] = []
try {
  const events = trainRlFromConfig(options.config, {
    settings: [
      `output=${output}`,
      // The first step compiles shapes and is left out.
      `curriculum.0.steps=${Number(options.steps) + 1}`,
      'evaluation.samples=1',
      'evaluation.every=100000',
      'checkpointEvery=100000',
      ...options.set,
    ],
  })
  for await (const event of events) {
    const clock = readRuntimeClock()
    const [runtime, loading] = [clock.busyMs / 1000, clock.loadingMs / 1000]
    if (event.type === 'step-end') {
      measured.push({ metrics: event.metrics, runtime, loading })
      const { total } = event.metrics.seconds
      process.stderr.write(
        `step ${event.step}: ${total.toFixed(1)} s, outside the runtime ${(100 * (1 - runtime / total)).toFixed(1)} %\n`,
      )
    }
  }
} finally {
  await rm(output, { recursive: true, force: true })
}

const steps = measured.slice(1)
const total = (of: (step: (typeof steps)[number]) => number) => steps.reduce((sum, step) => sum + of(step), 0)
const seconds = total(({ metrics }) => metrics.seconds.total)
const share = (of: (step: (typeof steps)[number]) => number) => Number((total(of) / seconds).toFixed(3))
const tokens = total(({ metrics }) => metrics.promptTokens + metrics.sampledTokens)
const result = {
  config: options.config,
  steps: steps.length,
  secondsPerStep: Number((seconds / steps.length).toFixed(2)),
  /** Of all conversations; what rollouts of a group share is computed once and counted for each. */
  tokensPerSecond: Math.round(tokens / seconds),
  sampledTokensPerSecond: Math.round(total(({ metrics }) => metrics.sampledTokens) / seconds),
  shares: {
    generation: share(({ metrics }) => metrics.seconds.generation),
    reference: share(({ metrics }) => metrics.seconds.reference),
    forward: share(({ metrics }) => metrics.seconds.forward),
    forwardBackward: share(({ metrics }) => metrics.seconds.forwardBackward),
    optimStep: share(({ metrics }) => metrics.seconds.optimStep),
  },
  /** Inside the runtime, all threads together: graphs loaded anew with the weights of each snapshot. */
  loadingGraphs: share(({ loading }) => loading),
  outsideRuntime: share(({ metrics, runtime }) => metrics.seconds.total - runtime),
}
process.stdout.write(`${JSON.stringify(result, null, 2)}\n`)
await mkdir('bench/results', { recursive: true })
await writeFile('bench/results/rl-step.json', `${JSON.stringify(result, null, 2)}\n`)
