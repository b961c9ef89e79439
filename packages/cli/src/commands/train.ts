/** `memagent train sft --config FILE`: supervised training of a reading model. */
import { Command } from 'commander'
import { exitCodes, Interruption, report } from '../failures.ts'
import type { Terminal } from '../terminal.ts'
import { clock, count } from '../view/progress.ts'

interface TrainFlags {
  readonly config: string
  readonly events?: boolean
}

export function trainCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const supervised = new Command('sft')
    .description('supervised training of a reading model; goes on from its last checkpoint')
    .requiredOption('--config <file>', 'YAML configuration, such as recipes/nano/sft.yaml')
    .option('--events', 'print every event as a JSON line')
    .action(async (flags: TrainFlags) => {
      setExitCode(await trainSft(flags, terminal))
    })
  return new Command('train').description('train a reading model').addCommand(supervised)
}

async function trainSft(flags: TrainFlags, terminal: Terminal): Promise<number> {
  const { stdout, stderr } = terminal
  const controller = new AbortController()
  const interrupt = () => controller.abort(new Interruption('interrupted'))
  process.once('SIGINT', interrupt)
  process.once('SIGTERM', interrupt)
  try {
    const { trainFromConfig } = await import('@memagent/train')
    const startMs = performance.now()
    let firstStep = 0
    for await (const event of trainFromConfig(flags.config, { signal: controller.signal })) {
      if (flags.events) stdout.write(`${JSON.stringify(event)}\n`)
      if (event.type === 'training-start') {
        firstStep = event.step
        stderr.write(
          `${count(event.parameters)} parameters, ${count(event.characters)} characters of prose, step ${event.step} of ${event.steps}\n`,
        )
      } else if (event.type === 'step-end' && event.step % 10 === 0) {
        const perStep = (performance.now() - startMs) / 1000 / (event.step - firstStep)
        stderr.write(
          `step ${event.step} of ${event.steps}: loss ${event.loss.toFixed(4)}, tokens right ${(100 * event.rightTokens).toFixed(1)} %, ${count(Math.round(event.tokensPerSecond))} tokens/s, ${clock(perStep * (event.steps - event.step))} left\n`,
        )
      } else if (event.type === 'evaluation-end') {
        const parts = Object.entries(event.results).map(
          ([name, { right, count: all }]) => `${name} ${right}/${all}`,
        )
        stderr.write(`evaluation after step ${event.step}: ${parts.join(', ')}\n`)
      } else if (event.type === 'training-end') stderr.write(`The model is in ${event.folder}.\n`)
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
