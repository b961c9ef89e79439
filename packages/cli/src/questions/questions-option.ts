/** `--questions` and `--format` of `ask`. */
import { existsSync } from 'node:fs'
import { type Command, Option } from 'commander'
import { UsageError } from '../failures.ts'
import type { OutputFlags, Terminal } from '../terminal.ts'
import { type QuestionList, questionList } from './question-list.ts'

const answerFormats = ['text', 'jsonl', 'csv'] as const
export type AnswerFormat = (typeof answerFormats)[number]

export interface QuestionsFlags {
  readonly questions?: string
  readonly format?: AnswerFormat
}

export const addQuestionsOption = (command: Command): Command =>
  command.option(
    '--questions <file>',
    'ask all questions of this file instead: one a line, .jsonl, or .csv; "-": standard input',
  )

export const addFormatOption = (command: Command): Command =>
  command.addOption(
    new Option('--format <format>', 'how to print the answers to several questions').choices(answerFormats),
  )

interface OtherFlags extends OutputFlags {
  readonly follow?: boolean
}

/**
 * Undefined without `--questions`.
 * @param files the texts
 * @throws UsageError for flags that contradict each other, and for a file that holds no questions
 */
export async function questionsFrom(
  flags: QuestionsFlags & OtherFlags,
  files: readonly string[],
  terminal: Pick<Terminal, 'stdin'>,
): Promise<QuestionList | undefined> {
  const { questions: path, format, json, events, follow } = flags
  if (format !== undefined && (json || events)) {
    throw new UsageError({
      code: 'cli/two-formats',
      message: `--format ${format} and ${json ? '--json' : '--events'} both say how to print.`,
      hint: 'Leave one of them out.',
    })
  }
  if (path === undefined) {
    if (format === undefined) return undefined
    throw new UsageError({
      code: 'cli/format-without-questions',
      message: '--format is for the answers to several questions (--questions FILE).',
      hint: 'For one answer, use --json.',
    })
  }
  if (follow) {
    throw new UsageError({
      code: 'cli/questions-of-followed',
      message: '--follow renews the answer to one question, and --questions asks several.',
      hint: 'Leave one of them out.',
    })
  }
  if (path === '-' && (files.length === 0 || files.includes('-'))) {
    throw new UsageError({
      code: 'cli/input-twice',
      message: 'Standard input can hold the questions or the text, not both.',
      hint: 'Name the files of the text, or save the questions to a file.',
    })
  }
  const [first] = files
  if (first !== undefined && /\s|\?$/.test(first) && !existsSync(first) && !(await matchesFiles(first))) {
    throw new UsageError({
      code: 'cli/question-twice',
      message: `With --questions, all arguments are texts, and there is no file ${first}`,
      hint: 'A question of its own belongs in the file of the others.',
    })
  }
  const { readQuestionFile } = await import('./question-file.ts')
  return questionList(await readQuestionFile(path, terminal), path === '-' ? 'standard input' : path)
}

/** Whether the path is a pattern that matches files. */
async function matchesFiles(path: string): Promise<boolean> {
  const { findFiles } = await import('@memagent/documents')
  return findFiles([path], {}).then(
    (files) => files.length > 0,
    () => false,
  )
}
