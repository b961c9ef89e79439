/** A folder of real texts and questions about them: `texts/<kind>/<document>` and `questions.jsonl`. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { readText } from '../rows/read-file.ts'
import { type RealQuestion, type RealText, readQuestions } from './questions.ts'

export interface Collection {
  /** In the order of their paths. */
  readonly texts: readonly RealText[]
  readonly questions: readonly RealQuestion[]
}

/** Keeps the texts in memory. @throws TaskError for unreadable files, invalid UTF-8, and invalid questions */
export async function readCollection(folder: string): Promise<Collection> {
  const texts = await readTexts(join(folder, 'texts'))
  return { texts, questions: await readQuestions(join(folder, 'questions.jsonl'), texts) }
}

async function readTexts(folder: string): Promise<RealText[]> {
  const texts: RealText[] = []
  for (const { kind, name } of await listTexts(folder)) {
    texts.push({ path: `${kind}/${name}`, kind, text: await readText(join(folder, kind, name), hint) })
  }
  return texts
}

/** The questions and all texts. @throws TaskError for a folder that cannot be read */
export async function filesOfCollection(folder: string): Promise<string[]> {
  const texts = join(folder, 'texts')
  const names = await listTexts(texts)
  return [join(folder, 'questions.jsonl'), ...names.map(({ kind, name }) => join(texts, kind, name))]
}

/** Files in the subfolders; files directly in the folder are about the texts, not texts. */
async function listTexts(folder: string): Promise<{ kind: string; name: string }[]> {
  const found: { kind: string; name: string }[] = []
  for (const kind of await namesIn(folder, 'folders')) {
    for (const name of await namesIn(join(folder, kind), 'files')) found.push({ kind, name })
  }
  return found
}

async function namesIn(folder: string, what: 'files' | 'folders'): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((cause) => {
    const message = `cannot read ${folder}: ${whyUnreadable(cause)}`
    throw new TaskError({ code: 'task/unreadable-file', message, hint, details: { path: folder }, cause })
  })
  return entries
    .filter(
      (entry) => !entry.name.startsWith('.') && (what === 'files' ? entry.isFile() : entry.isDirectory()),
    )
    .map(({ name }) => name)
    .sort()
}

const hint = 'The folder holds questions.jsonl and the texts, as texts/<kind>/<document>.'
