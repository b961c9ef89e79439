/** `memagent session diff`: what the memory gained, lost and changed since a reading. */
import type { SessionReading, Store } from '@memagent/store'
import { UsageError } from '../failures.ts'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { type Colors, colorsOf } from '../view/colors.ts'
import { count } from '../view/progress.ts'
import { timeText } from '../view/run-summary.ts'
import { type Cause, type MemoryChange, memoryChanges } from './memory-changes.ts'
import { shownPath } from './shown-path.ts'

export interface DiffFlags {
  /** Number of a reading, or a date. */
  readonly from?: string
  readonly to?: string
  readonly json?: boolean
  readonly color: boolean
}

/** How many files are named as the cause of a change. */
const mostFiles = 3

export async function diffSession(
  store: Store,
  name: string,
  flags: DiffFlags,
  terminal: Terminal,
): Promise<void> {
  const { stdout, stderr } = terminal
  await store.sessions.load(name)
  const all = await store.sessions.readings(name)
  const to = flags.to === undefined ? all.length : readingAt(flags.to, all)
  const from = flags.from === undefined ? Math.max(0, to - 1) : readingAt(flags.from, all)
  if (from >= to && !(from === 0 && to === 0)) throw backwards(from, to)
  const changes = await memoryChanges(store, all.slice(from, to), await memoryAfter(store, all[from - 1]))
  if (flags.json) {
    const gained = changes.filter(({ before }) => before === undefined)
    const lost = changes.filter(({ after }) => after === undefined)
    const changed = changes.filter(({ before, after }) => before !== undefined && after !== undefined)
    printJson(stdout, { session: name, from, to, gained, lost, changed })
    return
  }
  const colors = colorsOf(flags, terminal, stdout)
  stderr.write(`${rangeText(from, to, all)}\n`)
  if (changes.length === 0) stdout.write('The memory is the same.\n')
  for (const change of changes) stdout.write(changeText(change, colors))
}

async function memoryAfter(store: Store, reading: SessionReading | undefined): Promise<string> {
  if (!reading) return ''
  const { result } = await store.load(reading.id)
  // A session's reading has one question or none.
  return result && result.type !== 'answers' ? result.memory : ''
}

/** The last reading that had begun by then; 0: none. @throws UsageError */
function readingAt(text: string, readings: readonly SessionReading[]): number {
  if (/^\d{1,6}$/.test(text)) {
    const number = Number(text)
    if (number <= readings.length) return number
    throw new UsageError({
      code: 'session/no-reading',
      message: `There is no reading ${number}: the session has ${readings.length}.`,
      hint: 'memagent session show lists them.',
    })
  }
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const at = Date.parse(day ? `${text}T23:59:59.999` : text.replace(' ', 'T'))
  if (Number.isNaN(at)) {
    throw new UsageError({
      code: 'session/no-date',
      message: `${text} is neither the number of a reading nor a date.`,
      hint: 'For example: --from 3, --from 2026-03-01, --from "2026-03-01 18:00"',
    })
  }
  return readings.filter(({ createdMs }) => createdMs <= at).length
}

function rangeText(from: number, to: number, readings: readonly SessionReading[]): string {
  const at = (number: number) => `reading ${count(number)} (${timeText(readings[number - 1]!.createdMs)})`
  const begin = from === 0 ? 'the beginning' : at(from)
  return `From ${begin} to ${to === 0 ? 'the beginning' : at(to)}:`
}

function changeText({ before, after, cause }: MemoryChange, { red, green, dim }: Colors): string {
  return [
    ...(before === undefined ? [] : [red(`- ${before}`)]),
    ...(after === undefined ? [] : [green(`+ ${after}`)]),
    ...(cause ? [dim(`    ${causeText(cause)}`)] : []),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function causeText({ reading, step, files }: Cause): string {
  const named = files.slice(0, mostFiles).map((file) => printable(shownPath(file)))
  const more = files.length > mostFiles ? `, and ${count(files.length - mostFiles)} more` : ''
  return `reading ${count(reading)}, chunk ${count(step + 1)}: ${named.join(', ')}${more}`
}

const backwards = (from: number, to: number) =>
  new UsageError({
    code: 'session/no-range',
    message: `There is nothing between reading ${from} and reading ${to}.`,
    hint: '--from names the earlier one.',
  })
