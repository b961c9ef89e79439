/** Shared by `ask`, `notes` and `resume`: opens texts and model, reads, stores the run, and prints how it ended. */
import { existsSync } from 'node:fs'
import { LimitError, promptsFor, WarningLog } from '@memagent/core'
import { createFileCheckpointStore, lockFile } from '@memagent/core/node'
import type { SourceRemark } from '@memagent/documents'
import { type OpenedModel, openingStage, openModel } from '../backends.ts'
import { Interruption, report } from '../failures.ts'
import { followedPath, openFollowed } from '../follow/follow-options.ts'
import { Follower } from '../follow/follower.ts'
import type { QuestionList } from '../questions/question-list.ts'
import { questionsFrom } from '../questions/questions-option.ts'
import { keepRun } from '../run-store/keep-run.ts'
import type { KeptRun } from '../run-store/kept-run.ts'
import { createServerWaits } from '../server-waits.ts'
import { leavingOnSignals } from '../signals.ts'
import { eventPrinter, printable, printJson, type Terminal } from '../terminal.ts'
import { openView, type ProgressView } from '../view/progress.ts'
import { chunksAhead, noteOnAhead } from './ahead-option.ts'
import type { AskFlags } from './ask-options.ts'
import { limitsOf } from './limit-options.ts'
import { openText, printRemarks } from './open-text.ts'
import { exitCodeFor, printResult } from './print-result.ts'
import { chooseWorkflow, modelRequest, noteOnProfile, readingWith, samplingOf } from './reading-options.ts'
import { type EndEvent, runReading } from './run-reading.ts'
import { searchingWith } from './search-options.ts'
import { checkSourcesFlags, verified } from './sources-option.ts'

export interface TextsRequest {
  /** Undefined: general notes. */
  readonly question: string | undefined
  readonly files: readonly string[]
  readonly flags: AskFlags
  /** The questions of a resumed run. @default those of `--questions` */
  readonly questions?: QuestionList | undefined
  /** The run in the store to resume. */
  readonly resumed?: string | undefined
}

/** @returns the exit code */
export async function readTexts(
  { question, questions: given, files, flags, resumed }: TextsRequest,
  terminal: Terminal,
): Promise<number> {
  const { stderr, environment } = terminal
  let kept: KeptRun | undefined
  const view = openView(flags, terminal)
  const warningLog = new WarningLog()
  const remarks: SourceRemark[] = []
  let canResume = true
  const hintFor = (error: unknown) =>
    !canResume ? undefined : kept ? kept.resumeHint(error) : hintWithoutStore(flags, error)
  try {
    view?.waitFor('opening the text')
    const limits = limitsOf(flags)
    const questions = given ?? (await questionsFrom(flags, files, terminal))
    const followed = followedPath(files, flags)
    const follower = followed === undefined ? undefined : new Follower(flags, terminal)
    const chosen = await chooseWorkflow(flags)
    kept = await keepRun({ question, questions, files, flags, resumed }, terminal, view)
    const open = (from: Terminal) => {
      // A text that is opened again must not repeat its remarks.
      remarks.length = 0
      return openText(files, flags, from, usageOf(question, questions), remarks)
    }
    const document = await (followed === undefined
      ? (kept?.openText(terminal, open) ?? open(terminal))
      : openFollowed(
          {
            path: followed,
            flags,
            inputName: await kept?.followedInput(),
            isResumed: resumed !== undefined,
            onRotation: (message) => {
              canResume = false
              stderr.write(`note: ${printable(message)} Such a reading cannot be resumed.\n`)
            },
          },
          terminal,
        ))
    checkSourcesFlags(flags, document)
    // Locked before the model is opened, which may take minutes.
    const lock = flags.checkpoint ? await lockFile(flags.checkpoint) : undefined
    let opened: OpenedModel | undefined
    try {
      view?.waitFor(openingStage(flags.model))
      const waits = createServerWaits(view)
      const atOnce = Math.max(questions?.read.length ?? 1, chunksAhead(flags, chosen.workflow))
      opened = await leavingOnSignals(
        () => openModel(modelRequest(flags, atOnce), environment, waits),
        terminal,
        flags,
        view,
        async () => {
          await lock?.release()
          await kept?.close()
        },
      )
      const { model } = opened
      noteOnModel(opened, question ?? questions, view)
      const { profile, workflow: named } = await readingWith(model, flags, chosen)
      const workflow = searchingWith(named, flags, environment, waits)
      for (const note of [noteOnProfile(model, profile, workflow), noteOnAhead(flags, workflow)]) {
        if (note !== undefined) view?.note(note)
      }
      if (follower) view?.end()
      const run = {
        document,
        model,
        profile,
        workflow,
        sampling: samplingOf(flags),
        limits,
        concurrency: flags.concurrency,
        ahead: chunksAhead(flags, workflow, questions?.read.length),
        allowEmpty: flags.allowEmpty,
        provenance: flags.sources,
        waits,
        checkpoints: flags.checkpoint
          ? createFileCheckpointStore(flags.checkpoint)
          : await kept?.checkpoints(document.name, model.name, workflow.name),
        cache: flags.cache === false ? undefined : kept?.replies,
        warnings: warningLog,
        onEvent: follower ? undefined : eventPrinter(flags, terminal),
        follower,
        view: follower ? undefined : view,
      }
      const prompts = promptsFor(workflow, profile.prompts).name
      const reading = {
        model: model.name,
        workflow: workflow.name,
        profile: { name: profile.name, prompts, budget: profile.budget },
      }
      if (questions) {
        const { answerQuestions } = await import('../questions/answer-questions.ts')
        return await answerQuestions({ questions, run, reading, flags, kept, remarks, hintFor }, terminal)
      }
      let isInterrupted = false
      const end = await runReading({ ...run, question }, terminal).catch((error) => {
        const last = lastAnswer(follower, error)
        isInterrupted = true
        return last
      })
      if (isInterrupted) {
        const interruption = new Interruption('interrupted')
        await kept?.stop(interruption)
        if (flags.events) printJson(terminal.stdout, end)
        report(interruption, terminal, {}, { resumeHint: hintFor(interruption) })
      }
      const notKept = isInterrupted ? undefined : await kept?.finish(end)
      const rechecked = await verified(end, flags, document, terminal)
      printResult({ end, reading, remarks, rechecked }, flags, terminal)
      if (notKept !== undefined) stderr.write(`warning: ${printable(notKept)}\n`)
      return exitCodeFor(end, rechecked)
    } finally {
      await opened?.model.close?.()
      await lock?.release()
    }
  } catch (cause) {
    view?.end()
    printRemarks(remarks, stderr)
    const error = kept ? await kept.stop(cause) : cause
    return report(error, terminal, flags, {
      warnings: warningLog.warnings,
      resumeHint: hintFor(error),
    })
  } finally {
    await kept?.close()
  }
}

/** The last answer about a followed text that was interrupted. @throws the error if there is none */
function lastAnswer(follower: Follower | undefined, error: unknown): EndEvent {
  const last = error instanceof Interruption ? follower?.end() : undefined
  if (last === undefined) throw error
  return last
}

/** A usage hint for users who forgot the text. */
function usageOf(question: string | undefined, questions: QuestionList | undefined): string {
  if (questions) return 'ask --questions FILE'
  return question === undefined ? 'notes' : 'ask "QUESTION"'
}

/** Notes that the bundled model reads, and what it is fit for. */
export function noteOnModel(
  { model, isBundled }: OpenedModel,
  asked: string | QuestionList | undefined,
  view: ProgressView | undefined,
): void {
  if (!isBundled) return
  const fit =
    asked === undefined ? 'was trained only to answer questions, and notes little otherwise' : 'is tiny'
  view?.note(
    `No model was named: reading with the bundled one (${model.name}), which ${fit}. Name a larger one with --model.`,
  )
}

/** How to resume a stopped reading; undefined if none was begun. */
function hintWithoutStore({ checkpoint }: AskFlags, error: unknown): string | undefined {
  if (checkpoint === undefined) return 'With --checkpoint FILE, a run can be resumed.'
  if (!existsSync(checkpoint)) return undefined
  const higher = LimitError.isInstance(error) ? ', with a higher limit,' : ''
  return `Run the same command again${higher} to resume from ${checkpoint}.`
}
