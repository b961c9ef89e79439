/**
 * `memagent train sft` and `memagent train rl`: supervised training and reinforcement learning of a reading model.
 */

import type { StepMetrics, TrainingProgress } from '@memagent/train'
import { Command } from 'commander'
import { exitCodes, Interruption, report } from '../failures.ts'
import { programName } from '../program.ts'
import { onSignals } from '../signals.ts'
import { printableLines, printJson, type Terminal } from '../terminal.ts'
import { clock, count } from '../view/progress.ts'
import { TrainingProgressView } from '../view/training-progress.ts'
import { averageCommand } from './train-average.ts'
import { describeDryRun, pricesWithoutDryRun } from './train-dry-run.ts'

interface TrainFlags {
  readonly config: string
  readonly events?: boolean
  readonly set?: readonly string[]
  readonly dryRun?: boolean
  readonly prices?: string
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
      .option(
        '--set <field=value>',
        'override a field of the file, such as optimizer.learningRate=1e-4 (repeatable)',
        (setting: string, before: readonly string[] = []) => [...before, setting],
      )
      .option('--events', 'print every event as a JSON line, a failure as the last')
      .action(async (flags: TrainFlags) => {
        setExitCode(await run(flags, terminal))
      })
  const reinforced = training(
    'rl',
    'train a reading model by reinforcement learning (Multi-Conv DAPO)',
    'recipes/nano/rl.yaml',
    trainRl,
  )
    .option(
      '--dry-run',
      'read a few documents of each stage, and print what a step and the whole run cost at most',
    )
    .option('--prices <prompt,sample,train>', 'dollars per million tokens, for --dry-run')
  return new Command('train')
    .description('train a reading model')
    .addCommand(
      training('sft', 'train a reading model on supervised lessons', 'recipes/nano/sft.yaml', trainSft),
    )
    .addCommand(reinforced)
    .addCommand(averageCommand(terminal))
}

async function trainSft(flags: TrainFlags, terminal: Terminal): Promise<number> {
  const { trainSftFromConfig } = await import('@memagent/train')
  const program = await programName()
  let [startMs, firstStep] = [performance.now(), 0]
  return train(
    terminal,
    flags,
    (signal) => trainSftFromConfig(flags.config, { signal, settings: flags.set, program }),
    (event) => {
      if (event.type === 'notice') return `warning: ${event.message}`
      if (event.type === 'training-start') {
        startMs = performance.now()
        firstStep = event.step
        return `${count(event.parameters)} parameters, ${count(event.characters)} characters of prose, step ${event.step} of ${event.steps}`
      }
      if (event.type === 'step-end' && event.step % 10 === 0) {
        const perStep = (performance.now() - startMs) / 1000 / (event.step - firstStep)
        const { drawn, passedOver, tooLong } = event.documents
        const lost = [
          passedOver > 0 ? `${passedOver} of ${drawn} documents passed over, ` : '',
          tooLong > 0 ? `${tooLong} conversations longer than a row left out, ` : '',
        ].join('')
        return `step ${event.step} of ${event.steps}: loss ${event.loss.toFixed(4)}, tokens right ${percent(event.rightTokens)}, ${lost}${count(Math.round(event.tokensPerSecond))} tokens/s, ${clock(perStep * (event.steps - event.step))} left`
      }
      if (event.type === 'evaluation-end') {
        const parts = Object.entries(event.results).map(
          ([name, { right, count: all }]) => `${name} ${right}/${all}`,
        )
        return `evaluation after step ${event.step}: ${parts.join(', ')}`
      }
      return event.type === 'training-end' ? `The model is saved in ${event.folder}.` : undefined
    },
  )
}

async function trainRl(flags: TrainFlags, terminal: Terminal): Promise<number> {
  try {
    if (flags.dryRun) {
      await describeDryRun(flags, terminal)
      return exitCodes.ok
    }
    if (flags.prices !== undefined) throw pricesWithoutDryRun()
  } catch (error) {
    return report(error, terminal, flags)
  }
  const { trainRlFromConfig } = await import('@memagent/train')
  const program = await programName()
  let [startMs, firstStep] = [performance.now(), 0]
  return train(
    terminal,
    flags,
    (signal, onProgress) =>
      trainRlFromConfig(flags.config, { signal, onProgress, settings: flags.set, program }),
    (event) => {
      if (event.type === 'notice') return `warning: ${event.message}`
      if (event.type === 'training-start') {
        startMs = performance.now()
        firstStep = event.step
        const size = event.parameters === undefined ? '' : `${count(event.parameters)} parameters, `
        return `${size}step ${event.step} of ${event.steps}`
      }
      if (event.type === 'step-end') {
        const perStep = (performance.now() - startMs) / 1000 / (event.step - firstStep)
        return `step ${event.step} of ${event.steps}: ${describeStep(event.metrics)}, ${clock(perStep * (event.steps - event.step))} left`
      }
      if (event.type === 'evaluation-end') {
        const parts = event.results.map((result) => {
          const named = Object.entries(result.metrics).map(([name, value]) => `${name} ${percent(value)}`)
          const unearned = [
            ...(result.withoutBox > 0 ? [`${count(result.withoutBox)} answers without a closed box`] : []),
            ...(result.keptMemories > 0 ? [`${count(result.keptMemories)} steps kept the old memory`] : []),
          ]
          const why = unearned.length > 0 ? ` (${unearned.join(', ')}: answers earn nothing there)` : ''
          const held = result.inMemory === undefined ? '' : `; in memory ${percent(result.inMemory)}`
          const { passedOver } = result
          const unread =
            passedOver.length > 0 ? `, ${count(passedOver.length)} passed over: they cannot be read` : ''
          const length = result.keepsLength ? 'their own length' : `${count(result.lengthTokens)} tokens`
          return `${length}${unread}: reward ${result.reward.toFixed(3)}${why}; as a person reads the answers ${named.join(', ')}${held}`
        })
        return `evaluation after step ${event.step}${event.isBest ? ' (the best so far)' : ''}\n  ${parts.join('\n  ')}`
      }
      if (event.type !== 'training-end') return undefined
      if (event.folder) return `The model is saved in ${event.folder}.`
      const best = event.bestState ? `, the best as ${event.bestState}` : ''
      return `The server keeps the weights: the last as ${event.state}${best}.`
    },
  )
}

function describeStep(metrics: StepMetrics): string {
  const {
    reward,
    groupsWithSignal,
    groupsDrawn,
    groupsPassedOver,
    kl,
    clippedHigh,
    clippedLow,
    entropy,
    seconds,
  } = metrics
  const parts = [
    `reward ${reward.toFixed(3)}`,
    `${groupsWithSignal} of ${groupsDrawn} groups with signal`,
    ...(groupsPassedOver > 0 ? [`${groupsPassedOver} passed over: their documents cannot be read`] : []),
    ...(metrics.optimizerSteps === 0 ? ['no learning signal: the weights are unchanged'] : []),
    ...(kl === undefined ? [] : [`KL ${kl.toFixed(4)}`]),
    `entropy ${entropy.toFixed(3)}`,
    `clipped ${percent(clippedHigh + clippedLow)}`,
    `${seconds.total.toFixed(1)} s`,
  ]
  return parts.join(', ')
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** Runs a training, reports its progress, and saves on Ctrl-C what the trainer can save. */
async function train<Event>(
  terminal: Terminal,
  { events }: TrainFlags,
  start: (signal: AbortSignal, onProgress: (progress: TrainingProgress) => void) => AsyncIterable<Event>,
  describe: (event: Event) => string | undefined,
): Promise<number> {
  const { stdout, stderr } = terminal
  const controller = new AbortController()
  const view = new TrainingProgressView(stderr, () => performance.now())
  const unlisten = onSignals(() => {
    unlisten()
    view.write('Stopping: a step that is being learned from is finished first. Ctrl-C again ends at once.')
    controller.abort(new Interruption('interrupted'))
  })
  try {
    for await (const event of start(controller.signal, (progress) => view.update(progress))) {
      if (events) printJson(stdout, event)
      const line = describe(event)
      if (line !== undefined) view.write(printableLines(line))
    }
    return exitCodes.ok
  } catch (error) {
    view.clear()
    const resumeHint = 'Run the same command again to resume from the last checkpoint.'
    return report(error, terminal, { events }, { resumeHint })
  } finally {
    unlisten()
  }
}
