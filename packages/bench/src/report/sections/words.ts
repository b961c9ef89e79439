/** Words that several sections use. */
import type { Estimate, Interval } from '../../statistics/mean.ts'
import type { Proportion } from '../../statistics/proportion.ts'
import type { Holding } from '../analysis/failures.ts'
import type { TaskGroup } from '../analysis/task-group.ts'
import type { TableCell } from '../block.ts'
import { amount, bounds, count, percent, signedBounds, signedPercent } from '../numbers.ts'
import { plainText } from '../plain-text.ts'

/** Programs that recorded the answers: `memagent 0.1.0, commit 09fd239…`; undefined if no line says. */
export function programsOf(
  records: readonly { readonly program?: string | undefined }[],
): string | undefined {
  const programs = [...new Set(records.map(({ program }) => program))]
  const known = programs.flatMap((program) =>
    program === undefined ? [] : [`memagent ${shortened(program)}`],
  )
  if (known.length === 0) return undefined
  return [...known, ...(known.length < programs.length ? ['versions that were not recorded'] : [])].join('; ')
}

/** Shortens digests and commits to a recognizable start. */
export const shortened = (text: string): string =>
  plainText(text.replace(/\b([0-9a-f]{12})[0-9a-f]{20,}/g, (_, start: string) => `${start}…`))

/** RULER's metric is also computed for tasks other than RULER's, so its title says what it does. */
export const metricTitle = (metric: string): string =>
  metric === 'ruler' ? 'string match' : plainText(metric, 24)

/** For questions without an answer, every metric means the same: whether the method said so. */
export const taskMetricTitle = ({ answerable }: TaskGroup, metric: string): string =>
  answerable ? metricTitle(metric) : 'said so'

export const seenTitle = ({ seenInTraining }: TaskGroup): string =>
  seenInTraining === undefined
    ? 'not said whether training saw it'
    : seenInTraining
      ? 'seen in training'
      : 'unseen in training'

type Shown = Pick<Estimate, 'value' | 'low' | 'high' | 'count'>

export const estimateCell = (estimate: Shown | undefined): TableCell =>
  estimate === undefined || estimate.count === 0
    ? '–'
    : { value: percent(estimate.value), notes: [bounds(estimate.low, estimate.high)] }

/** @param more notes besides its interval */
export const differenceCell = ({ value, low, high }: Interval, ...more: readonly string[]): TableCell =>
  Number.isFinite(value) ? { value: signedPercent(value), notes: [signedBounds(low, high), ...more] } : '–'

/** With the number of samples. */
export const countedCell = (estimate: Estimate | undefined): TableCell => {
  const cell = estimateCell(estimate)
  return typeof cell === 'string' ? cell : { ...cell, notes: [...cell.notes, `n ${estimate!.count}`] }
}

/** Also with the number of questions, if several samples ask the same one. */
export const sampleCell = (estimate: Estimate | undefined): TableCell => {
  const cell = countedCell(estimate)
  if (typeof cell === 'string' || estimate!.groups === estimate!.count) return cell
  return { ...cell, notes: [...cell.notes, plural(estimate!.groups, 'question')] }
}

/** The task where it is not that of the row above, the length, and the rewrites that held a fact and lost it. */
export const holdingCells = ({ series, task, lengthTokens, losses }: Holding, above?: Holding): string[] => [
  above?.series === series && above.task === task ? '' : (task?.name ?? 'all'),
  lengthTokens === undefined ? 'all' : count(lengthTokens),
  count(losses.count),
  count(losses.right),
]

/** @param per 1000: per thousand */
export const rateCell = ({ value, low, high, count }: Proportion, per: number): TableCell =>
  count === 0 ? '–' : { value: amount(per * value), notes: [`${amount(per * low)}–${amount(per * high)}`] }

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
