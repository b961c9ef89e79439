/** One reading into a session, as a run. */
import { CheckpointError, DocumentError, MemAgentError, type WarningLog } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import type { NewDocument, RunWriter, Store } from '@memagent/store'
import { chunksAhead } from '../commands/ahead-option.ts'
import { limitsOf } from '../commands/limit-options.ts'
import { samplingOf } from '../commands/reading-options.ts'
import { type EndEvent, runReading } from '../commands/run-reading.ts'
import { keptFailure } from '../run-store/kept-failure.ts'
import { quoted, type StorePlace, storeArgument } from '../run-store/open-store.ts'
import type { Terminal } from '../terminal.ts'
import type { ProgressView } from '../view/progress.ts'
import { keepRemarks } from './kept-remarks.ts'
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
  readonly onEvent: ((event: object) => void) | undefined
}

export interface OneReading {
  readonly number: number
  readonly run: string
  readonly documents: readonly NewDocument[]
  readonly end: EndEvent
}

/**
 * @returns undefined if none of the texts can be read and that is no failure (`--skip-unreadable`): the reading is undone
 * @throws what `runReading` throws; what was read is kept
 */
export async function readOnce(
  reading: ReadingOfSession,
  terminal: Terminal,
): Promise<OneReading | undefined> {
  const { name, number, documents, writer, store, place, flags, view, warnings, reader, onEvent } = reading
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
        // A text without a word is no mistake here.
        allowEmpty: true,
        provenance: flags.sources,
        checkpoints: writer,
        cache: flags.cache === false ? undefined : writer.replies,
        onEvent,
      },
      terminal,
    )
    const unread = await leaveOutUnread(reading, remarks)
    const run = writer.id!
    await keepRemarks(store, run, remarks)
    await writer.finish(end)
    return { number, run, documents: documents.filter(({ path }) => !unread.has(path)), end }
  } catch (error) {
    const failure = keptFailure(error)
    // The error that ended the reading matters more than a failure to record it.
    const run = writer.id
    await writer.stop(failure).catch(() => undefined)
    if (failure.code !== 'document/all-skipped') throw inWords(error, writer.id, reading)
    // A run without a written step is already forgotten.
    if (run !== undefined && writer.id !== undefined) await store.remove(run)
    return undefined
  } finally {
    reading.remarks.push(...remarks)
  }
}

/** Says how to go on after errors that would stop the reading every time. */
function inWords(error: unknown, run: string | undefined, { name, flags }: ReadingOfSession): unknown {
  if (!MemAgentError.isInstance(error) || run === undefined) return error
  const { code, message, hint, details } = error
  const store = storeArgument(flags)
  if (DocumentError.isInstance(error) && code.startsWith('document/')) {
    const skip = `To leave out what cannot be read: memagent session read ${quoted(name)} --skip-unreadable${store}`
    return new DocumentError({
      ...{ code, message, details, cause: error },
      hint: hint ? `${hint}\n${skip}` : skip,
    })
  }
  if (code !== 'chat/nothing-said' && !CheckpointError.isInstance(error)) return error
  const back = `To take this reading back: memagent runs rm ${run}${store}`
  return new MemAgentError({ code, message, details, cause: error, hint: back })
}

/** Skipped texts were not read: they are new again next time. */
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
