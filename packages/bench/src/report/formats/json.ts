/** Every number of a report for machines. NaN becomes null. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Series } from '../analysis/series.ts'
import type { TaskGroup } from '../analysis/task-group.ts'

/** Rows refer to tasks and series by name; these are written out in full once. */
export function reportJson(analysis: Analysis): Record<string, unknown> {
  const named = <Row extends { readonly series: Series; readonly task?: TaskGroup | undefined }>({
    series,
    task,
    ...row
  }: Row) => ({ ...(task && { task: task.title, answerable: task.answerable }), method: series.name, ...row })
  return {
    records: analysis.observations.length,
    failed: analysis.observations.filter(({ error }) => error !== undefined).length,
    sources: analysis.sources,
    reader: analysis.series[0]?.name,
    methods: analysis.series.map(({ id, style, ...series }) => series),
    tasks: analysis.tasks.map(({ id, name, ...task }) => task),
    cells: analysis.cells.map(named),
    means: analysis.means.map(named),
    differences: analysis.differences.map(named),
    positions: [...analysis.depthsByLength, ...analysis.depthsByTask].map(named),
    costs: analysis.costs.map(named),
    failures: analysis.failures.map(named),
    holding: analysis.holding.map(named),
    failedCalls: analysis.failedCalls.map(named),
    warnedAnswers: analysis.warnedAnswers.map(named),
  }
}
