/** Settings behind the numbers. */
import { canonicalJson } from '@memagent/core'
import type { Analysis } from '../analysis/analyse.ts'
import { flattenSettings } from '../analysis/series.ts'
import { type Block, columnsOf } from '../block.ts'
import { plainText } from '../plain-text.ts'
import { plural } from './words.ts'

/** Lists settings shared by all methods only once. */
export function settings({ series, tasks, sources }: Analysis): Block[] {
  const all = series.map(({ settings }) => flattenSettings(settings))
  const isShared = (path: string, value: string) => all.every((one) => one.get(path) === value)
  const written = (entries: Iterable<readonly [string, string]>) =>
    [...entries].map(([path, value]) => `${path} ${value}`)
  return [
    { type: 'heading', level: 2, text: 'Settings' },
    {
      type: 'list',
      items: written([...(all[0] ?? [])].filter(([path, value]) => isShared(path, value))),
    },
    {
      type: 'table',
      caption: 'Methods, with settings that are not those of all',
      columns: columnsOf(['method', 'model', 'workflow', 'own settings']),
      rows: series.map(({ name, model, workflow }, i) => ({
        cells: [
          name,
          model,
          workflow ?? '–',
          written([...all[i]!].filter(([path, value]) => !isShared(path, value))).join('; ') || '–',
        ],
      })),
    },
    {
      type: 'table',
      caption: 'Tasks',
      columns: columnsOf(['task', 'options']),
      rows: [...new Map(tasks.map((task) => [task.title, task])).values()].map(({ title, options }) => ({
        cells: [title, Object.keys(options).length === 0 ? '–' : canonicalJson(options)],
      })),
    },
    {
      type: 'list',
      items: sources.map(({ path, records }) => `${plainText(path)}: ${plural(records, 'answer')}`),
    },
  ]
}
