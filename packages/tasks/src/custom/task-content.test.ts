import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { contentOfTask } from './task-content.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const line = { question: 'Who?', documentFile: 'book.txt', answers: ['Ann'] }

async function contentWith(answers: readonly string[], book: string): Promise<string | undefined> {
  const path = folder.join('mine.jsonl')
  await writeFile(folder.join('book.txt'), book)
  await writeFile(path, `${JSON.stringify({ ...line, answers })}\n\n${JSON.stringify(line)}`)
  return contentOfTask('jsonl', { path })
}

it('a question file is identified by its lines and the documents they name', async () => {
  const content = await contentWith(['Ann'], 'Ann came.')
  expect(content).toMatch(/^[0-9a-f]{16}$/)
  expect(await contentWith(['Ann'], 'Ann came.')).toBe(content)
  expect(await contentWith(['Ann'], 'Ann went.')).not.toBe(content)
  expect(await contentWith(['Bob'], 'Ann came.')).not.toBe(content)
})

it('a byte order mark hides no document', async () => {
  const path = folder.join('marked.jsonl')
  await writeFile(path, `\uFEFF${JSON.stringify(line)}`)
  await writeFile(folder.join('book.txt'), 'Ann came.')
  const content = await contentOfTask('jsonl', { path })
  await writeFile(folder.join('book.txt'), 'Ann went.')
  expect(await contentOfTask('jsonl', { path })).not.toBe(content)
})

it('a module is identified by its file', async () => {
  const path = folder.join('task.mjs')
  await writeFile(path, 'export default 1')
  const content = await contentOfTask('module', { path })
  await writeFile(path, 'export default 2')
  expect(await contentOfTask('module', { path })).not.toBe(content)
})

it('other tasks are identified by their options', async () => {
  expect(await contentOfTask('multi-hop', { path: folder.join('task.mjs') })).toBeUndefined()
})
