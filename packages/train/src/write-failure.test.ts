import { expect, it } from 'vitest'
import { writeFailure } from './write-failure.ts'

const failure = (code: string, syscall: string, path?: string) =>
  Object.assign(new Error(`${code}: no, ${syscall}`), { code, syscall, ...(path && { path }) })

it.each([
  ['ENOSPC', 'write'],
  ['EACCES', 'open', '/runs/one/metrics.jsonl'],
  ['EEXIST', 'mkdir', '/runs'],
])('%s of %s %s keeps a training from writing', (code, syscall, path?: string) => {
  expect(writeFailure(failure(code, syscall, path), '/runs/one')).toMatchObject({
    code: 'train/unwritable',
    message: expect.stringMatching(/^Cannot write in \/runs\/one: .*[^.]\.$/),
  })
})

it.each([
  ['ENOENT', 'open', '/runs/one/model/config.json'],
  ['EACCES', 'scandir', '/runs'],
  ['EACCES', 'open', '/texts/a.txt'],
])('%s of %s %s does not: it was read', (code, syscall, path?: string) => {
  const error = failure(code, syscall, path)
  expect(writeFailure(error, '/runs/one')).toBe(error)
})
