/** The table of a dry run: upper bounds for each method at each length. */

import { type BenchEstimate, type GroupEstimate, type PlanEstimate, showLength } from '@memagent/bench'
import { priceBound } from './price-bound.ts'
import { clock, count } from './progress.ts'
import { alignedTable } from './table.ts'

const lengthOf = ({ lengthTokens, keepsLength }: GroupEstimate) =>
  keepsLength ? 'own length' : showLength(lengthTokens)

export function showEstimate(estimate: BenchEstimate): string {
  const { groups, seconds, price } = estimate
  const header = [
    'method',
    'length',
    'samples',
    'calls',
    'prompt tokens',
    'generated',
    ...(estimate.embeddedTokens ? ['embedded'] : []),
    ...(seconds === undefined ? [] : ['time']),
    ...(price === undefined ? [] : ['price']),
  ]
  const row = (name: string, length: string, part: PlanEstimate) => [
    name,
    length,
    count(part.samples),
    count(part.calls),
    count(part.promptTokens),
    count(part.completionTokens),
    ...(estimate.embeddedTokens ? [count(part.embeddedTokens ?? 0)] : []),
    ...(part.seconds === undefined ? [] : [clock(part.seconds)]),
    ...(part.price === undefined ? [] : [priceBound(part.price)]),
  ]
  const rows = [
    header,
    ...groups.map((group) => row(group.method, lengthOf(group), group)),
    row('all, at most', '', estimate),
  ]
  const hint = seconds === undefined ? 'time: unknown; give --tokens-per-second\n' : ''
  // A method without calls has no room for the text; its row alone would look free of charge.
  const unfit = groups
    .filter(({ calls }) => calls === 0)
    .map((group) => `${group.method} at ${lengthOf(group)}`)
  const failing =
    unfit.length === 0 ? '' : `does not fit the window, so each sample will fail: ${unfit.join(', ')}\n`
  return `${alignedTable(rows)}${failing}${hint}`
}
