/** `memagent session show`: the memory with its sources, and what was read into it. */
import type { ReadingUsage, TracedStatement } from '@memagent/core'
import type { SessionDocument, SessionReading, Store } from '@memagent/store'
import { printable, printJson, type Terminal } from '../terminal.ts'
import { linesOf } from '../view/memory-difference.ts'
import { quotePlace } from '../view/place-text.ts'
import { count } from '../view/progress.ts'
import { stateText, timeText } from '../view/run-summary.ts'
import { provenanceFields } from '../view/sources.ts'
import { textTable } from '../view/table.ts'
import { shownPath, withPresentPaths } from './shown-path.ts'
import { costOf, memoryText } from './with-session.ts'

export interface ShowFlags {
  readonly json?: boolean
  /** List all of them. */
  readonly documents?: boolean
}

/** How many documents are listed, from the last, unless all are asked for. */
const mostDocuments = 10

interface ShownReading extends SessionReading {
  readonly usage: ReadingUsage | undefined
  readonly cost: number | undefined
  readonly read: readonly SessionDocument[]
}

export async function showSession(
  store: Store,
  name: string,
  flags: ShowFlags,
  { stdout }: Terminal,
): Promise<void> {
  const session = await store.sessions.load(name)
  const start = await store.sessions.start(name)
  const memory = start ? await memoryText(session, start) : ''
  const documents = await store.sessions.documents(name)
  const readings = await Promise.all(
    (await store.sessions.readings(name)).map(async (reading): Promise<ShownReading> => {
      const { checkpoint } = await store.load(reading.id)
      const { usage } = checkpoint ?? {}
      const read = documents.filter((one) => one.reading === reading.number)
      return { ...reading, usage, cost: usage && costOf(reading, usage), read }
    }),
  )
  const statements = withPresentPaths(start?.provenance?.statements ?? [], documents, readings)
  if (flags.json) {
    const { settings: _, ...about } = session
    const { sources: __, ...traced } = provenanceFields({ memory: statements })
    printJson(stdout, {
      ...about,
      memory,
      ...(start?.provenance && { statements: traced.statements.memory }),
      readings: readings.map(({ settings: ___, read, document: ____, ...rest }) => rest),
      documents,
    })
    return
  }
  const of = session.question === undefined ? 'General notes' : `Question: ${printable(session.question)}`
  stdout.write(`${of}\n${printable(session.model)}, ${printable(session.workflow)}\n\n`)
  stdout.write(memory === '' ? 'Nothing is noted.\n' : memoryLines(memory, statements))
  stdout.write(`\n${readingsTable(readings)}`)
  stdout.write(`\n${documentLines(documents, flags.documents ?? false)}`)
}

/** Each line of the memory, with where it was read. */
function memoryLines(memory: string, statements: readonly TracedStatement[]): string {
  const rest = [...statements]
  return linesOf(memory)
    .map((line) => {
      const places = new Set<string>()
      while (rest[0] && line.includes(printable(rest[0].text).trim())) {
        for (const source of rest.shift()!.sources) {
          places.add(quotePlace({ ...source, file: shownPath(source.file) }))
        }
      }
      const [shown, more] = [[...places].slice(0, 3), places.size - 3]
      const below =
        shown.length === 0 ? '' : `    ${shown.join('; ')}${more > 0 ? `; and ${more} more` : ''}\n`
      return `${line}\n${below}`
    })
    .join('')
}

function readingsTable(readings: readonly ShownReading[]): string {
  const hasCost = readings.some(({ cost }) => cost !== undefined)
  const header = ['reading', 'begun', 'run', 'state', 'files', 'chunks', 'calls', 'tokens in', 'out']
  const rows = readings.map((reading) => {
    const { number, createdMs, id, read, steps, usage, cost } = reading
    const state = stateText(reading)
    return [
      count(number),
      timeText(createdMs),
      id,
      state === 'notes' ? 'done' : state,
      count(read.length),
      count(steps),
      count(usage?.calls ?? 0),
      ...(usage?.unreportedCalls
        ? ['-', '-']
        : [count(usage?.promptTokens ?? 0), count(usage?.completionTokens ?? 0)]),
      ...(hasCost ? [cost === undefined ? '-' : cost.toFixed(4)] : []),
    ]
  })
  return textTable([[...header, ...(hasCost ? ['cost'] : [])], ...rows])
}

function documentLines(documents: readonly SessionDocument[], isAll: boolean): string {
  const shown = isAll ? documents : documents.slice(-mostDocuments)
  const left = documents.length - shown.length
  const head = left > 0 ? `... ${count(left)} files before these (--documents lists all)\n` : ''
  const lines = shown.map(({ reading, path, sizeBytes, startByte, endByte, isRead }) => {
    const begin = startByte === 0 ? '' : `, from byte ${count(startByte)} of its text`
    const end = endByte === undefined ? '' : endByte === 0 ? ', in part' : `, up to byte ${count(endByte)}`
    const state = isRead ? begin + end : ', its reading is not finished'
    return `${count(reading)}  ${printable(shownPath(path))} (${count(sizeBytes)} bytes${state})\n`
  })
  return `Read, in this order:\n${head}${lines.join('')}`
}
