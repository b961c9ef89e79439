import type { TracedStatement } from '@memagent/core'
import type { SessionDocument } from '@memagent/store'
import { expect, it } from 'vitest'
import { withPresentPaths } from './shown-path.ts'

const document = (reading: number, path: string, readAs?: string): SessionDocument => ({
  ...{ path, sizeBytes: 9, sha256: 'x', reading, number: 0, startByte: 0, isRead: true },
  ...(readAs !== undefined && { readAs }),
})
const from = (file: string, step: number) =>
  ({ text: 'x', verdict: 'found', sources: [{ file, step }] }) as unknown as TracedStatement

it('a source keeps its file when that has moved, and another one has taken its name', () => {
  const documents = [document(1, '/b.txt', '/a.txt'), document(1, '/d.zip', '/c.zip'), document(2, '/a.txt')]
  const readings = [
    { number: 1, steps: 3 },
    { number: 2, steps: 2 },
  ]
  const statements = [from('/a.txt', 2), from('/c.zip/x.md', 0), from('/a.txt', 3)]
  const shown = withPresentPaths(statements, documents, readings)
  expect(shown.map(({ sources }) => sources[0]!.file)).toEqual(['/b.txt', '/d.zip/x.md', '/a.txt'])
})
