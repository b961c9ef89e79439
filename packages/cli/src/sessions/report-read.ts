/** What `memagent session read` reports at its end. */
import type { SourceRemark } from '@memagent/documents'
import { cacheText } from '../commands/cache-option.ts'
import { printRemarks } from '../commands/open-text.ts'
import { exitCodes } from '../failures.ts'
import { quoted, storeArgument } from '../run-store/open-store.ts'
import { type Output, printable, printJson, type Terminal } from '../terminal.ts'
import { count } from '../view/progress.ts'
import type { FoundTexts } from './find-documents.ts'
import type { OneReading } from './read-once.ts'
import type { SessionFlags } from './session-settings.ts'
import { shownPath } from './shown-path.ts'

export interface ReadReport {
  readonly name: string
  /** Notes on a stopped reading. */
  readonly notes: readonly string[]
  readonly found: FoundTexts
  readonly remarks: readonly SourceRemark[]
  readonly readings: readonly OneReading[]
  readonly flags: SessionFlags
}

/** Names of texts in one message. */
const mostNamed = 5

/** For programs. */
export const readFields = ({ name, notes, found, remarks, readings }: ReadReport) => ({
  session: name,
  notes,
  readings: readings.map(({ number, run, documents, end }) => {
    const { steps, usage, seconds, warnings, memory } = end
    return { number, run, read: documents.map(({ path }) => path), steps, usage, seconds, warnings, memory }
  }),
  known: found.known.length,
  changed: found.changed,
  moved: found.moved,
  copies: found.copies,
  gone: found.gone,
  remarks,
})

/** @returns the exit code */
export function tellRead(all: ReadReport, { stdout, stderr }: Terminal): number {
  const { name, found, remarks, readings, flags } = all
  const { known, changed, moved, copies, gone } = found
  if (flags.json) printJson(stdout, readFields(all))
  if (!flags.quiet) for (const line of summary(name, readings, known.length, flags)) stderr.write(`${line}\n`)
  const again = new Set(readings.flatMap(({ documents }) => documents.map(({ path }) => path)))
  const readAgain = changed.filter((path) => again.has(path))
  const left = changed.filter((path) => !again.has(path))
  tellPaths('changed since it was read', readAgain, 'read again', stderr)
  tellPaths(
    'changed since it was read',
    left,
    'not read again; to do so, give it with --read-changed',
    stderr,
  )
  tellPaths('gone since it was read', gone, 'what was noted of it stays', stderr)
  const renamed = moved.map(({ from, to }) => `${shownPath(to)} (was ${shownPath(from)})`)
  tellPaths('read before under another name', renamed, 'not read again', stderr)
  const same = copies.map(({ path, of }) => `${shownPath(path)} (as ${shownPath(of)})`)
  tellPaths('the same text as one that is read', same, 'not read twice', stderr)
  printRemarks(remarks, stderr)
  for (const { end } of readings) {
    for (const { message, count: times } of end.warnings) {
      stderr.write(
        `warning: ${printable(message)}${times === 1 ? '' : ` (the first of ${times} such warnings)`}\n`,
      )
    }
  }
  return exitCodes.ok
}

function summary(
  name: string,
  readings: readonly OneReading[],
  known: number,
  flags: SessionFlags,
): readonly string[] {
  const before = known === 0 ? '' : ` ${files(known)} ${known === 1 ? 'was' : 'were'} read before.`
  if (readings.length === 0) return [`Nothing new was read into ${name}.${before}`]
  const lines = readings.map(({ number, run, documents, end: { steps, usage } }, i) => {
    const what = `${files(documents.length)} (${chunks(steps)}, ${count(usage.calls)} ${usage.calls === 1 ? 'call' : 'calls'})`
    return `Reading ${count(number)} of ${name}: ${what}, run ${run}.${i === 0 ? before : ''}`
  })
  const cached = readings.flatMap(({ end: { usage } }) => cacheText(usage) ?? [])
  return [
    ...lines,
    ...cached,
    `What changed in the memory: memagent session diff ${quoted(name)}${storeArgument(flags)}`,
  ]
}

const files = (number: number) => `${count(number)} ${number === 1 ? 'file' : 'files'}`
const chunks = (number: number) => `${count(number)} ${number === 1 ? 'chunk' : 'chunks'}`

/** @param then what that means for the session */
function tellPaths(what: string, paths: readonly string[], then: string, stderr: Output): void {
  if (paths.length === 0) return
  const named = paths.slice(0, mostNamed).map((path) => printable(shownPath(path)))
  const more = paths.length > mostNamed ? `, and ${count(paths.length - mostNamed)} more` : ''
  stderr.write(`${what}: ${named.join(', ')}${more} (${then})\n`)
}
