/** Identity of a user's own questions: their files may be edited between two runs. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { scanRows } from '../rows/open-rows.ts'

/**
 * A hash of the question file and the documents it names, or of the module without what that imports. Undefined for other
 * tasks: their questions follow from their options and the seed. @throws TaskError for a file that cannot be read
 */
export async function contentOfTask(
  name: string,
  options: Readonly<Record<string, unknown>> | undefined,
): Promise<string | undefined> {
  const path = options?.path
  if ((name !== 'jsonl' && name !== 'module') || typeof path !== 'string') return undefined
  const hash = createHash('sha256')
  await addFile(hash, resolve(path))
  for (const file of name === 'jsonl' ? await documentFilesOf(path) : []) {
    hash.update(`\0${file}\0`)
    await addFile(hash, resolve(dirname(resolve(path)), file))
  }
  return hash.digest('hex').slice(0, 16)
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

/** The task has already checked the rows, so errors in them are not reported again. */
async function documentFilesOf(path: string): Promise<ReadonlySet<string>> {
  const files = new Set<string>()
  for await (const { fields } of scanRows(resolve(path))) {
    try {
      const { documentFile } = fields()
      if (typeof documentFile === 'string') files.add(documentFile)
    } catch (error) {
      if (!(error instanceof TaskError)) throw error
    }
  }
  return files
}
