/** The numbers that Word puts before paragraphs, `4.2 ` or `(b) `: they are not in the text, but people cite them. */
import { inFormat } from '../text/list-numbers.ts'
import { attribute, isOn, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

interface Level {
  start: number
  format: string
  /** `%1.%2`: the numbers of the first and the second level. */
  pattern: string
  /** Restarts after this level, from 1, and the levels above it; 0: never. @default after each level above */
  restart?: number
  /** Shows all numbers of the pattern as digits. */
  isLegal?: boolean
}

interface List {
  abstract: string
  /** Start numbers of levels, set when the list is first used. */
  readonly restarts: Map<number, number>
  /** Levels that override those of its kind. */
  readonly levels: Map<number, Level>
}

interface ListPlace {
  readonly id: string
  readonly level: number
}

export interface DocxNumbering {
  /** Counters for one part. */
  counters(): { next(list: ListPlace): string }
}

/** @param part the part with the lists, if there is one */
export async function numberingOf(zip: ZipPackage, part: string | undefined): Promise<DocxNumbering> {
  const abstract = new Map<string, Map<number, Level>>()
  const lists = new Map<string, List>()
  let levels = new Map<number, Level>()
  let level: Level = { start: 1, format: 'decimal', pattern: '' }
  let list: List = { abstract: '', restarts: new Map(), levels }
  let overridden = 0
  for await (const event of zip.xmlIfAny(part)) {
    if (event.kind !== 'open') continue
    const value = attribute(event, 'val')
    if (event.name === 'abstractNum') {
      levels = new Map()
      abstract.set(attribute(event, 'abstractNumId') ?? '', levels)
    } else if (event.name === 'lvl') {
      level = { start: 1, format: 'decimal', pattern: '' }
      levels.set(wholeNumber(attribute(event, 'ilvl'), 0), level)
    } else if (event.name === 'start') level.start = wholeNumber(value, 1)
    else if (event.name === 'numFmt') level.format = value ?? 'decimal'
    else if (event.name === 'lvlText') level.pattern = value ?? ''
    else if (event.name === 'lvlRestart') level.restart = wholeNumber(value, 0)
    else if (event.name === 'isLgl') level.isLegal = isOn(value)
    else if (event.name === 'num') {
      levels = new Map()
      const id = attribute(event, 'numId') ?? ''
      list = { abstract: '', restarts: new Map(), levels }
      lists.set(id, list)
    } else if (event.name === 'abstractNumId') list.abstract = value ?? ''
    else if (event.name === 'lvlOverride') overridden = wholeNumber(attribute(event, 'ilvl'), 0)
    else if (event.name === 'startOverride') list.restarts.set(overridden, wholeNumber(value, 1))
  }
  return { counters: () => counters(abstract, lists) }
}

function counters(
  abstract: ReadonlyMap<string, ReadonlyMap<number, Level>>,
  lists: ReadonlyMap<string, List>,
): { next(list: ListPlace): string } {
  const counts = new Map<string, (number | undefined)[]>()
  const used = new Set<string>()
  return {
    next({ id, level }) {
      const list = lists.get(id)
      const kind = abstract.get(list?.abstract ?? '')
      const levelAt = (at: number) => list?.levels.get(at) ?? kind?.get(at)
      const own = levelAt(level)
      if (list === undefined || own === undefined || level > 8) return ''
      if (own.format === 'bullet') return '- '
      if (own.format === 'none' || own.pattern === '') return ''
      // Lists of the same kind share their numbers.
      const numbers = counts.get(list.abstract) ?? []
      counts.set(list.abstract, numbers)
      if (!used.has(id)) for (const [at, start] of list.restarts) numbers[at] = start - 1
      used.add(id)
      for (let at = level + 1; at <= 8; at++)
        if (level < (levelAt(at)?.restart ?? at)) numbers[at] = undefined
      numbers[level] = (numbers[level] ?? own.start - 1) + 1
      const shown = (at: number) => {
        const { start = 1, format = 'decimal' } = levelAt(at) ?? {}
        return inFormat(numbers[at] ?? start, own.isLegal && format !== 'decimalZero' ? 'decimal' : format)
      }
      return `${own.pattern.replaceAll(/%([1-9])/g, (_, digit) => shown(Number(digit) - 1))} `
    },
  }
}
