/** Inputs of recorded samples: made-up prose and files, and a token count independent of any tokenizer. */
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { ProseSource } from '../prose/prose-source.ts'
import { sampleProse } from './fixtures.ts'
import { answers, made } from './published-rows.ts'
import { madeHotpotQa, madeSquad } from './qa-files.ts'

const repository = resolve(import.meta.dirname, '../../../..')

export interface SampleInputs {
  readonly prose: ProseSource
  /** Hash of the prose and the files. */
  readonly hash: string
  /** A task's options with its prose and file added. */
  complete(task: string, options: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>
}

/** @param folder for the synthetic files; must exist while samples are drawn */
export async function makeSampleInputs(folder: string): Promise<SampleInputs> {
  const prose = sampleProse()
  const hash = createHash('sha256').update(prose.fingerprint)
  const paths = new Map<string, string>()
  for (const [task, content] of Object.entries(madeFiles())) {
    const path = join(folder, `${task}.${content.startsWith('[') || task === 'qa-squad' ? 'json' : 'jsonl'}`)
    await writeFile(path, content)
    hash.update(JSON.stringify([task, content]))
    paths.set(task, path)
  }
  return {
    prose,
    hash: hash.digest('hex').slice(0, 12),
    complete: (task, options) => ({
      prose,
      ...options,
      ...(paths.has(task) ? { path: paths.get(task) } : {}),
      ...(typeof options.folder === 'string' ? { folder: join(repository, options.folder) } : {}),
    }),
  }
}

function madeFiles(): Readonly<Record<string, string>> {
  const hotpotQa = JSON.stringify([...madeHotpotQa({ questions: 120 })])
  const published = Object.entries(made).map(([task, row]) => [
    task,
    lines(answers.slice(0, 120).map(({ i, answer }) => row(i, answer))),
  ])
  return {
    'qa-squad': JSON.stringify(madeSquad({ articles: 40, paragraphs: 10 })),
    'qa-hotpotqa': hotpotQa,
    'ruler-hqa': hotpotQa,
    jsonl: lines(
      answers.slice(0, 120).map(({ i, answer }) => ({
        question: `Who sat in café ${i}?`,
        document: `In café ${i} 🙂 sat ${answer}. It rained.`,
        answers: i % 5 === 4 ? [] : [answer],
      })),
    ),
    ...Object.fromEntries(published),
  }
}

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
