import type { ReadingStart } from '@memagent/core'
import { expect, it } from 'vitest'
import { sessionMemory } from './session-memory.ts'
import type { SessionDocument } from './session-store.ts'

const start = { steps: 3, warnings: [] } as unknown as ReadingStart
const document = (reading: number, more: Partial<SessionDocument> = {}): SessionDocument => ({
  ...{ path: '/a.txt', sizeBytes: 9, sha256: 'x', reading, number: 0, startByte: 0, isRead: true },
  ...more,
})
const warningsOf = async (...documents: SessionDocument[]) => {
  const sessions = { start: async () => start, documents: async () => documents }
  const load = () => Promise.reject(new Error('not asked for'))
  return (await sessionMemory({ load, sessions }, { name: 'diary', unfinished: undefined }))!.warnings
}

it('tells of texts whose end was not read, unless a later reading did so', async () => {
  expect(await warningsOf(document(1))).toEqual([])
  const partly = document(1, { endByte: 5 })
  const told = [{ code: 'reading-unfinished', message: 'Only the beginning of /a.txt was read.' }]
  expect(await warningsOf(partly)).toMatchObject(told)
  expect(await warningsOf(partly, document(2, { path: '/b.txt' }))).toMatchObject(told)
  expect(await warningsOf(partly, document(2, { startByte: 5 }))).toEqual([])
  expect(await warningsOf(partly, document(2))).toEqual([])
  expect(await warningsOf(partly, document(2, { startByte: 5, endByte: 7 }))).toMatchObject(told)
})
