/** A folder of real texts and questions about them: `texts/<kind>/<document>` and `questions.jsonl`. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { parseQuestions, type RealQuestion, type RealText } from './questions.ts'

export interface Collection {
  /** In the order of their paths. */
  readonly texts: readonly RealText[]
  readonly questions: readonly RealQuestion[]
}

/** The texts are held in memory. @throws TaskError for what cannot be read or is no UTF-8, and for wrong questions */
export async function readCollection(folder: string): Promise<Collection> {
  const texts = await readTexts(join(folder, 'texts'))
  const path = join(folder, 'questions.jsonl')
  return { texts, questions: parseQuestions(await readText(path), texts, path) }
}

/** Files of the folders in it; those that lie beside the folders say things about the texts, and are none. */
async function readTexts(folder: string): Promise<RealText[]> {
  const texts: RealText[] = []
  for (const kind of await namesIn(folder, 'folders')) {
    for (const name of await namesIn(join(folder, kind), 'files')) {
      texts.push({ path: `${kind}/${name}`, kind, text: await readText(join(folder, kind, name)) })
    }
  }
  return texts
}

async function namesIn(folder: string, what: 'files' | 'folders'): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    throw unreadable(folder, cause)
  })
  return entries
    .filter(
      (entry) => !entry.name.startsWith('.') && (what === 'files' ? entry.isFile() : entry.isDirectory()),
    )
    .map(({ name }) => name)
    .sort()
}

const decoder = new TextDecoder('utf-8', { fatal: true })

async function readText(path: string): Promise<string> {
  try {
    return decoder.decode(await readFile(path))
  } catch (cause) {
    throw unreadable(path, cause)
  }
}

function unreadable(path: string, cause: unknown): TaskError {
  return new TaskError({
    code: 'task/unreadable-collection',
    message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
    hint: 'The folder holds questions.jsonl and the texts, as texts/<kind>/<document>.',
    details: { path },
    cause,
  })
}
