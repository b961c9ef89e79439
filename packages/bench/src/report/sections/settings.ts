/** With what the numbers were made. */
import type { Analysis } from '../analysis/analyse.ts'
import type { Block } from '../block.ts'
import { canonicalJson } from '../canonical-json.ts'
import { plainText } from '../plain-text.ts'
import { plural } from './words.ts'

export const settings = ({ series, tasks, sources }: Analysis): Block[] => [
  { type: 'heading', level: 2, text: 'Settings' },
  {
    type: 'table',
    caption: 'Methods',
    columns: ['method', 'model', 'workflow', 'settings'].map((title) => ({ title })),
    rows: series.map(({ name, model, workflow, settings }) => ({
      cells: [name, plainText(model), plainText(workflow ?? '–'), plainText(canonicalJson(settings))],
    })),
  },
  {
    type: 'table',
    caption: 'Tasks',
    columns: ['task', 'options'].map((title) => ({ title })),
    rows: tasks.map(({ name, options }) => ({
      cells: [name, plainText(canonicalJson(options))],
    })),
  },
  {
    type: 'list',
    items: sources.map(({ path, records }) => `${plainText(path)}: ${plural(records, 'answer')}`),
  },
]
