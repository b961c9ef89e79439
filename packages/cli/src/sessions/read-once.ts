/** One reading into a session, as a run. */
import { MemAgentError, type WarningLog } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import type { NewDocument, RunWriter, Store } from '@memagent/store'
import { chunksAhead } from '../commands/ahead-option.ts'
import { limitsOf } from '../commands/limit-options.ts'
import { samplingOf } from '../commands/reading-options.ts'
import { type EndEvent, runReading } from '../commands/run-reading.ts'
import { Interruption } from '../failures.ts'
import type { StorePlace } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'
import type { Reader } from './open-reader.ts'
import type { SessionFlags } from './session-settings.ts'
import { openSessionText } from './session-text.ts'

export interface ReadingOfSession {
  readonly name: string
  readonly number: number
  readonly documents: readonly NewDocument[]
  readonly writer: RunWriter
  readonly store: Store
  readonly place: StorePlace
  readonly flags: SessionFlags
  readonly view: ProgressView | undefined
  readonly warnings: WarningLog
  readonly reader: Reader
  readonly remarks: SourceRemark[]
}

export interface OneReading {
  readonly number: number
  readonly run: string
  readonly documents: readonly NewDocument[]
  readonly end: EndEvent
}

/**
 * @returns undefined where none of the texts can be read and that is no failure (`--skip-unreadable`): the reading is taken back
 * @throws what `runReading` throws; what was read is kept
 */
export async function readOnce(
  reading: ReadingOfSession,
  terminal: Terminal,
): Promise<OneReading | undefined> {
  const { name, number, documents, writer, store, place, flags, view, warnings, reader } = reading
  const { model, profile, workflow, waits } = reader
  const remarks: SourceRemark[] = []
  try {
    const texts = { session: name, reading: number, documents, flags, place, remarks }
    const end = await runReading(
      {
        question: flags.question,
        answers: false,
        start: number === 1 ? undefined : await store.sessions.start(name, number - 1),
        document: await openSessionText(texts),
        ...{ model, profile, workflow, waits, warnings, view },
        sampling: samplingOf(flags),
        limits: limitsOf(flags),
        concurrency: flags.concurrency,
        ahead: chunksAhead(flags, workflow),
        // A day without a word is no mistake.
        allowEmpty: true,
        provenance: flags.sources,
        checkpoints: writer,
        printEvents: flags.events ?? false,
      },
      terminal,
    )
    const unread = await leaveOutUnread(reading, remarks)
    const run = writer.id!
    await writer.finish(end)
    return { number, run, documents: documents.filter(({ path }) => !unread.has(path)), end }
  } catch (error) {
    const { code, message } = MemAgentError.isInstance(error)
      ? error
      : { code: 'unexpected', message: String(error) }
    const isInterrupted = error instanceof Interruption
    const failure = isInterrupted ? { code: 'interrupted', message: 'Interrupted.' } : { code, message }
    // What ended the reading matters more than that this could not be noted.
    const run = writer.id
    await writer.stop(failure).catch(() => undefined)
    if (code !== 'document/all-skipped') throw error
    // Unless it is forgotten, since nothing of it was written.
    if (run !== undefined && writer.id !== undefined) await store.remove(run)
    return undefined
  } finally {
    reading.remarks.push(...remarks)
  }
}

/** What was skipped was not read: it is new again next time. */
async function leaveOutUnread(
  { name, number, store, writer }: ReadingOfSession,
  remarks: readonly SourceRemark[],
): Promise<ReadonlySet<string>> {
  const skipped = new Set(remarks.flatMap(({ code, source }) => (code === 'source-skipped' ? [source] : [])))
  if (skipped.size === 0) return skipped
  for (const one of await store.sessions.documents(name)) {
    if (one.reading !== number || !skipped.has(one.path)) continue
    await store.sessions.replaceDocument(name, one.number, undefined, writer)
  }
  return skipped
}
