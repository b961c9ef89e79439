/** `ask --questions`: reads a text for all questions, stores the run, and prints how each ended. */
import { MemAgentError, type TextDocument } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import type { AskFlags } from '../commands/ask-options.ts'
import type { Result } from '../commands/print-result.ts'
import type { ReadingRun } from '../commands/run-reading.ts'
import { verified } from '../commands/sources-option.ts'
import { exitCodes } from '../failures.ts'
import type { KeptRun } from '../run-store/kept-run.ts'
import { printable, type Terminal } from '../terminal.ts'
import { answeredQuestions, exitCodeOfAll, printAnswers } from './print-answers.ts'
import type { QuestionList } from './question-list.ts'
import { type QuestionAnswer, type QuestionEnd, runQuestions } from './run-questions.ts'

export interface QuestionsReading {
  readonly questions: QuestionList
  readonly run: Omit<ReadingRun, 'question'>
  readonly reading: Result['reading']
  readonly flags: AskFlags
  readonly kept: KeptRun | undefined
  /** Filled while the text is read. */
  readonly remarks: readonly SourceRemark[]
  /** How to go on after an error. */
  readonly hintFor: (error: MemAgentError) => string | undefined
}

/** @returns the exit code */
export async function answerQuestions(
  { questions, run, reading, flags, kept, remarks, hintFor }: QuestionsReading,
  terminal: Terminal,
): Promise<number> {
  const again = questions.asked.length - questions.read.length
  if (again > 0)
    run.view?.note(`${again} of the questions ${again === 1 ? 'is' : 'are'} asked twice, and read once.`)
  const ends = await runQuestions(run, questions.read, terminal)
  const answers = ends.filter((end): end is QuestionAnswer => end.type === 'answer')
  const isWhole = answers.length === ends.length
  const notKept = isWhole ? await kept?.finish({ type: 'answers', answers }) : undefined
  const rechecked = await verifiedAll(ends, flags, run.document, terminal)
  const answered = answeredQuestions(questions, ends, rechecked)
  await printAnswers({ questions: answered, ends, reading, remarks }, flags, terminal)
  if (notKept !== undefined) terminal.stderr.write(`warning: ${printable(notKept)}\n`)
  if (!isWhole) {
    const failed = answered.filter(({ end }) => end.type !== 'answer').length
    const message = `${failed} of ${answered.length} questions failed: nothing is known of their answers.`
    const error = new MemAgentError({ code: 'questions/failed', message })
    await kept?.stop(error)
    const hint = hintFor(error)
    terminal.stderr.write(`${message}\n${hint === undefined ? '' : `  ${printable(hint)}\n`}`)
    return exitCodes.failed
  }
  return exitCodeOfAll(answered)
}

async function verifiedAll(
  ends: readonly QuestionEnd[],
  flags: AskFlags,
  document: TextDocument,
  terminal: Terminal,
) {
  const all: Awaited<ReturnType<typeof verified>>[] = []
  // One after another: each opens the text again.
  for (const end of ends) {
    all.push(end.type === 'answer' ? await verified(end, flags, document, terminal) : undefined)
  }
  return all
}
