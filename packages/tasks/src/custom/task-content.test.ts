import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { tasks } from '../registry.ts'
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

it('a module is identified by its file, and by those that it imports', async () => {
  const path = folder.join('task.mjs')
  const contentWith = async (module: string, imported: string) => {
    await writeFile(path, module)
    await writeFile(folder.join('words.mjs'), imported)
    return contentOfTask('module', { path })
  }
  const contents = [
    await contentWith('export default 1', ''),
    await contentWith('export default 2', ''),
    await contentWith("export * from './words.mjs'", ''),
    await contentWith("export * from './words.mjs'", 'export default 1'),
  ]
  expect(new Set(contents).size).toBe(4)
  // Records of modules without imports continue as they began.
  expect(await contentWith('export default 1', 'export default 2')).toBe(contents[0])
})

it('rows of NarrativeQA are identified by the stories beside each part, too', async () => {
  const path = ['one', 'two'].map((part) => folder.join(`${part}/rows.jsonl`))
  for (const part of path) {
    await mkdir(dirname(part))
    await writeFile(part, `${JSON.stringify(line)}\n${JSON.stringify({ ...line, documentFile: 'gone.txt' })}`)
    await writeFile(join(dirname(part), 'book.txt'), 'Ann came.')
  }
  const content = await contentOfTask('narrativeqa', { path })
  await writeFile(folder.join('two/book.txt'), 'Ann went.')
  expect(await contentOfTask('narrativeqa', { path })).not.toBe(content)
  const published = join(import.meta.dirname, '../published/__fixtures__/narrativeqa.parquet')
  expect(await contentOfTask('narrativeqa', { path: published })).toMatch(/^[0-9a-f]{16}$/)
})

it('a folder of real documents is identified by its questions and texts, not by what stands beside them', async () => {
  const path = folder.join('collection')
  await mkdir(join(path, 'texts/licences'), { recursive: true })
  const contentWith = async (question: string, text: string, about: string) => {
    await writeFile(join(path, 'questions.jsonl'), question)
    await writeFile(join(path, 'texts/licences/mit.txt'), text)
    await writeFile(join(path, 'texts/README.md'), about)
    return contentOfTask('real-documents', { folder: path })
  }
  const content = await contentWith('a', 'b', 'c')
  expect(content).toMatch(/^[0-9a-f]{16}$/)
  expect(await contentWith('a', 'b', 'changed')).toBe(content)
  expect(await contentWith('changed', 'b', 'c')).not.toBe(content)
  expect(await contentWith('a', 'changed', 'c')).not.toBe(content)
})

it.each([
  ['longbench', (path: string) => ({ path: [path] })],
  ['ruler-hqa', (path: string) => ({ path: folder.join('book.txt'), questions: path })],
  ['niah-single-2', (path: string) => ({ essays: path })],
  ['niah-single-2', (path: string) => ({ wordLists: dirname(path) })],
  ['mixed', (path: string) => ({ tasks: { needle: { task: 'niah-single-2', options: { essays: path } } } })],
])('files of %s are part of its identity', async (name, optionsWith) => {
  const path = folder.join('lists/nounlist.txt')
  await mkdir(dirname(path), { recursive: true })
  await writeFile(folder.join('book.txt'), 'Ann came.')
  const contentWith = async (text: string) => {
    await writeFile(path, text)
    return contentOfTask(name, optionsWith(path))
  }
  const content = await contentWith('one')
  expect(content).toMatch(/^[0-9a-f]{16}$/)
  expect(await contentWith('one')).toBe(content)
  expect(await contentWith('other')).not.toBe(content)
})

it('every option that takes a path is known here', async () => {
  const named = new Set<string>()
  for (const { definition } of Object.values(tasks)) {
    const { options } = await definition()
    for (const [option, schema] of Object.entries(options.shape)) {
      const { takes } = (schema instanceof z.ZodOptional ? schema.unwrap() : schema).meta() ?? {}
      if (/\bpaths?\b/.test(`${takes}`)) named.add(option)
    }
  }

  expect([...named].toSorted()).toEqual(['essays', 'folder', 'path', 'questions', 'wordLists'])
})

it('other tasks are identified by their options', async () => {
  expect(await contentOfTask('multi-hop', { hops: 2 })).toBeUndefined()
})
