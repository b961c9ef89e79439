/** Decides whether a stopped reading can go on with its texts as they are now, or ends where it stands. */
import type { NewDocument, SessionDocument, SessionSummary, Store } from '@memagent/store'
import { versionAt } from './find-documents.ts'
import { memoryText } from './with-session.ts'

export interface StoppedReading {
  /** Undefined if it does not go on. */
  readonly run?: string | undefined
  /** What it reads. */
  readonly documents: readonly NewDocument[]
  /** What it did not reach, left for the next reading. */
  readonly behind: readonly NewDocument[]
  /** Notes for the user. */
  readonly notes: readonly string[]
}

/** How far a reading got. */
interface Progress {
  /** Index of the last document that was read at least in part; -1 if none was. */
  readonly at: number
  readonly source: string
  readonly endByte: number
}

/** @throws StoreError while another process reads it */
export async function textsOfStopped(store: Store, session: SessionSummary): Promise<StoppedReading> {
  const { name, readings } = session
  const unfinished = await store.sessions.stopped(name)
  const all = await store.sessions.documents(name)
  const documents = all.filter(({ reading }) => reading === readings)
  const progress = await progressOf(store, unfinished, documents)
  const changes = new Map<SessionDocument, NewDocument | undefined>()
  for (const one of documents) {
    if (one.input !== undefined) continue
    const now = await versionAt(one.path).catch(() => undefined)
    if (now?.sha256 !== one.sha256) changes.set(one, now)
  }
  const begun = [...changes].filter(([one]) => documents.indexOf(one) <= progress.at)
  if (begun.length > 0) return ended(store, session, { documents, progress, changes })
  const notes: string[] = []
  for (const [one, now] of changes) {
    await store.sessions.replaceDocument(name, one.number, now)
    notes.push(
      now
        ? `${one.path} has changed before it was read: its new text is read.`
        : `${one.path} is gone before it was read, and is left out.`,
    )
  }
  const present = documents.flatMap((one) => (changes.has(one) ? (changes.get(one) ?? []) : one))
  if (present.length > 0) return { run: unfinished, documents: present, behind: [], notes }
  // Nothing was read, and there is nothing left to read.
  await store.remove(unfinished)
  return { documents: [], behind: [], notes }
}

interface Ending {
  readonly documents: readonly SessionDocument[]
  readonly progress: Progress
  readonly changes: ReadonlyMap<SessionDocument, NewDocument | undefined>
}

async function ended(
  store: Store,
  session: SessionSummary,
  { documents, progress: { at, source, endByte }, changes }: Ending,
): Promise<StoppedReading> {
  const { name } = session
  const last = documents[at]!
  // In an archive, a byte offset does not say what is still unread.
  const isByte = last.path === source
  const start = await store.sessions.start(name)
  const memory = start ? await memoryText(session, start) : ''
  await store.sessions.endReading(name, {
    ...{ lastDocument: last.number, memory },
    endByte: isByte ? endByte : 0,
  })
  const changed = documents.slice(0, at + 1).filter((one) => changes.has(one))
  const part = isByte && !changes.has(last) ? '' : ` Of ${last.path}, only the beginning was read.`
  const behind = documents
    .slice(at + 1)
    .flatMap((one) => (changes.has(one) ? (changes.get(one) ?? []) : versionOf(one)))
  const next =
    behind.length === 0
      ? ''
      : ` What it had still to read is read next (${namesOf(behind)}); if that fails, give it again.`
  return {
    documents: [],
    behind,
    notes: [
      `The reading that was stopped cannot go on, since texts of it have changed or are gone (${namesOf(changed)}). It ends where it stood.${part}${next}`,
    ],
  }
}

const mostNamed = 5
const namesOf = (documents: readonly NewDocument[]): string =>
  [
    ...documents.slice(0, mostNamed).map(({ path }) => path),
    ...(documents.length > mostNamed ? [`and ${documents.length - mostNamed} more`] : []),
  ].join(', ')

const versionOf = ({ path, sizeBytes, sha256, input }: SessionDocument): NewDocument => ({
  ...{ path, sizeBytes, sha256 },
  ...(input !== undefined && { input }),
})

/** The unread rests of unchanged texts that were read in part. */
export async function restsOf(documents: readonly SessionDocument[]): Promise<readonly NewDocument[]> {
  const rests: NewDocument[] = []
  for (const one of documents) {
    const { path, sha256, endByte, input } = one
    if (!endByte || documents.some((other) => other.path === path && other.startByte === endByte)) continue
    const now = input === undefined ? await versionAt(path).catch(() => undefined) : one
    if (now?.sha256 === sha256) rests.push({ ...versionOf(one), startByte: endByte })
  }
  return rests
}

async function progressOf(
  store: Store,
  run: string,
  documents: readonly SessionDocument[],
): Promise<Progress> {
  let [source, endByte] = ['', 0]
  for await (const event of store.events(run)) {
    const last = event.type === 'chunk-end' ? event.ranges.at(-1) : undefined
    if (last) [source, endByte] = [last.source, last.endByte]
  }
  const at = documents.findLastIndex(({ path }) => source === path || source.startsWith(`${path}/`))
  return { at, source, endByte }
}
