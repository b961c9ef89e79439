/** Fills templates whose slots are all given. For templates with drawn fillers, see `fill.ts`. */
import { TaskError } from '@memagent/core'
import { capitalise } from './grammar.ts'

export interface FilledSlots {
  readonly text: string
  /** Where each slot's text starts, in UTF-16 code units. */
  readonly starts: Readonly<Record<string, number>>
}

/**
 * `{subject}` is filled as given, `{Subject}` with a capital, and `{bareSubject}` without the leading `the`.
 * @throws TaskError for a slot that is not given
 */
export function fillSlots(template: string, slots: Readonly<Record<string, string>>): FilledSlots {
  const starts: Record<string, number> = {}
  let text = ''
  let end = 0
  const append = (next: string): void => {
    // A full stop that ends an abbreviation (`Mott Inc.`) ends the sentence as well.
    text += text.endsWith('.') && next.startsWith('.') ? next.slice(1) : next
  }
  for (const match of template.matchAll(/\{(\w+)\}/g)) {
    append(template.slice(end, match.index))
    end = match.index + match[0].length
    const slot = match[1]!
    const isBare = slot.startsWith('bare')
    const name = isBare ? slot.charAt(4).toLowerCase() + slot.slice(5) : slot
    const key = Object.hasOwn(slots, name) ? name : name.charAt(0).toLowerCase() + name.slice(1)
    const value = slots[key]
    if (value === undefined) {
      throw new TaskError({ code: 'task/unknown-slot', message: `unknown slot {${slot}} in: ${template}` })
    }
    starts[key] = text.length
    text += isBare ? value.replace(/^the /, '') : key === name ? value : capitalise(value)
  }
  append(template.slice(end))
  return { text, starts }
}
