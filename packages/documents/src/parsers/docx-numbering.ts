/** The numbers that Word puts before paragraphs, `4.2 ` or `(b) `: they are not in the text, but people cite them. */
import { attribute, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

interface Level {
  start: number
  format: string
  /** `%1.%2`: the numbers of the first and the second level. */
  pattern: string
}

interface List {
  abstract: string
  /** Numbers with which levels start again when the list is first used. */
  readonly restarts: Map<number, number>
}

interface ListPlace {
  readonly id: string
  readonly level: number
}

export interface DocxNumbering {
  /** Counts through one part. */
  counters(): { next(list: ListPlace): string }
}

/** @param part the part with the lists, if there is one */
export async function numberingOf(zip: ZipPackage, part: string | undefined): Promise<DocxNumbering> {
  const abstract = new Map<string, Map<number, Level>>()
  const lists = new Map<string, List>()
  if (part !== undefined && zip.has(part)) {
    let levels = new Map<number, Level>()
    let level: Level = { start: 1, format: 'decimal', pattern: '' }
    let list: List = { abstract: '', restarts: new Map() }
    let overridden = 0
    for await (const event of zip.xml(part)) {
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
      else if (event.name === 'num') {
        levels = new Map()
        const id = attribute(event, 'numId') ?? ''
        list = { abstract: '', restarts: new Map() }
        lists.set(id, list)
      } else if (event.name === 'abstractNumId') list.abstract = value ?? ''
      else if (event.name === 'lvlOverride') overridden = wholeNumber(attribute(event, 'ilvl'), 0)
      else if (event.name === 'startOverride') list.restarts.set(overridden, wholeNumber(value, 1))
    }
  }
  return { counters: () => counters(abstract, lists) }
}

function counters(
  abstract: ReadonlyMap<string, ReadonlyMap<number, Level>>,
  lists: ReadonlyMap<string, List>,
): { next(list: ListPlace): string } {
  const counts = new Map<string, number[]>()
  const used = new Set<string>()
  return {
    next({ id, level }) {
      const list = lists.get(id)
      const levels = abstract.get(list?.abstract ?? '')
      const own = levels?.get(level)
      if (list === undefined || levels === undefined || own === undefined || level > 8) return ''
      if (own.format === 'bullet') return '- '
      if (own.format === 'none' || own.pattern === '') return ''
      // Lists of one kind count on together.
      const numbers = counts.get(list.abstract) ?? []
      counts.set(list.abstract, numbers)
      if (!used.has(id)) for (const [at, start] of list.restarts) numbers[at] = start - 1
      used.add(id)
      numbers.length = level + 1
      numbers[level] = (numbers[level] ?? own.start - 1) + 1
      const shown = (at: number) =>
        inFormat(numbers[at] ?? levels.get(at)?.start ?? 1, levels.get(at)?.format ?? 'decimal')
      return `${own.pattern.replaceAll(/%([1-9])/g, (_, digit) => shown(Number(digit) - 1))} `
    },
  }
}

function inFormat(number: number, format: string): string {
  if (format === 'lowerLetter' || format === 'upperLetter') {
    const letter = String.fromCharCode(97 + ((number - 1) % 26)).repeat(Math.min(9, Math.ceil(number / 26)))
    return format === 'upperLetter' ? letter.toUpperCase() : letter
  }
  if (format === 'lowerRoman' || format === 'upperRoman') {
    const roman = inRoman(number)
    return format === 'upperRoman' ? roman.toUpperCase() : roman
  }
  return format === 'decimalZero' && number < 10 ? `0${number}` : String(number)
}

const romanSigns: readonly (readonly [number, string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function inRoman(number: number): string {
  if (number > 3999) return String(number)
  let rest = number
  let roman = ''
  for (const [value, sign] of romanSigns) {
    for (; rest >= value; rest -= value) roman += sign
  }
  return roman
}
