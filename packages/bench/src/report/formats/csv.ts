/** The report's numbers as CSV (RFC 4180): one file for each kind of row. */
import type { PairedDifference } from '../../statistics/difference.ts'
import type { Estimate } from '../../statistics/mean.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { seriesId } from '../analysis/series.ts'
import { isAnswerable, type TaskGroup, taskId } from '../analysis/task-group.ts'
import { metricOf } from '../observation.ts'
import { csv, type Field } from './csv-rows.ts'
import type { ReportFile } from './report-file.ts'

/** `cells.csv`, `differences.csv`, `positions.csv` and `samples.csv`. */
export const csvFiles = (analysis: Analysis): ReportFile[] => [
  { name: 'cells.csv', text: csv(cellRows(analysis)) },
  { name: 'differences.csv', text: csv(differenceRows(analysis)) },
  { name: 'positions.csv', text: csv(positionRows(analysis)) },
  { name: 'samples.csv', text: csv(sampleRows(analysis)) },
]

const taskFields = ({ title, answerable, deviations, seenInTraining }: TaskGroup): Record<string, Field> => ({
  task: title,
  has_answer: answerable,
  seen_in_training: seenInTraining,
  deviations: deviations.join('; '),
})

const cellRows = ({ cells, metrics }: Analysis): Record<string, Field>[] =>
  cells.map(({ task, series, lengthTokens, count, failed, notFound, unsure, metrics: estimates, cost }) => ({
    ...taskFields(task),
    length_tokens: lengthTokens,
    method: series.name,
    model: series.model,
    trained: series.trained,
    n: count,
    failed,
    said_not_in_text: notFound,
    unsure,
    ...Object.assign({}, ...metrics.map((metric) => estimateFields(metric, estimates[metric]))),
    calls: cost.calls,
    prompt_tokens: cost.promptTokens,
    completion_tokens: cost.completionTokens,
    embedded_tokens: cost.embeddedTokens,
    seconds: cost.seconds,
    seconds_per_million_tokens: cost.secondsPerMillion,
    price: cost.price,
  }))

const estimateFields = (name: string, estimate: Estimate | undefined): Record<string, Field> => ({
  [name]: estimate?.value,
  [`${name}_low`]: estimate?.low,
  [`${name}_high`]: estimate?.high,
  [`${name}_interval`]: estimate?.interval,
})

const differenceRows = ({ differences, series: [reader] }: Analysis): Record<string, Field>[] =>
  differences.map(({ task, series, lengthTokens, metric, ...difference }) => ({
    ...taskFields(task),
    length_tokens: lengthTokens ?? 'all',
    method: series.name,
    compared_with: reader!.name,
    metric,
    ...differenceFields(difference),
  }))

const differenceFields = (difference: PairedDifference) => ({
  pairs: difference.pairs,
  difference: difference.value,
  low: difference.low,
  high: difference.high,
  p_value: difference.pValue,
  p_resolution: difference.pResolution ?? 'exact',
  better: difference.better,
  worse: difference.worse,
  test: difference.test,
})

const positionRows = ({ depthsByLength, depthsByTask }: Analysis): Record<string, Field>[] =>
  [...depthsByLength, ...depthsByTask].map(
    ({ task, series, lengthTokens, fromDepth, toDepth, metric, estimate }) => ({
      task: task.title,
      has_answer: task.answerable,
      length_tokens: lengthTokens ?? 'all',
      method: series.name,
      from_depth: fromDepth,
      to_depth: toDepth,
      metric,
      n: estimate.count,
      value: estimate.value,
      low: estimate.low,
      high: estimate.high,
      interval: estimate.interval,
    }),
  )

function sampleRows({ observations, tasks, series, metrics }: Analysis): Record<string, Field>[] {
  const taskNames = new Map(tasks.map(({ id, title }) => [id, title]))
  const seriesNames = new Map(series.map(({ id, name }) => [id, name]))
  return observations
    .toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map((observation) => {
      const { usage, diagnosis } = observation
      return {
        key: observation.key,
        task: taskNames.get(taskId(observation)),
        has_answer: isAnswerable(observation),
        length_tokens: observation.lengthTokens,
        index: observation.index,
        seed: observation.seed,
        method: seriesNames.get(seriesId(observation)),
        model: observation.model,
        trained: observation.trained,
        sample: observation.sampleId,
        question: observation.question,
        references: observation.references.join(' | '),
        match: observation.match,
        answer: observation.answer,
        outcome: observation.outcome,
        response: observation.response,
        finish_reason: observation.finishReason?.unified,
        warnings: observation.warnings?.map(({ code }) => code).join(' '),
        ...Object.fromEntries(metrics.map((metric) => [metric, metricOf(observation, metric)])),
        error: observation.error && `${observation.error.code}: ${observation.error.message}`,
        depth: observation.depth,
        label: diagnosis.label,
        signatures: diagnosis.signatures.join(' '),
        captured_step: diagnosis.capturedStep,
        lost_step: diagnosis.lostStep,
        held_rewrites: diagnosis.heldRewrites,
        losses: diagnosis.losses,
        final_memory: observation.finalMemory,
        steps: observation.steps,
        calls: usage.calls,
        prompt_tokens: usage.promptTokens,
        completion_tokens: usage.completionTokens,
        seconds: observation.seconds,
        price: observation.price,
        finished_at: observation.finishedAt,
        file: observation.path,
      }
    })
}
