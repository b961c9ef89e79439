/** Made-up rows in the formats of published benchmarks, and a folder for files of them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Hook, type TemporaryFolder, temporaryFolder } from '@memagent/core/testing'
import { tasks } from '../registry.ts'
import type { Row } from '../rows/row-file.ts'
import type { Task } from '../task.ts'
import { countTokensRoughly as countTokens } from './fixtures.ts'

export const request = { seed: 1, lengthTokens: 500, countTokens }

/** Shared by the synthetic rows of every benchmark: answers that share no word with any other row. */
export const answers = Array.from({ length: 250 }, (_, i) => ({ i, answer: `Ximen${i} Qort${i}` }))
const context = (i: number, answer: string): string => `In café ${i} 🙂 sat ${answer}. It rained.`

export const longBenchRow = (i: number, answer: string, more: Row = {}): Row => ({
  input: `Who sat in café ${i}?`,
  context: context(i, answer),
  answers: [answer, `${answer} alone`],
  length: 8,
  dataset: 'hotpotqa',
  language: 'en',
  all_classes: null,
  _id: `id-${i}`,
  ...more,
})
export const choiceRow = (i: number, answer: string): Row => ({
  _id: `id-${i}`,
  domain: 'Single-Document QA',
  sub_domain: 'Literary',
  difficulty: i % 2 ? 'hard' : 'easy',
  length: 'short',
  question: `Who sat in café ${i}?`,
  ...Object.fromEntries(['A', 'B', 'C', 'D'].map((letter, at) => [`choice_${letter}`, `${answer} ${at}`])),
  answer: 'ABCD'[i % 4],
  context: context(i, answer),
})
export const mrcrRow = (i: number, answer: string): Row => ({
  prompt: JSON.stringify([
    { role: 'user', content: 'Write a poem about tapirs' },
    { role: 'assistant', content: `A poem by ${answer} é` },
    { role: 'user', content: `Prepend s${i}x to the 1st (1 indexed) poem about tapirs.` },
  ]),
  answer: `s${i}xA poem by ${answer} é`,
  random_string_to_prepend: `s${i}x`,
  n_needles: 1,
  desired_msg_index: 0,
  total_messages: 3,
  n_chars: 100,
})
export const made: Readonly<Record<string, (i: number, answer: string) => Row>> = {
  longbench: longBenchRow,
  'longbench-v2': choiceRow,
  narrativeqa: (i, answer) => ({
    question: `Who sat in café ${i}?`,
    answers: [answer],
    document: context(i, answer),
  }),
  babilong: (i) => ({
    input: `Mary went to the ${i % 2 ? 'kitchen' : 'garden'} of café ${i}.`,
    question: 'Where is Mary?',
    target: i % 2 ? 'kitchen' : 'garden',
  }),
  mrcr: mrcrRow,
  'memagent-eval': (i, answer) => ({
    index: i,
    input: `Who sat in café ${i}?`,
    context: context(i, answer),
    answers: [answer, `${answer} alone`],
    num_docs: 1,
  }),
}
export type PublishedName =
  | 'longbench'
  | 'longbench-v2'
  | 'narrativeqa'
  | 'babilong'
  | 'mrcr'
  | 'memagent-eval'

export const fixtures = join(import.meta.dirname, '../published/__fixtures__')

/** Files of rows and their tasks, in a folder that exists between two hooks of a test framework. */
export class RowFolder {
  readonly #folder: TemporaryFolder
  #written = 0

  constructor(before: Hook, after: Hook) {
    this.#folder = temporaryFolder(before, after)
  }

  /** The path of a file in the folder; creates nothing. */
  join(name: string): string {
    return this.#folder.join(name)
  }

  async fileOf(rows: readonly Row[], name = `rows-${this.#written}`): Promise<string> {
    this.#written += 1
    const path = this.join(`${name}.jsonl`)
    await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    return path
  }

  /** The task of these rows, or of the file at this path. */
  async create(name: PublishedName, rows: readonly Row[] | string, options: object = {}): Promise<Task> {
    const path = typeof rows === 'string' ? rows : await this.fileOf(rows)
    return (tasks[name] as (options: object) => Promise<Task>)({ path, ...options })
  }
}
