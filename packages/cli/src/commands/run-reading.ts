/** Runs one reading with its view; shared by `ask`, `notes` and `demo`. */
import { setTimeout } from 'node:timers/promises'
import {
  type ChatModel,
  type CheckpointStore,
  type ConversationCache,
  type ModelProfile,
  type ReadingEvent,
  type ReadingLimits,
  type ReadingOptions,
  type ReadingStart,
  readDocument,
  type Sampling,
  type TextDocument,
  type WarningLog,
  type Workflow,
} from '@memagent/core'
import type { RunWriter } from '@memagent/store'
import { exitCodes, Interruption } from '../failures.ts'
import type { ServerWaits } from '../server-waits.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'

export interface ReadingRun {
  /** Undefined: general notes. */
  readonly question: string | undefined
  readonly document: TextDocument
  /** The memory to continue from. @default none */
  readonly start?: ReadingStart | undefined
  /** False: ends with the memory. @default true */
  readonly answers?: boolean | undefined
  readonly model: ChatModel
  readonly profile: ModelProfile
  readonly workflow: Workflow
  readonly sampling?: Sampling | undefined
  readonly limits?: ReadingLimits | undefined
  /** Concurrent calls, for a workflow that makes several. */
  readonly concurrency?: number | undefined
  /** Chunks to ask about at once. @default 1 */
  readonly ahead?: number | undefined
  readonly allowEmpty?: boolean | undefined
  /** Find the passages that the result comes from. @default false */
  readonly provenance?: boolean | undefined
  readonly checkpoints?: CheckpointStore | undefined
  readonly cache?: ConversationCache | undefined
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
  const controller = new AbortController()
  let interruptions = 0
  const interrupt = () => {
    // The first signal lets the step's checkpoint be written; a second one does not wait.
    if (++interruptions > 1) process.exit(130)
    const reason = new Interruption('interrupted')
    controller.abort(reason)
    run.waits.end(reason)
  }
  const unlisten = onInterruption(interrupt, interruption)
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
      signal: controller.signal,
    })
  } catch (error) {
    view?.end()
    // Ctrl-C also ends the command that feeds a pipe, so the text may end before the signal arrives.
    await setTimeout(100)
    throw controller.signal.aborted ? new Interruption('interrupted') : error
  } finally {
    run.waits.report = reportBefore
    unlisten()
  }
}

/** @returns stops listening */
function onInterruption(interrupt: () => void, interruption: AbortSignal | undefined): () => void {
  if (interruption) {
    if (interruption.aborted) interrupt()
    interruption.addEventListener('abort', interrupt, { once: true })
    return () => interruption.removeEventListener('abort', interrupt)
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  return () => {
    process.off('SIGINT', interrupt)
    process.off('SIGTERM', interrupt)
  }
}

/**
 * Does work before a reading listens for signals: a signal ends the process once `leave` is done.
 * @param interruption replaces the signals of the process; the reading will listen to it
 */
export async function leavingOnSignals<T>(
  work: () => Promise<T>,
  leave: () => Promise<unknown>,
  { interruption }: Pick<Terminal, 'interruption'> = {},
): Promise<T> {
  if (interruption) return work()
  const stop = () => {
    void leave().finally(() => process.exit(exitCodes.interrupted))
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  try {
    return await work()
  } finally {
    process.off('SIGINT', stop)
    process.off('SIGTERM', stop)
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
