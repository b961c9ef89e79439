/** Runs one reading with its view; shared by `ask`, `notes` and `demo`. */
import { setTimeout } from 'node:timers/promises'
import {
  type CheckpointStore,
  type ModelProfile,
  type ReadingEvent,
  type ReadingOptions,
  readDocument,
  type TextDocument,
  type WarningLog,
  type Workflow,
} from '@memagent/core'
import type { RunWriter } from '@memagent/store'
import { Interruption } from '../failures.ts'
import type { ServerWaits } from '../server-waits.ts'
import { interruptedBySignals } from '../signals.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'

export interface ReadingRun extends Omit<ReadingOptions, 'signal'> {
  /** Undefined: general notes. */
  readonly question: string | undefined
  readonly profile: ModelProfile
  readonly workflow: Workflow
  /** The waits that the model was opened with; the view shows them during this reading. */
  readonly waits: ServerWaits
  /** Collects warnings, for when the reading fails. */
  readonly warnings?: WarningLog | undefined
  /** Told of every event; the first one names the run that is kept. */
  readonly onEvent?: ((event: object) => void) | undefined
  /** If given, the answer is renewed after each step that changed the memory. Told of every event. */
  readonly follower?: { handle(event: ReadingEvent): void } | undefined
  /** Ended with the reading, however that ends. */
  readonly view?: ProgressView | undefined
}

/** How a reading ends. */
export type EndEvent = Extract<ReadingEvent, { type: 'answer' | 'notes' }>

/** @throws Interruption after Ctrl-C; what `readDocument` throws */
export async function runReading(
  run: ReadingRun & { readonly question: string },
  terminal: Terminal,
): Promise<EndEvent & { readonly type: 'answer' }>
export async function runReading(run: ReadingRun, terminal: Terminal): Promise<EndEvent>
export async function runReading(run: ReadingRun, terminal: Terminal): Promise<EndEvent> {
  const { view } = run
  if (view) view.endsWithAnswer = run.question !== undefined && run.answers !== false
  const handle = (event: ReadingEvent) => {
    run.follower?.handle(event)
    run.onEvent?.(namingRun(event, run.checkpoints))
    view?.handle(event)
    if (event.type === 'warning') run.warnings?.add(event)
  }
  const { question, start, answers } = run
  const renewsAnswer = run.follower !== undefined
  const read = (shared: SharedOptions) => readDocument({ ...shared, question, start, answers, renewsAnswer })
  for await (const event of interruptible(run, read, handle, terminal)) {
    if (event.type === 'reading-start' && event.resumedSteps > 0) {
      view?.note(`Going on after step ${event.resumedSteps}.`)
    }
    handle(event)
    if (event.type !== 'answer' && event.type !== 'notes') continue
    view?.end()
    return event
  }
  throw new Interruption('interrupted')
}

/** Adds the id of the run, by which clients can ask for it again. */
function namingRun(event: ReadingEvent, checkpoints: CheckpointStore | undefined): object {
  const { id } = (checkpoints ?? {}) as Partial<RunWriter>
  return event.type === 'reading-start' && id !== undefined ? { ...event, run: id } : event
}

/** Options that readings of one question and of several share. */
type SharedOptions = Omit<ReadingOptions, 'question' | 'start' | 'answers' | 'renewsAnswer'>

/**
 * The events of a reading, which signals interrupt. Until the first chunk, the view shows what is waited for.
 * @param read starts the reading @param onWait told of waits outside its conversations
 * @param terminal its interruption replaces the signals of the process
 * @throws Interruption after Ctrl-C; what `read` throws
 */
export async function* interruptible<Event>(
  run: ReadingRun,
  read: (options: SharedOptions) => AsyncIterable<Event>,
  onWait: (wait: ReadingEvent & { readonly type: 'wait' }) => void,
  { interruption }: Pick<Terminal, 'interruption'>,
): AsyncGenerator<Event> {
  const { signal, unlisten } = interruptedBySignals(run.waits, interruption)
  const { view } = run
  if (view) view.readsAll = run.workflow.unreadBytes === undefined
  view?.waitFor(askingForWindow(run.model.name))
  const reportBefore = run.waits.report
  run.waits.report = (wait) => {
    // The reading reports the waits of its conversations itself.
    if (wait.call !== 'chat') onWait({ type: 'wait', ...wait })
  }
  try {
    const { waits: _, warnings, onEvent, follower, view: __, question, start, answers, ...shared } = run
    yield* read({
      ...shared,
      document: view ? watched(run, view) : run.document,
      signal,
    })
  } catch (error) {
    view?.end()
    // Ctrl-C also ends the command that feeds a pipe, so the text may end before the signal arrives.
    await setTimeout(100)
    throw signal.aborted ? new Interruption('interrupted') : error
  } finally {
    run.waits.report = reportBefore
    unlisten()
  }
}

const askingForWindow = (model: string) => `asking ${model} for its window`

/** The same document; the view shows a wait until its first text arrives. */
function watched(
  { document, model: { name: model }, workflow }: ReadingRun,
  view: ProgressView,
): TextDocument {
  let isReading = false
  const first = workflow.unreadBytes === undefined ? 'reading' : 'choosing and reading'
  const fingerprint = document.fingerprint?.bind(document)
  return {
    ...document,
    ...(fingerprint && {
      fingerprint: async (signal) => {
        view.waitFor(`looking through ${document.name}`)
        const found = await fingerprint(signal)
        view.waitFor(askingForWindow(model))
        return found
      },
    }),
    async *open(signal) {
      if (!isReading) view.waitFor(`waiting for ${document.name}`)
      for await (const piece of document.open(signal)) {
        if (!isReading) view.waitFor(`${first} the first chunk with ${model}`)
        isReading = true
        yield piece
      }
    },
  }
}
