/** Examples of wrong answers. */
import { signatures } from '../../diagnosis/signatures/registry.ts'
import type { Analysis } from '../analysis/analyse.ts'
import { keepsLength, lengthTitle } from '../analysis/lengths.ts'
import { seriesId } from '../analysis/series.ts'
import { isAnswerable, type TaskGroup, taskId } from '../analysis/task-group.ts'
import { type Block, columnsOf, type TableRow, tableOf } from '../block.ts'
import type { Observation } from '../observation.ts'
import { plainText } from '../plain-text.ts'

const shownLabels = 4

/** For each method, one answer for each of its most frequent labels, separately for questions with and without an answer. */
export function examples({ tasks, failures, observations }: Analysis): Block[] {
  const rows = failures.flatMap(({ series: one, answerable, labels }): TableRow[] => {
    const frequent = signatures
      .filter(({ name }) => name !== 'failed-call' && labels[name]! > 0)
      .sort((a, b) => labels[b.name]! - labels[a.name]!)
      .slice(0, shownLabels)
    return frequent.map(({ name, title }) => {
      const example = observations
        .filter(
          (observation) =>
            observation.diagnosis.label === name &&
            seriesId(observation) === one.id &&
            isAnswerable(observation) === answerable,
        )
        .reduce((a, b) => (a.key <= b.key ? a : b))
      return {
        group: one.name,
        cells: [
          { value: title, notes: [sampleName(example, tasks)] },
          plainText(example.question, 140),
          plainText(example.references.join(' | '), 80) || '(not in the text)',
          plainText(example.answer, 80) || (example.outcome === 'not-found' ? '(not in the text)' : '–'),
          plainText(example.finalMemory, 160) || '–',
        ],
      }
    })
  })
  return tableOf({
    caption: 'Examples; samples.csv has all answers',
    groupTitle: 'method',
    columns: columnsOf(['signature', 'question', 'wanted', 'answer', 'final memory']),
    rows,
  })
}

const sampleName = (observation: Observation, tasks: readonly TaskGroup[]): string => {
  const task = tasks.find(({ id }) => id === taskId(observation))
  const length = lengthTitle(observation.lengthTokens, keepsLength(observation))
  return `${task?.name}, ${length}, sample ${observation.index}`
}
