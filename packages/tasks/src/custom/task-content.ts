/** What questions of a user's own depend on: files that may be edited between two runs under one name. */
import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'

const lineFeed = 10

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
  const documents = new Set<string>()
  for await (const line of addFile(hash, resolve(path))) {
    const file = name === 'jsonl' ? documentFileOf(line) : undefined
    if (file !== undefined) documents.add(file)
  }
  for (const file of documents) {
    hash.update(`\0${file}\0`)
    for await (const _ of addFile(hash, resolve(dirname(resolve(path)), file)));
  }
  return hash.digest('hex').slice(0, 16)
}

/** The lines of a file, which is hashed on the way. */
async function* addFile(hash: Hash, path: string): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] = []
  try {
    for await (const bytes of createReadStream(path) as AsyncIterable<Uint8Array>) {
      hash.update(bytes)
      let from = 0
      for (let at = bytes.indexOf(lineFeed); at >= 0; at = bytes.indexOf(lineFeed, from)) {
        yield Buffer.concat([...held, bytes.subarray(from, at)])
        held = []
        from = at + 1
      }
      held.push(bytes.subarray(from))
    }
  } catch (cause) {
    throw new TaskError({
      code: 'task/unreadable',
      message: `Cannot read ${path}, which the questions come from: ${whyUnreadable(cause)}.`,
      details: { path },
      cause,
    })
  }
  yield Buffer.concat(held)
}

/** The task has checked its lines; what is wrong with one is not told twice. */
function documentFileOf(line: Uint8Array): string | undefined {
  try {
    const { documentFile } = JSON.parse(new TextDecoder().decode(line)) as { documentFile?: unknown }
    return typeof documentFile === 'string' ? documentFile : undefined
  } catch {
    return undefined
  }
}
