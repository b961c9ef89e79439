/** `memagent resume [RUN]`: continues a run where it stopped. */
import { MemAgentError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import type { RunResult, StoredRun } from '@memagent/store'
import { Command } from 'commander'
import { configuredLimits } from '../configuration/configured-limits.ts'
import { report, UsageError } from '../failures.ts'
import { answeredQuestions, exitCodeOfAll, printAnswers } from '../questions/print-answers.ts'
import { questionList } from '../questions/question-list.ts'
import { addFormatOption } from '../questions/questions-option.ts'
import { latestRun } from '../run-store/latest-run.ts'
import { namingStore, openStore, storeArgument } from '../run-store/open-store.ts'
import { questionsOf, settingsFrom } from '../run-store/run-settings.ts'
import { addStoreOption } from '../run-store/store-option.ts'
import { readSession } from '../sessions/read-session.ts'
import { givenTo, sessionOfRun } from '../sessions/session-settings.ts'
import { eventPrinter, printJson, type Terminal } from '../terminal.ts'
import type { AskFlags } from './ask-options.ts'
import { addLimitOptions } from './limit-options.ts'
import { exitCodeFor, printResult } from './print-result.ts'
import { readTexts } from './read-texts.ts'
import { addOutputOptions, headerLines } from './reading-options.ts'

export function resumeCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('resume').argument(
    '[run]',
    'its name, or how that begins (default: the latest unfinished run)',
  )
  const options = addFormatOption(addStoreOption(addLimitOptions(command)))
    .option('--base-url <url>', 'server of an openai: or ollama: model, if it moved')
    .option('--header <line>', "extra header for the server, 'Name: value' (repeatable)", headerLines)
  return addOutputOptions(options)
    .description('resume a stopped run with the same settings')
    .addHelpText('after', '\nExit codes: those of ask and notes.')
    .action(async (id: string | undefined, flags: AskFlags, command: Command) => {
      setExitCode(await resume(id, flags, command, terminal))
    })
}

async function resume(
  named: string | undefined,
  flags: AskFlags,
  command: Command,
  terminal: Terminal,
): Promise<number> {
  try {
    const { store: opened, place } = await openStore(flags, terminal)
    const idOf = async () =>
      named ?? (await latestRun(opened, terminal, { state: 'unfinished', quiet: flags.quiet }))
    const run = await idOf()
      .then((id) => opened.load(id))
      .finally(() => opened.close())
    if (run.result) return await showAgain(run, run.result, flags, terminal)
    const session = sessionOfRun(run.settings)
    if (session !== undefined) {
      const of = { isGiven: givenTo(command), onEvent: eventPrinter(flags, terminal) }
      return await readSession({ name: session, files: [], flags, ...of }, terminal)
    }
    const { folder, files, flags: kept, leftOut, questions: asked } = settingsFrom(run)
    const given = new Set([flags.header && '--header', flags.baseUrl && '--base-url'])
    const missing = leftOut.filter((option) => !given.has(option))
    if (missing.length > 0) throw notKept(run.id, missing)
    // Paths are relative to the folder in which the run was begun.
    enterFolder(folder, run.id)
    const store = place.isDefault ? undefined : { store: place.path }
    // Without the configured limits, the rest of the run would have no budget.
    const limits = await configuredLimits(terminal.environment, kept.model)
    // The model's default may be another by now.
    const all = { workflow: run.workflow, ...limits, ...kept, ...flags, ...store }
    const questions = asked && questionList(asked, 'the run')
    return await readTexts(
      { question: run.question, questions, files, flags: all, resumed: run.id },
      terminal,
    )
  } catch (error) {
    return report(namingStore(error, flags), terminal, flags)
  }
}

/** Prints the stored answer or notes of a finished run. Asks no model and reads no text. */
async function showAgain(
  run: StoredRun,
  end: RunResult,
  flags: AskFlags,
  terminal: Terminal,
): Promise<number> {
  const { id, model, workflow } = run
  const shown = { reading: { model, workflow } }
  if (!flags.quiet) {
    terminal.stderr.write(`Run ${id} is finished: memagent show ${id}${storeArgument(flags)}\n`)
  }
  if (end.type === 'answers') {
    const questions = answeredQuestions(questionsOf(run), end.answers)
    for (const [question, answer] of flags.events ? end.answers.entries() : []) {
      printJson(terminal.stdout, { ...answer, question })
    }
    await printAnswers({ ...shown, questions, ends: end.answers }, flags, terminal)
    return exitCodeOfAll(questions)
  }
  if (flags.events) printJson(terminal.stdout, end)
  printResult({ ...shown, end, rechecked: undefined }, flags, terminal)
  return exitCodeFor(end)
}

function enterFolder(folder: string, id: string): void {
  try {
    if (process.cwd() !== folder) process.chdir(folder)
  } catch (cause) {
    throw new MemAgentError({
      code: 'cli/no-folder',
      message: `The folder in which the run ${id} was begun cannot be entered: ${folder} (${whyUnreadable(cause)}).`,
      hint: 'Put it back, or repeat the command that began the run where the texts are now: that continues it.',
      details: { id, folder },
      cause,
    })
  }
}

const notKept = (id: string, options: readonly string[]) =>
  new UsageError({
    code: 'cli/not-kept',
    message: `The run ${id} was begun with ${options.join(' and ')}, which is not kept, since it may contain secrets.`,
    hint: 'Give it again, or repeat the command that began the run: that continues it, too.',
    details: { id },
  })
