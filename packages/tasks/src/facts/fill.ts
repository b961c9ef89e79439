/** Fills the slots of statements and questions: with subject and value, and with drawn details. */
import type { Random } from '../random.ts'
import { replaceSlots, withoutThe } from './fill-slots.ts'
import { capitalise } from './grammar.ts'
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

/** Slots of statements that are filled with irrelevant detail. */
export const fillers: Readonly<Record<string, DrawText>> = {
  person: values.person,
  town: values.town,
  firm: values.firm,
  date: values.date,
  year: values.year,
  time: values.timeOfDay,
}

/** Slots that name the subject. */
export const subjectSlots: Readonly<Record<string, (subject: string) => string>> = {
  subject: (subject) => subject,
  Subject: capitalise,
  bare: withoutThe,
  Bare: (subject) => capitalise(withoutThe(subject)),
  slug: (subject) =>
    withoutThe(subject)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, '_')
      .replace(/^_|_$/g, ''),
}

/**
 * @returns the text, and the start of the value in it (UTF-16 code units; -1 in a question)
 * @throws TaskError for an unknown slot
 */
export function fillTemplate(template: string, filling: Filling): { text: string; valueStart: number } {
  const { random, split, subject, value } = filling
  const { text, starts } = replaceSlots(template, (slot) => {
    const named = subjectSlots[slot]?.(subject)
    if (named !== undefined || value === undefined) return named
    if (slot === 'value') return value
    const filler = fillers[slot]
    return (
      filler &&
      drawFromPool(
        random,
        split,
        filler,
        (drawn) => drawn,
        (drawn) => !drawn.includes(value) && !value.includes(drawn) && !subject.includes(drawn),
      )
    )
  })
  return { text, valueStart: starts.value ?? -1 }
}
