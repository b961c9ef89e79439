/** Fills the slots of templates with given texts. `fill.ts` draws some of them. */
import { TaskError } from '@memagent/core'
import { capitalise, takesAn } from './grammar.ts'

export interface FilledSlots {
  readonly text: string
  /** Start of each slot's text, in UTF-16 code units; `{Subject}` and `{bareSubject}` also count as `subject`. */
  readonly starts: Readonly<Record<string, number>>
}

const nameOf = (slot: string): string => {
  const name = slot.replace(/^bare(?=\p{Lu})/u, '')
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/**
 * `{subject}` is filled as given, `{Subject}` with a capital, and `{bareSubject}` without the leading `the`.
 * @throws TaskError for a missing slot
 */
export const fillSlots = (template: string, slots: Readonly<Record<string, string>>): FilledSlots =>
  replaceSlots(template, (slot) => {
    const text = slots[nameOf(slot)]
    if (text === undefined || slot === nameOf(slot)) return text
    return slot.startsWith('bare') ? withoutThe(text) : capitalise(text)
  })

export const withoutThe = (text: string): string => text.replace(/^the /, '')

/**
 * @param textOf called in the order of the slots; returns undefined for an unknown slot
 * @throws TaskError for an unknown slot
 */
export function replaceSlots(template: string, textOf: (slot: string) => string | undefined): FilledSlots {
  const starts: Record<string, number> = {}
  let text = ''
  template.split(/\{(\w+)\}/).forEach((piece, i) => {
    if (i % 2 === 0) {
      // A full stop after an abbreviation (`Mott Inc.`) also ends the sentence.
      text += text.endsWith('.') && piece.startsWith('.') ? piece.slice(1) : piece
      return
    }
    const next = textOf(piece)
    if (next === undefined) {
      throw new TaskError({ code: 'task/unknown-slot', message: `unknown slot {${piece}} in: ${template}` })
    }
    if (takesAn(next) && /\b[Aa] $/.test(text)) text = `${text.slice(0, -1)}n `
    starts[nameOf(piece)] = text.length
    text += next
  })
  return { text, starts }
}
