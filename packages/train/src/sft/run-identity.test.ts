import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SftConfig } from './config.ts'
import { sftIdentityOf, skillFilesOf } from './run-identity.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('a supervised run is another one when a file behind its skills changes', async () => {
  const path = folder.join('questions.jsonl')
  const config = (task: string, options: object) =>
    ({ prose: {}, evaluation: {}, skills: { own: { task, options } } }) as unknown as SftConfig
  const identity = async (...skill: Parameters<typeof config>) =>
    sftIdentityOf(config(...skill), undefined, await skillFilesOf(config(...skill)), {}, [])
  expect(await skillFilesOf(config('tally', {}))).toBeUndefined()
  const row = (answer: string) => JSON.stringify({ question: 'Who?', document: 'A text.', answers: [answer] })
  await writeFile(path, row('Ann'))
  const before = await identity('jsonl', { path })
  expect(await identity('jsonl', { path })).toEqual(before)
  await writeFile(path, row('Bo'))
  const after = await identity('jsonl', { path })
  expect(after.fingerprint).not.toBe(before.fingerprint)
  const differing = Object.keys(after.parts).filter((part) => after.parts[part] !== before.parts[part])
  expect(differing).toEqual(['the files of skills'])
})
