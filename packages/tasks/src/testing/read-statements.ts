/** Reads planted statements by their templates alone, for tests that answer questions without the task's help. */
import type { Template } from '../facts/kind.ts'
import { createTextProse } from '../prose/prose-source.ts'
import type { Sample } from '../task.ts'
import { textOf } from './task-contract.ts'

const heading = '# The of and to'

/** Prose of headings: nothing is planted inside them, so each statement is a line of its own. */
export const headings = createTextProse('headings', `${heading}\n\n`.repeat(400))

/** The statements of a sample drawn with {@link headings}, in text order. */
export const plantedStatements = async (sample: Sample): Promise<string[]> =>
  (await textOf(sample)).split('\n').filter((line) => !heading.startsWith(line.trimEnd()))

export type Slots = Readonly<Record<string, string>>

/**
 * Slot texts of a statement or question, by the first template that explains most of its words.
 * @param given texts of slots; `subject` also fills `{Subject}` and `{bare}`
 * @returns undefined if no template matches
 */
export function readStatement(
  statement: string,
  templates: readonly Pick<Template, 'text'>[],
  given: Slots = {},
): Slots | undefined {
  const lengthOf = (slots: Slots) => Object.values(slots).join('').length
  return templates
    .filter(({ text }) => hasWordsOf(text, statement))
    .flatMap(({ text }): Slots[] => {
      const match = patternOf(text, given).exec(statement)
      const slots = Object.entries(match?.groups ?? {})
      return match === null ? [] : [Object.fromEntries(slots.map(([slot, text]) => [slot, whole(text)]))]
    })
    .toSorted((one, other) => lengthOf(one) - lengthOf(other))[0]
}

/** Cheap check before compiling a pattern. Full stops and articles beside slots may differ. */
const hasWordsOf = (template: string, statement: string): boolean =>
  template.split(/\{\w+\}/).every((piece) => statement.includes(piece.replace(/^\.|\b[Aa] $/g, '')))

/** Restores the full stop of an abbreviation at the end of a sentence. */
const whole = (text: string): string => text.replace(/\b(Inc|S\.A)$/, '$1.')

/** Escapes a text for a pattern; `{slots}` stay. */
export const escaped = (text: string): string => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&')

/** Source of a pattern that matches a template with any slot texts of at most this many characters. */
export const anyFilling = (template: string, longest: number): string =>
  escaped(template).replace(/\{\w+\}/g, `.{1,${longest}}?`)

function patternOf(template: string, given: Slots): RegExp {
  let last = ''
  const source = template.split(/\{(\w+)\}/).map((piece, i) => {
    if (i % 2 === 0) {
      const rest = last.endsWith('.') && piece.startsWith('.') ? piece.slice(1) : piece
      return escaped(rest).replace(/\b([Aa]) $/, '$1n? ')
    }
    const slot = piece === 'bare' ? 'subject' : piece.charAt(0).toLowerCase() + piece.slice(1)
    last = given[slot] ?? ''
    if (last === '') return `(?<${slot}>.+?)`
    if (piece === 'bare') return escaped(last.replace(/^the /, ''))
    return escaped(piece === slot ? last : last.charAt(0).toUpperCase() + last.slice(1))
  })
  return new RegExp(`^${source.join('')}$`, 'u')
}
