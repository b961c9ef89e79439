/** `memagent ask "QUESTION" [FILE...]`, and `memagent notes [FILE...]`, which reads the same way without a question. */
import { existsSync } from 'node:fs'
import { type Answer, LimitError, promptsFor, WarningLog } from '@memagent/core'
import { createFileCheckpointStore, lockFile } from '@memagent/core/node'
import type { SourceRemark } from '@memagent/documents'
import { Command } from 'commander'
import { type OpenedModel, openingStage, openModel } from '../backends.ts'
import { addConfiguration } from '../configuration/apply.ts'
import { exitCodes, report } from '../failures.ts'
import { keepRun } from '../run-store/keep-run.ts'
import type { KeptRun } from '../run-store/kept-run.ts'
import { addStoreOption, type StoreFlags } from '../run-store/store-option.ts'
import { createServerWaits } from '../server-waits.ts'
import { printable, printableLines, printJson, type Terminal } from '../terminal.ts'
import { openView } from '../view/progress.ts'
import { chunksAhead, noteOnAhead } from './ahead-option.ts'
import { addLimitOptions, type LimitFlags, limitsOf } from './limit-options.ts'
import { addTextOptions, openText, printRemarks, type TextFlags } from './open-text.ts'
import {
  addReadingOptions,
  chooseWorkflow,
  modelRequest,
  noteOnProfile,
  type ReadingFlags,
  readingWith,
  samplingOf,
} from './reading-options.ts'
import { type EndEvent, leavingOnSignals, type ReadingRun, runReading } from './run-reading.ts'
import { addSearchOptions, type SearchFlags, searchingWith } from './search-options.ts'
import {
  addSourcesOptions,
  checkSourcesFlags,
  exitCodeAfter,
  type SourcesFlags,
  sourcesFields,
  tellSources,
  verified,
} from './sources-option.ts'

export interface AskFlags extends ReadingFlags, LimitFlags, SearchFlags, SourcesFlags, TextFlags, StoreFlags {
  readonly checkpoint?: string
  readonly allowEmpty?: boolean
  readonly json?: boolean
  readonly events?: boolean
  readonly quiet?: boolean
  readonly color: boolean
}

export function askCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  const command = new Command('ask')
    .description('answer a question about texts of any length')
    .argument('<question>')
    .showHelpAfterError('To take general notes, without a question: memagent notes FILE...')
  return addReadingTo(command, terminal)
    .addHelpText(
      'after',
      '\nExit codes: 0 found, 3 not in the text, 4 unsure (a warning says why the answer may be wrong), 1 failed, 2 wrong usage.',
    )
    .action(async (question: string, files: string[], flags: AskFlags) => {
      setExitCode(await ask(question, files, flags, terminal))
    })
}

export function notesCommand(terminal: Terminal, setExitCode: (code: number) => void): Command {
  return addReadingTo(new Command('notes'), terminal)
    .description('take notes on texts of any length, without a question')
    .addHelpText('after', '\nExit codes: 0 notes, 3 nothing was noted, 1 failed, 2 wrong usage.')
    .action(async (files: string[], flags: AskFlags) => {
      setExitCode(await ask(undefined, files, flags, terminal))
    })
}

const addReadingTo = (command: Command, terminal: Terminal): Command =>
  addTextOptions(
    addStoreOption(
      addConfiguration(
        addSourcesOptions(addLimitOptions(addSearchOptions(addReadingOptions(command)))),
        terminal,
      ),
    ),
    'texts, read in order: files, folders, archives; "-" or none: standard input',
  )
    .option('--no-store', 'do not keep the run')
    .option(
      '--checkpoint <file>',
      'save every step to this file instead of the store, and resume from it if it exists',
    )
    .option('--allow-empty', 'accept an empty text instead of treating it as a mistake')
    .option('--json', 'print one JSON document instead of plain text')
    .option('--events', 'print every event as a JSON line')
    .option('--quiet', 'no progress')
    .option('--no-color', 'no colours')

const exitCodeOf = {
  found: exitCodes.ok,
  'not-found': exitCodes.notFound,
  unsure: exitCodes.unsure,
} as const

function answerText({ text, outcome }: Answer, isPart: boolean): string {
  if (text !== '') return printable(text)
  if (isPart) return 'The part of the text that was read does not answer this question.'
  return outcome === 'not-found'
    ? 'The text does not answer this question.'
    : 'The notes do not answer this question, but they may be incomplete.'
}

const tellsOfUnread: ReadonlySet<string> = new Set(['ended-early', 'passed-over'])

/** Prints the answer or the notes, and the warnings that affect them. */
function printEnd(
  end: EndEvent,
  { model, workflow, profile }: Pick<ReadingRun, 'model' | 'workflow' | 'profile'>,
  flags: AskFlags,
  remarks: readonly SourceRemark[],
  terminal: Terminal,
  rechecked: Awaited<ReturnType<typeof verified>>,
): void {
  const { stdout, stderr } = terminal
  const { warnings, memory, steps, usage, seconds, unread } = end
  if (flags.json) {
    printJson(stdout, {
      ...(end.type === 'answer'
        ? { answer: end.answer.text, outcome: end.answer.outcome, warnings, memory }
        : { notes: memory, warnings }),
      steps,
      usage,
      seconds,
      unread,
      remarks,
      ...sourcesFields(end, rechecked),
      model: model.name,
      workflow: workflow.name,
      profile: {
        name: profile.name,
        prompts: promptsFor(workflow, profile.prompts).name,
        budget: profile.budget,
      },
    })
  } else if (!flags.events) {
    if (end.type === 'answer') stdout.write(`${answerText(end.answer, unread !== undefined)}\n`)
    else if (memory !== '') stdout.write(`${printableLines(memory)}\n`)
    else stderr.write('Nothing was noted.\n')
    tellSources(end, rechecked, terminal)
  }
  printRemarks(remarks, stderr)
  for (const { code, touchesAnswer, message, count } of warnings) {
    const which = count === 1 ? '' : ` (the first of ${count} such warnings)`
    if (end.type === 'notes') stderr.write(`warning: ${printable(message)}${which}\n`)
    else if (touchesAnswer) stderr.write(`unsure: ${printable(message)}${which}\n`)
    else if (tellsOfUnread.has(code)) stderr.write(`note: ${printable(message)}\n`)
  }
}

/** @param question undefined: general notes @param resumed the run in the store that is to be continued */
export async function ask(
  question: string | undefined,
  files: readonly string[],
  flags: AskFlags,
  terminal: Terminal,
  resumed?: string,
): Promise<number> {
  const { stderr, environment } = terminal
  let kept: KeptRun | undefined
  const view = openView(flags, terminal)
  const warningLog = new WarningLog()
  const remarks: SourceRemark[] = []
  try {
    view?.waitFor('opening the text')
    const limits = limitsOf(flags)
    const chosen = await chooseWorkflow(flags)
    kept = await keepRun({ question, files, flags, resumed }, terminal, view)
    const open = (from: Terminal) => {
      // A text that is opened again is remarked on once.
      remarks.length = 0
      return openText(files, flags, from, question === undefined ? 'notes' : 'ask "QUESTION"', remarks)
    }
    const document = await (kept ? kept.openText(terminal, open) : open(terminal))
    checkSourcesFlags(flags, document)
    // Before the model, which may take minutes to load.
    const lock = flags.checkpoint ? await lockFile(flags.checkpoint) : undefined
    let opened: OpenedModel | undefined
    try {
      view?.waitFor(openingStage(flags.model))
      const waits = createServerWaits(view)
      opened = await leavingOnSignals(
        () => openModel(modelRequest(flags, chunksAhead(flags, chosen.workflow)), environment, waits),
        async () => {
          view?.end()
          stderr.write('Interrupted.\n')
          await lock?.release()
          await kept?.close()
        },
      )
      const { model, isBundled } = opened
      if (isBundled) {
        const fit =
          question === undefined ? 'was trained for questions alone and notes little without one' : 'is tiny'
        view?.note(
          `No model was named: reading with the bundled one (${model.name}), which ${fit}. Name a larger one with --model.`,
        )
      }
      const { profile, workflow: named } = await readingWith(model, flags, chosen)
      const workflow = searchingWith(named, flags, environment, waits)
      for (const note of [noteOnProfile(model, profile, workflow), noteOnAhead(flags, workflow)]) {
        if (note !== undefined) view?.note(note)
      }
      const result = await runReading(
        {
          question,
          document,
          model,
          profile,
          workflow,
          sampling: samplingOf(flags),
          limits,
          concurrency: flags.concurrency,
          ahead: chunksAhead(flags, workflow),
          allowEmpty: flags.allowEmpty,
          provenance: flags.sources,
          waits,
          checkpoints: flags.checkpoint
            ? createFileCheckpointStore(flags.checkpoint)
            : await kept?.checkpoints(document.name, model.name, workflow.name),
          warnings: warningLog,
          printEvents: flags.events ?? false,
          view,
        },
        terminal,
      )
      await kept?.finish(result)
      const rechecked = await verified(result, flags, document)
      printEnd(result, { model, workflow, profile }, flags, remarks, terminal, rechecked)
      if (result.type === 'answer') return exitCodeAfter(exitCodeOf[result.answer.outcome], rechecked)
      return result.memory === '' ? exitCodes.notFound : exitCodeAfter(exitCodes.ok, rechecked)
    } finally {
      await opened?.model.close?.()
      await lock?.release()
    }
  } catch (cause) {
    view?.end()
    printRemarks(remarks, stderr)
    const error = kept ? await kept.stop(cause) : cause
    return report(error, terminal, {
      json: flags.json ?? false,
      events: flags.events,
      warnings: warningLog.warnings,
      resumeHint: flags.checkpoint
        ? existsSync(flags.checkpoint)
          ? `Run the same command again${LimitError.isInstance(error) ? ', with a higher limit,' : ''} to resume from ${flags.checkpoint}.`
          : undefined
        : kept
          ? kept.resumeHint(error)
          : 'With --checkpoint FILE, a run can be resumed.',
    })
  } finally {
    await kept?.close()
  }
}
