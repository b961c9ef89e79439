/** A training log as curves over its steps, with its last results. */
import { ConfigurationError } from '@memagent/core'
import { groupBy } from '../../group-by.ts'
import { proportion } from '../../statistics/proportion.ts'
import { sum } from '../analysis/measures.ts'
import { type Block, columnsOf, figureOf, tableOf, warning } from '../block.ts'
import { amount, count } from '../numbers.ts'
import type { LinePlot, LinePoint } from '../plots/plot.ts'
import { estimateCell, plural } from '../sections/words.ts'
import { type CurveLines, type EvaluationLine, readCurveLines, type StepLine } from './curve-lines.ts'
import { evaluationPlots, evaluationTable, ofSteps } from './evaluations.ts'
import { noLog, readTrainingLog } from './training-log.ts'

/** Most points in a curve; each is the mean of the steps it stands for. */
const mostPoints = 100

/** @throws ConfigurationError if the file cannot be read or is not a training log */
export async function trainingCurves(path: string): Promise<Block[]> {
  const lines = await readCurveLines(path)
  const rewarded = lines.steps.some(({ metrics }) => metrics !== undefined)
  if (lines.steps.length === 0 && lines.evaluations.length === 0) throw noLog(path)
  const curves = [
    curve(lines.steps, 'Loss', 'loss', ({ loss }) => (rewarded ? undefined : loss)),
    curve(lines.steps, 'Right tokens', 'right, %', ({ rightTokens }) => rightTokens),
    curve(lines.steps, 'Reward in training', 'reward', ({ metrics }) => metrics?.reward),
  ].flatMap((one) => one ?? [])
  return [
    { type: 'list', items: [...facts(lines), ...curves.filter((one) => typeof one === 'string')] },
    ...figureOf(
      'Each point is the mean of the steps up to it.',
      curves.filter((one) => typeof one !== 'string'),
    ),
    ...figureOf('Evaluations during training; bands are 95 % intervals.', checks(lines.evaluations)),
    ...lastCheck(lines.evaluations.at(-1)),
    ...(rewarded ? await rewards(path) : []),
  ]
}

function facts({ steps, evaluations }: CurveLines): string[] {
  const runs = [...groupBy(steps, ({ run }) => run ?? '')]
  return [
    ...(runs.length === 0
      ? []
      : [
          `Last step: ${runs.map(([run, own]) => `${run === '' ? '' : `${run} `}${count(own.at(-1)?.step)}`).join(', ')}`,
        ]),
    ...(evaluations.length > 0 ? [`${plural(evaluations.length, 'evaluation')} during training`] : []),
  ]
}

/**
 * Draws shares as such, and any other values above 0 on a logarithmic axis.
 * @returns the reason if it cannot be drawn; undefined if the log has no such values
 */
function curve(
  steps: readonly StepLine[],
  title: string,
  yTitle: string,
  read: (step: StepLine) => number | undefined,
): LinePlot | string | undefined {
  const lines = [...groupBy(steps, ({ run }) => run ?? '')].flatMap(([name, own], series) => {
    const points = meansOf(own, read)
    return points.length === 0 ? [] : [{ name: name || yTitle.replace(', %', ''), series, points }]
  })
  const values = lines.flatMap(({ points }) => points.map(({ value }) => value))
  if (values.length === 0) return undefined
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const isShare = yTitle !== 'loss' && low >= 0 && high <= 1
  if (!isShare && low <= 0) return `${title} is not drawn: it goes from ${amount(low)} to ${amount(high)}`
  const y = isShare ? 'share' : 'log'
  return { type: 'lines', title, yTitle: isShare ? percentTitle(yTitle) : yTitle, y, x: ofSteps, lines }
}

const percentTitle = (title: string): string => (title.endsWith('%') ? title : `${title}, %`)

function meansOf(steps: readonly StepLine[], read: (step: StepLine) => number | undefined): LinePoint[] {
  const known = steps.flatMap((step) => {
    const value = read(step)
    return value === undefined ? [] : [{ x: step.step, value }]
  })
  const size = Math.ceil(known.length / mostPoints)
  return Array.from({ length: Math.ceil(known.length / Math.max(1, size)) }, (_, i) => {
    const part = known.slice(i * size, (i + 1) * size)
    return { x: part.at(-1)!.x, value: sum(part, ({ value }) => value) / part.length, count: part.length }
  })
}

/** `held-out/answer` belongs to `held-out`. */
const partOf = (kind: string): string => kind.split('/')[0]!

/** For one run, a line per part, such as held out or not. For several, a plot per part. */
function checks(evaluations: readonly EvaluationLine[]): LinePlot[] {
  const runs = [...groupBy(evaluations, ({ run }) => run ?? '')].map(
    ([run, own]) => [run, own.filter(({ identity }) => identity === own.at(-1)!.identity)] as const,
  )
  const parts = [...new Set(evaluations.flatMap(({ results }) => Object.keys(results).map(partOf)))]
  const plot = (title: string, lines: LinePlot['lines']): LinePlot[] =>
    lines.length === 0 ? [] : [{ type: 'lines', title, yTitle: 'right, %', y: 'share', x: ofSteps, lines }]
  if (runs.length <= 1) {
    const own = runs[0]?.[1] ?? []
    return plot(
      'Right responses',
      parts.map((part, series) => ({ name: part, series, points: sharesOf(own, part) })),
    )
  }
  return parts.flatMap((part) =>
    plot(
      `Right responses, ${part}`,
      runs
        .map(([run, own], series) => ({ name: run, series, points: sharesOf(own, part) }))
        .filter(({ points }) => points.length > 0),
    ),
  )
}

function sharesOf(evaluations: readonly EvaluationLine[], part: string): LinePoint[] {
  return evaluations.flatMap(({ step, results }) => {
    const of = Object.entries(results).filter(([kind]) => partOf(kind) === part)
    const [right, asked] = [sum(of, ([, one]) => one.right), sum(of, ([, one]) => one.count)]
    return asked === 0 ? [] : [{ x: step, ...proportion(right, asked) }]
  })
}

/** One row per kind. */
function lastCheck(last: EvaluationLine | undefined): Block[] {
  if (last === undefined) return []
  const { run, step, results } = last
  return tableOf({
    caption: `Right responses at the last evaluation (${run === undefined ? '' : `${run}, `}step ${count(step)}), with 95 % intervals`,
    columns: columnsOf('kind', ['right, %', 'right', 'n']),
    rows: Object.entries(results)
      .sort(([a], [b]) => a.localeCompare(b, 'en'))
      .map(([kind, { right, count: asked }]) => ({
        cells: [kind, estimateCell(proportion(right, asked)), count(right), count(asked)],
      })),
  })
}

/** Held-out rewards, or a warning if the log's evaluations have another form. */
async function rewards(path: string): Promise<Block[]> {
  try {
    const logs = new Map([['reward', await readTrainingLog(path)]])
    return [...evaluationPlots(logs, 'Held-out reward'), ...evaluationTable(logs)]
  } catch (error) {
    if (!ConfigurationError.isInstance(error)) throw error
    return [warning(notRead)]
  }
}

const notRead =
  'Held-out rewards are not shown: their lines are not of the form that reports read, in which rewards are from 0 to 1.'
