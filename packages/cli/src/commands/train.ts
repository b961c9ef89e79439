/** `memagent train sft` and `memagent train rl`: supervised and reinforcement training of a reading model. */
import { Command } from 'commander'
import { exitCodes, Interruption, report } from '../failures.ts'
import type { Terminal } from '../terminal.ts'
import { clock, count } from '../view/progress.ts'

interface TrainFlags {
  readonly config: string
  readonly events?: boolean
}

export function trainCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const training = (
    name: string,
    description: string,
    example: string,
    run: (flags: TrainFlags, terminal: Terminal) => Promise<number>,
  ) =>
    new Command(name)
      .description(`${description}; goes on from its last checkpoint`)
      .requiredOption('--config <file>', `YAML configuration, such as ${example}`)
      .option('--events', 'print every event as a JSON line')
      .action(async (flags: TrainFlags) => {
        setExitCode(await run(flags, terminal))
      })
  return new Command('train')
    .description('train a reading model')
    .addCommand(training('sft', 'supervised training of a reading model', 'recipes/nano/sft.yaml', trainSft))
    .addCommand(
      training(
        'rl',
        'reinforcement training of a reading model (Multi-Conv DAPO)',
        'recipes/nano/rl.yaml',
        trainRl,
      ),
    )
}

async function trainSft(flags: TrainFlags, terminal: Terminal): Promise<number> {
  const { trainFromConfig } = await import('@memagent/train')
  let [startMs, firstStep] = [performance.now(), 0]
  return train(
    terminal,
    flags,
    (signal) => trainFromConfig(flags.config, { signal }),
    (event) => {
      if (event.type === 'training-start') {
        startMs = performance.now()
        firstStep = event.step
        return `${count(event.parameters)} parameters, ${count(event.characters)} characters of prose, step ${event.step} of ${event.steps}`
      }
      if (event.type === 'step-end' && event.step % 10 === 0) {
        const perStep = (performance.now() - startMs) / 1000 / (event.step - firstStep)
        return `step ${event.step} of ${event.steps}: loss ${event.loss.toFixed(4)}, tokens right ${percent(event.rightTokens)}, ${count(Math.round(event.tokensPerSecond))} tokens/s, ${clock(perStep * (event.steps - event.step))} left`
      }
      if (event.type === 'evaluation-end') {
        const parts = Object.entries(event.results).map(
          ([name, { right, count: all }]) => `${name} ${right}/${all}`,
        )
        return `evaluation after step ${event.step}: ${parts.join(', ')}`
      }
      return event.type === 'training-end' ? `The model is in ${event.folder}.` : undefined
    },
  )
}

async function trainRl(flags: TrainFlags, terminal: Terminal): Promise<number> {
  const { trainRlFromConfig } = await import('@memagent/train')
  let [startMs, firstStep] = [performance.now(), 0]
  return train(
    terminal,
    flags,
    (signal) => trainRlFromConfig(flags.config, { signal }),
    (event) => {
      if (event.type === 'training-start') {
        startMs = performance.now()
        firstStep = event.step
        const size = event.parameters === undefined ? '' : `${count(event.parameters)} parameters, `
        return `${size}step ${event.step} of ${event.steps}`
      }
      if (event.type === 'step-end') {
        const { reward, groupsWithSignal, groupsDrawn, kl, clippedHigh, clippedLow, entropy, seconds } =
          event.metrics
        const perStep = (performance.now() - startMs) / 1000 / (event.step - firstStep)
        return `step ${event.step} of ${event.steps}: reward ${reward.toFixed(3)}, ${groupsWithSignal} of ${groupsDrawn} groups with signal, KL ${kl.toFixed(4)}, entropy ${entropy.toFixed(3)}, clipped ${percent(clippedHigh + clippedLow)}, ${seconds.total.toFixed(1)} s, ${clock(perStep * (event.steps - event.step))} left`
      }
      if (event.type === 'evaluation-end') {
        const parts = event.results.map(({ lengthTokens, metrics, inMemory }) => {
          const named = Object.entries(metrics).map(([name, value]) => `${name} ${percent(value)}`)
          return `${count(lengthTokens)} tokens: ${named.join(', ')}, in memory ${percent(inMemory)}`
        })
        return `evaluation after step ${event.step}${event.isBest ? ' (the best so far)' : ''}\n  ${parts.join('\n  ')}`
      }
      if (event.type !== 'training-end') return undefined
      return event.folder ? `The model is in ${event.folder}.` : 'The weights are with the server.'
    },
  )
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** Runs a training, tells what happens, and saves on Ctrl-C what the trainer saves then. */
async function train<Event>(
  terminal: Terminal,
  { events }: TrainFlags,
  start: (signal: AbortSignal) => AsyncIterable<Event>,
  describe: (event: Event) => string | undefined,
): Promise<number> {
  const { stdout, stderr } = terminal
  const controller = new AbortController()
  const interrupt = () => controller.abort(new Interruption('interrupted'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    for await (const event of start(controller.signal)) {
      if (events) stdout.write(`${JSON.stringify(event)}\n`)
      const line = describe(event)
      if (line !== undefined) stderr.write(`${line}\n`)
    }
    return exitCodes.ok
  } catch (error) {
    return report(error, terminal, {
      json: false,
      resumeHint: 'Run the same command again to go on from the last checkpoint.',
    })
  } finally {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}
