/** Deviations of tasks from the published ones. */
import type { Analysis } from '../analysis/analyse.ts'
import type { TaskGroup } from '../analysis/task-group.ts'
import type { Block } from '../block.ts'

export const departuresTitle = 'Departures from published tasks'

/** Each deviation once, with its tasks. */
export function departures({ tasks }: Analysis): Block[] {
  const deviating = tasks.filter(({ deviations }) => deviations.length > 0)
  if (deviating.length === 0) return []
  const titles = (list: readonly TaskGroup[]) => [...new Set(list.map(({ title }) => title))]
  const names = (list: readonly TaskGroup[]) =>
    list.length === deviating.length && titles(list).length > 2
      ? 'all of these tasks'
      : titles(list).join(', ')
  const all = new Set(deviating.flatMap(({ deviations }) => deviations))
  return [
    { type: 'heading', level: 2, text: departuresTitle },
    { type: 'paragraph', text: `These tasks: ${titles(deviating).join(', ')}.` },
    {
      type: 'list',
      items: [...all].map(
        (deviation) =>
          `${deviation} (${names(deviating.filter(({ deviations }) => deviations.includes(deviation)))})`,
      ),
    },
  ]
}
