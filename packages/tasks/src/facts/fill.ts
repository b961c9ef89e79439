/** Fills the slots of a template. */
import { TaskError } from '@memagent/core'
import type { Random } from '../random.ts'
import { capitalise, takesAn } from './grammar.ts'
import { drawFromPool, type Split } from './pools.ts'
import * as values from './values.ts'
import type { DrawText } from './words.ts'

export interface Filling {
  readonly random: Random
  readonly split: Split
  readonly subject: string
  /** Undefined in questions. */
  readonly value?: string
}

/** Slots of statements that are filled with what answers nothing. */
export const fillers: Readonly<Record<string, DrawText>> = {
  person: values.person,
  town: values.town,
  firm: values.firm,
  date: values.date,
  year: values.year,
  time: values.timeOfDay,
}

/**
 * @returns the text, and where the value starts in it (UTF-16 code units; -1 in a question).
 * @throws TaskError for a slot that does not exist
 */
export function fillTemplate(template: string, filling: Filling): { text: string; valueStart: number } {
  const { random, split, subject, value } = filling
  const bare = subject.replace(/^the /, '')
  let text = ''
  let valueStart = -1
  let end = 0
  for (const match of template.matchAll(/\{(\w+)\}/g)) {
    text = joinText(text, template.slice(end, match.index))
    end = match.index + match[0].length
    const slot = match[1]!
    const filler = fillers[slot]
    if (slot === 'value' && value !== undefined) {
      text = withArticle(text, value)
      valueStart = text.length
      text += value
    } else if (slot === 'subject') {
      text += subject
    } else if (slot === 'Subject') {
      text += capitalise(subject)
    } else if (slot === 'bare') {
      text += bare
    } else if (slot === 'Bare') {
      text += capitalise(bare)
    } else if (slot === 'slug') {
      text += bare
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '_')
        .replace(/^_|_$/g, '')
    } else if (filler !== undefined && value !== undefined) {
      text += drawFromPool(
        random,
        split,
        filler,
        (drawn) => drawn,
        (drawn) => !drawn.includes(value) && !value.includes(drawn) && !subject.includes(drawn),
      )
    } else {
      throw new TaskError({ code: 'task/unknown-slot', message: `unknown slot {${slot}} in: ${template}` })
    }
  }
  return { text: joinText(text, template.slice(end)), valueStart }
}

/** `a` becomes `an` before a value that sounds so. */
const withArticle = (text: string, next: string): string =>
  /\b[Aa] $/.test(text) && takesAn(next) ? `${text.slice(0, -1)}n ` : text

/** A full stop that ends an abbreviation (`Mott Inc.`) ends the sentence as well. */
const joinText = (text: string, next: string): string =>
  text.endsWith('.') && next.startsWith('.') ? text + next.slice(1) : text + next
