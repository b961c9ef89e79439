/**
 * The recorded cases: supported statements point to their passages, unsupported ones are marked. `npm run bench:provenance` has
 * the figures.
 */
import { expect, test } from 'vitest'
import { readCases } from './testing/case-file.ts'
import { byClass, scoreCases } from './testing/score-cases.ts'
import { drawnCases } from './testing/templates.ts'

const parts = {
  'cases.yaml': () => [...readCases('cases.yaml'), ...drawnCases('first', 6)],
  'more-cases.yaml': () => [...readCases('more-cases.yaml'), ...drawnCases('second', 6)],
  'notes.yaml': () => readCases('notes.yaml'),
  'more-notes.yaml': () => readCases('more-notes.yaml'),
  'third-notes.yaml': () => readCases('third-notes.yaml'),
  'fifth-notes.yaml': () => readCases('fifth-notes.yaml'),
}

test.each([
  ['cases.yaml', 0.95, 0.98],
  ['more-cases.yaml', 0.95, 0.97],
  ['notes.yaml', 0.7, 0.9],
  ['more-notes.yaml', 0.72, 0.9],
  ['third-notes.yaml', 0.65, 0.9],
  ['fifth-notes.yaml', 0.4, 0.85],
] as const)(
  'in %s, at least %f of the supported have their passage, and %f of the others are marked',
  (file, right, marked) => {
    const all = byClass(scoreCases(parts[file]())).at(-1)!
    expect(all.right / all.supported).toBeGreaterThanOrEqual(right)
    expect(all.marked / all.unsupported).toBeGreaterThanOrEqual(marked)
  },
)
