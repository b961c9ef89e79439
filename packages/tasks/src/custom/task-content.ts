/** Identity of the files that questions come from: they may be edited between two runs. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { hashOfImports, whyUnreadable } from '@memagent/core/node'
import { filesOfCollection } from '../real-documents/collection.ts'
import { scanRows } from '../rows/open-rows.ts'
import type { FoundRow } from '../rows/row-file.ts'

type Options = Readonly<Record<string, unknown>>

/**
 * Hash of the files that the options name: a question file with its documents, a module with what it imports by relative
 * paths. Undefined for tasks without files, whose questions follow from options and seed.
 * @param options that the task has accepted
 * @throws TaskError for a file that cannot be read
 */
export async function contentOfTask(name: string, options: Options = {}): Promise<string | undefined> {
  const hash = createHash('sha256')
  const { path } = options
  // The first tasks to be recorded; their hashes have no name before the first file.
  if ((name === 'jsonl' || name === 'module') && typeof path === 'string') {
    await addFile(hash, resolve(path))
    for (const file of name === 'jsonl' ? await documentFilesOf(path) : []) {
      hash.update(`\0${file}\0`)
      await addFile(hash, resolve(dirname(resolve(path)), file))
    }
    const imports = name === 'module' ? await hashOfImports(path) : undefined
    if (imports) hash.update(`\0imports\0${imports}`)
    return hash.digest('hex').slice(0, 16)
  }
  const files = await filesOf(name, options)
  if (files.length === 0) return undefined
  for (const file of files) {
    hash.update(`\0${basename(file)}\0`)
    await addFile(hash, resolve(file))
  }
  return hash.digest('hex').slice(0, 16)
}

/** Covers every option that names files; add new ones here. */
async function filesOf(name: string, options: Options): Promise<string[]> {
  if (name === 'mixed') {
    const { tasks = {}, shared } = options as Partial<MixedOptions>
    const parts = Object.values(tasks).map((part) => filesOf(part.task, { ...shared, ...part.options }))
    return (await Promise.all(parts)).flat()
  }
  const { path, questions, essays, folder, wordLists } = options
  const files = [path, questions, essays].flat().filter((one) => typeof one === 'string')
  if (name === 'narrativeqa') files.push(...(await Promise.all(files.map(storiesOf))).flat())
  if (typeof folder === 'string') files.push(...(await filesOfCollection(folder)))
  if (typeof wordLists === 'string') {
    const names = (await readdir(wordLists)).filter((one) => /\.(txt|json)$/.test(one)).toSorted()
    files.push(...names.map((one) => join(wordLists, one)))
  }
  return files
}

interface MixedOptions {
  readonly tasks: Readonly<Record<string, { readonly task: string; readonly options?: Options }>>
  readonly shared?: Options
}

async function addFile(hash: Hash, path: string): Promise<void> {
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) hash.update(bytes)
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable',
      message: `Cannot read ${path}, which the questions come from: ${whyUnreadable(cause)}.`,
      details: { path },
      cause,
    })
  }
}

/** Stories that rows name and that exist: rows that are not asked may name others. */
async function storiesOf(path: string): Promise<string[]> {
  const stories = [...(await documentFilesOf(path))].map((file) => resolve(dirname(resolve(path)), file))
  const isThere = await Promise.all(stories.map((story) => stat(story).catch(() => undefined)))
  return stories.filter((_, i) => isThere[i]?.isFile())
}

/** The task has already checked the rows, so errors in them are not reported again. */
async function documentFilesOf(path: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>()
  try {
    for await (const row of scanRows(resolve(path), ['documentFile'])) {
      const file = documentFileOf(row)
      if (typeof file === 'string') files.add(file)
    }
  } catch (error) {
    // In Parquet, rows without the field have no column of it.
    if (!(error instanceof TaskError) || error.code !== 'task/no-column') throw error
  }
  return files
}

function documentFileOf({ fields }: FoundRow): unknown {
  try {
    return fields().documentFile
  } catch (error) {
    if (error instanceof TaskError) return undefined
    throw error
  }
}
