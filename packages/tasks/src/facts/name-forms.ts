/** The forms that names of each class of subject take: `data/facts/names.yaml`. */
import { z } from 'zod'
import { lazy, lines, loadData } from '../data/load-data.ts'
import type { Random } from '../random.ts'
import { capitalise, plural, withIndefiniteArticle } from './grammar.ts'
import { brandName, firstName, surname, townName } from './name-parts.ts'
import { type DrawText, drawWord, isWordList } from './words.ts'

/** A text that is the same in every name, or a draw of one. */
export type NamePart = string | DrawText

/** Parts in order, put together without anything between them. */
export type NameForm = readonly NamePart[]

const people = ['person', 'firm', 'project', 'event'] as const
const things = ['ship', 'service', 'machine', 'work', 'dish', 'order', 'keepsake', 'key'] as const
export const subjectClasses = ['town', 'building', ...people, ...things] as const

/** What a fact can be about. */
export type SubjectClass = (typeof subjectClasses)[number]

const letters = 'ABCDEFGHJKLMNPRSTUVWX'
const drawNoun = (random: Random): string => capitalise(drawWord(random, 'noun'))

const parts: Readonly<Record<string, DrawText>> = {
  firstName,
  surname,
  town: townName,
  brand: brandName,
  letter: (random) => letters.charAt(random.int(letters.length)),
  Nouns: (random) => plural(drawNoun(random)),
  'A noun': (random) => withIndefiniteArticle(drawNoun(random)),
}

/** @returns undefined when there is no such slot */
function drawOfSlot(slot: string): DrawText | undefined {
  const own = parts[slot]
  if (own !== undefined) return own
  if (slot.includes('|')) {
    const texts = slot.split('|')
    return (random) => random.pick(texts)
  }
  const [, low, high] = /^(\d+)-(\d+)$/.exec(slot) ?? []
  if (low !== undefined) return (random) => String(random.between(Number(low), Number(high)))
  const list = slot.charAt(0).toLowerCase() + slot.slice(1)
  if (!isWordList(list)) return undefined
  return slot === list ? (random) => drawWord(random, list) : (random) => capitalise(drawWord(random, list))
}

/** A form from its line: `the {Adjective} {Noun}`. */
const form = z.string().transform((line, context): NameForm => {
  const pieces = line.split(/\{([^}]*)\}/)
  return pieces.flatMap((piece, i): NameForm => {
    if (i % 2 === 0 || piece === '') return piece === '' ? [] : [piece]
    const draw = drawOfSlot(piece)
    if (draw === undefined) {
      context.addIssue({ code: 'custom', message: `"${line}" has the unknown slot {${piece}}` })
    }
    return [draw ?? piece]
  })
})

/** Names by class of subject, a form a line. */
export const nameTable = z.record(z.enum(subjectClasses), lines.pipe(z.array(form).min(1)))

const forms = lazy(() => loadData('facts/names.yaml', nameTable))

export const nameForms = (subjectClass: SubjectClass): readonly NameForm[] => forms()[subjectClass]
