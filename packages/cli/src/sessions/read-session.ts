/** `memagent session read`: first continues a stopped reading, then reads what is new into a session. */
import { WarningLog } from '@memagent/core'
import type { SourceRemark } from '@memagent/documents'
import type { NewDocument, NewReading, SessionSummary, Store } from '@memagent/store'
import { limitsOf } from '../commands/limit-options.ts'
import { report, UsageError } from '../failures.ts'
import { namingStore, openStore, quoted, type StorePlace, storeArgument } from '../run-store/open-store.ts'
import { removeInput } from '../run-store/remove-input.ts'
import { printable, type Terminal } from '../terminal.ts'
import { openView, type ProgressView } from '../view/progress.ts'
import { findDocuments } from './find-documents.ts'
import { restsOf, type StoppedReading, textsOfStopped } from './go-on.ts'
import { type OpenModel, openReader, type Reader } from './open-reader.ts'
import { type OneReading, type ReadingOfSession, readOnce } from './read-once.ts'
import { type ReadReport, tellRead } from './report-read.ts'
import { keepSessionInput } from './session-input.ts'
import { checkNewName, requireSessionName } from './session-name.ts'
import {
  type IsGiven,
  keptSettings,
  type SessionFlags,
  settledFlags,
  textFlagsOf,
} from './session-settings.ts'

export interface SessionRequest {
  readonly name: string
  readonly files: readonly string[]
  readonly flags: SessionFlags
  readonly isGiven: IsGiven
  /** @default opened anew, from its files or server */
  readonly openModel?: OpenModel | undefined
  /** Told of every event of its readings. */
  readonly onEvent?: ((event: object) => void) | undefined
}

/** What the caller sees before the end. */
interface Course {
  readonly view?: ProgressView | undefined
  readonly warnings: WarningLog
  /** There is a stopped reading that can go on. */
  canGoOn: boolean
}

interface Work extends Pick<Course, 'view' | 'warnings'> {
  readonly store: Store
  readonly place: StorePlace
  readonly session: SessionSummary | undefined
  readonly flags: SessionFlags
}

/** @returns the exit code */
export async function readSession(request: SessionRequest, terminal: Terminal): Promise<number> {
  const { name, flags } = request
  const course: Course = { view: openView(flags, terminal), warnings: new WarningLog(), canGoOn: false }
  try {
    return tellRead(await readIntoSession(request, terminal, course), terminal)
  } catch (error) {
    course.view?.end()
    return report(namingStore(error, flags), terminal, flags, {
      warnings: course.warnings.warnings,
      resumeHint: course.canGoOn
        ? `Go on: memagent session read ${quoted(name)}${storeArgument(flags)}`
        : undefined,
    })
  }
}

/** @throws what ended the reading; what was read is kept */
export async function readIntoSession(
  request: SessionRequest,
  terminal: Terminal,
  course: Course = { warnings: new WarningLog(), canGoOn: false },
): Promise<ReadReport> {
  const { flags: present } = request
  const { view, warnings } = course
  const name = requireSessionName(request.name)
  limitsOf(present)
  const { store, place } = await openStore(present, terminal, { canBeNew: true })
  try {
    const session = await store.sessions.find(name)
    if (!session) await checkNewName(name)
    const mayDiffer = present.changeSettings === true && session?.unfinished === undefined
    const flags = settledFlags(name, session, present, request.isGiven, mayDiffer)
    return await readNews({ ...request, name }, { store, place, session, flags, view, warnings }, terminal)
  } catch (error) {
    const left = await store.sessions.find(name).catch(() => undefined)
    course.canGoOn = left?.unfinished !== undefined
    throw error
  } finally {
    await store.close()
  }
}

async function readNews(
  { name, files, openModel, onEvent }: SessionRequest,
  work: Work,
  terminal: Terminal,
): Promise<ReadReport> {
  const { store, place, session, flags, view } = work
  const remarks: SourceRemark[] = []
  view?.waitFor('looking at the texts')
  const stopped = session?.unfinished ? await textsOfStopped(store, session) : undefined
  const notes = stopped?.notes ?? []
  // Shown at once, since what follows may fail.
  for (const note of notes) {
    if (view) view.note(note)
    else terminal.stderr.write(`note: ${printable(note)}\n`)
  }
  const documents = session ? await store.sessions.documents(name) : []
  const before = [...(await restsOf(documents)), ...(stopped?.behind ?? [])]
  if (files.length === 0 && !stopped && before.length === 0) throw nothingGiven(name, flags)
  // A stopped reading with nothing left to read was removed.
  const after = (stopped ? await store.sessions.find(name) : session)?.readings ?? 0
  const input = await keepSessionInput(files, place, terminal, view, after + 1)
  const found = await findDocuments({
    ...{ files, flags, input, remarks, documents },
    readsChanged: flags.readChanged ?? false,
  })
  for (const { from, to } of found.moved) await store.sessions.moveDocument(name, from, to)
  const fresh = found.fresh.filter(({ path }) => !before.some((one) => one.path === path))
  const news = readingsOf(before, fresh)
  const readings = await readAll(
    name,
    { ...work, stopped, news, after, remarks, openModel, onEvent },
    terminal,
  ).finally(
    // Removes the input, unless a reading has begun that reads it.
    async () => input && (await removeInput(store, place, input.name).catch(() => undefined)),
  )
  view?.end()
  const skipped = new Set(remarks.flatMap(({ code, source }) => (code === 'source-skipped' ? [source] : [])))
  const copies = found.copies.filter(({ of }) => !skipped.has(of))
  for (const { path, of } of found.copies) {
    if (!skipped.has(of)) continue
    remarks.push({ code: 'source-skipped', source: path, message: `${path} is the same text as ${of}.` })
  }
  return { name, notes, found: { ...found, copies }, remarks, readings, flags }
}

/** Texts left from earlier readings come first. A reading has at most one standard input. */
function readingsOf(before: readonly NewDocument[], fresh: readonly NewDocument[]) {
  const all = [...before, ...fresh]
  const inputs = all.filter(({ input }) => input !== undefined)
  return (inputs.length > 1 ? [before, fresh] : [all]).filter(({ length }) => length > 0)
}

async function readAll(
  name: string,
  work: Work & {
    readonly stopped: StoppedReading | undefined
    readonly news: readonly (readonly NewDocument[])[]
    readonly after: number
    readonly remarks: SourceRemark[]
  } & Pick<SessionRequest, 'openModel' | 'onEvent'>,
  terminal: Terminal,
): Promise<readonly OneReading[]> {
  const { store, place, session, flags, view, warnings, stopped, news, after, remarks } = work
  if (!stopped?.run && news.length === 0) return []
  const reader = await openReader(flags, session, terminal, view, () => store.close(), work.openModel)
  const read: OneReading[] = []
  const readInto = async (
    flags: SessionFlags,
    part: Pick<ReadingOfSession, 'documents' | 'writer' | 'number'>,
  ) => {
    const common = { name, store, place, view, warnings, reader, remarks, onEvent: work.onEvent }
    const one = await readOnce({ ...common, flags, ...part }, terminal)
    if (one) read.push(one)
    return one !== undefined
  }
  let last = after
  try {
    if (stopped?.run) {
      view?.note(`A reading was stopped: it goes on (run ${stopped.run}).`)
      const writer = await store.resume(stopped.run)
      const { documents } = stopped
      const asBefore = { ...textFlagsOf(session!), ...flags }
      if (!(await readInto(asBefore, { number: last, documents, writer }))) last--
    }
    for (const documents of news) {
      const reading = { name, documents, after: last }
      const writer = store.sessions.begin(name, await newReading(reading, reader, flags))
      if (await readInto(flags, { number: last + 1, documents, writer })) last++
    }
    return read
  } finally {
    await reader.model.close?.()
  }
}

async function newReading(
  { name, documents, after }: { readonly name: string } & Pick<NewReading, 'documents' | 'after'>,
  { model, workflow }: Reader,
  flags: SessionFlags,
): Promise<NewReading> {
  const { question } = flags
  const input = documents.find((one) => one.input !== undefined)?.input
  const about = { ...(question !== undefined && { question }), model: model.name, workflow: workflow.name }
  const text = documents.length === 1 ? documents[0]!.path : `${documents.length} files`
  const settings = await keptSettings(flags, name, input)
  return {
    run: { ...about, document: `session ${name}: ${text}`, settings },
    documents,
    after,
  }
}

const nothingGiven = (name: string, flags: SessionFlags) =>
  new UsageError({
    code: 'session/nothing-given',
    message: `No reading of the session ${name} was stopped, and no texts are given.`,
    hint: `Name files or folders, or - for standard input: memagent session read ${quoted(name)} notes/${storeArgument(flags)}`,
  })
