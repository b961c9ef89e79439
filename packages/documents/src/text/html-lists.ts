/** The markers of HTML list items. */
import { inFormat, inLetters } from './list-numbers.ts'

const bullet = '- '
const styles: Readonly<Record<string, (number: number) => string>> = {
  ...{ '1': String, decimal: String },
  'decimal-leading-zero': (number) => inFormat(number, 'decimalZero'),
  ...styled('a lower-alpha lower-latin', (number) => inLetters(number).toLowerCase()),
  ...styled('A upper-alpha upper-latin', inLetters),
  ...styled('i lower-roman', (number) => inFormat(number, 'lowerRoman')),
  ...styled('I upper-roman', (number) => inFormat(number, 'upperRoman')),
}
const bullets = new Set(['none', 'disc', 'circle', 'square'])

function styled(names: string, show: (number: number) => string) {
  return Object.fromEntries(names.split(' ').map((name) => [name, show]))
}

interface Numbers {
  last: number
  readonly step: number
  readonly show: (number: number) => string
}

const deepest = 1000

export class HtmlLists {
  /** Undefined for a list with bullets. */
  readonly #open: (Numbers | undefined)[] = []
  /** Number of lists nested too deeply. */
  #deeper = 0

  /** @param attributes of a numbered list; undefined for one with bullets */
  open(attributes?: Readonly<Record<string, string>>): void {
    if (this.#open.length === deepest) this.#deeper++
    else this.#open.push(attributes && numbersOf(attributes))
  }

  close(): void {
    if (this.#deeper > 0) this.#deeper--
    else this.#open.pop()
  }

  /** @param value the item's own number */
  item(value: string | undefined): string {
    const numbers = this.#open.at(-1)
    if (numbers === undefined) return bullet
    numbers.last = wholeOf(value) ?? numbers.last + numbers.step
    return `${numbers.last < 1 ? numbers.last : numbers.show(numbers.last)}. `
  }
}

function numbersOf({ start, type = '1', style = '', reversed }: Readonly<Record<string, string>>) {
  const [, words = ''] = /list-style(?:-type)?\s*:([^;]*)/i.exec(style) ?? []
  const isKnown = (name: string) => bullets.has(name) || Object.hasOwn(styles, name)
  const named = words.toLowerCase().split(/\s+/).find(isKnown) ?? type
  const first = wholeOf(start)
  const isReversed = reversed !== undefined
  // A list that counts down starts at its number of items, which is not known yet.
  if (bullets.has(named) || (isReversed && first === undefined)) return undefined
  const step = isReversed ? -1 : 1
  return { last: (first ?? 1) - step, step, show: Object.hasOwn(styles, named) ? styles[named]! : String }
}

const wholeOf = (text = '') => (/^\s*-?\d{1,9}\s*$/.test(text) ? Number(text) : undefined)
