/** `memagent session list` and `session rm`. */
import type { Store } from '@memagent/store'
import { tellErased } from '../commands/runs.ts'
import { type StorePlace, storeArgument } from '../run-store/open-store.ts'
import { removeInput } from '../run-store/remove-input.ts'
import { removeServerAsks, removeServerTexts } from '../run-store/remove-texts.ts'
import type { StoreFlags } from '../run-store/store-option.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import { timeText } from '../view/run-summary.ts'
import { textTable } from '../view/table.ts'
import { cutToWidth } from '../view/text-width.ts'

export async function listSessions(
  store: Store,
  { json, ...flags }: StoreFlags & { readonly json?: boolean },
  { stdout, stderr }: Terminal,
): Promise<void> {
  const sessions = await store.sessions.list()
  if (json)
    return printJson(
      stdout,
      sessions.map(({ settings: _, ...about }) => about),
    )
  if (sessions.length === 0) {
    stderr.write('There are no sessions. To begin one: memagent session read NAME FILE...\n')
    return
  }
  const columns = Math.max(20, (stdout.columns ?? 110) - 65)
  const rows = sessions.map((session) => [
    printable(session.name),
    timeText(session.updatedMs),
    count(session.readings),
    count(session.documents),
    count(session.steps),
    session.damaged ? 'damaged' : session.unfinished === undefined ? 'done' : 'unfinished',
    session.damaged
      ? `(take back its last reading: memagent runs rm ${session.damaged}${storeArgument(flags)})`
      : cutToWidth(printable(session.question ?? '(notes)'), columns),
  ])
  stdout.write(
    textTable([['session', 'last read', 'readings', 'files', 'chunks', 'state', 'question'], ...rows]),
  )
}

/** Erases a session, with the runs that asked it over HTTP and the standard input that was kept for it. */
export async function removeSession(
  { store, place }: { readonly store: Store; readonly place: StorePlace },
  name: string,
  { json }: { readonly json?: boolean },
  { stdout, stderr }: Terminal,
): Promise<void> {
  const documents = await store.sessions.documents(name)
  const readings = await store.sessions.readings(name, { withDamaged: true })
  const { unfinished } = await store.sessions.load(name, { withDamaged: true })
  if (unfinished !== undefined) await store.sessions.stopped(name)
  await removeServerAsks(store, name)
  await store.sessions.remove(name)
  for (const { input } of documents) if (input !== undefined) await removeInput(store, place, input)
  await removeServerTexts(place, readings, store)
  tellErased(place, `Session ${name}`, stderr)
  if (json) printJson(stdout, { session: name, erased: true })
}
