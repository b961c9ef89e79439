/**
 * Names of invented people, places, firms, ships and things. A name remembers the parts it was composed from, so that a
 * sibling (Blue Harbor warehouse / Blue Harbor marina) can share some of them.
 */
import type { Random } from '../random.ts'
import { nameForms, type SubjectClass } from './name-forms.ts'
import { drawParts, type Pattern } from './patterns.ts'

export interface Name {
  /** As used inside a sentence: `the Blue Harbor warehouse`, `Anna Mott`. */
  readonly text: string
  readonly parts: readonly string[]
  readonly form: Pattern
}

export function drawName(random: Random, subjectClass: SubjectClass): Name {
  return drawForm(random, random.pick(nameForms(subjectClass)))
}

export const drawForm = (random: Random, form: Pattern): Name => composeName(form, drawParts(random, form))

/** A name of the same form; if the form has two or more parts, it shares some but not all of them. */
export function drawSibling(random: Random, name: Name): Name {
  const other = drawParts(random, name.form)
  const free = name.form.flatMap((part, i) => (typeof part === 'string' ? [] : [i]))
  const kept = random.pick(free)
  const changed = random.pick(free.filter((i) => i !== kept || free.length === 1))
  return composeName(
    name.form,
    name.parts.map((part, i) =>
      i === changed ? other[i]! : i === kept || random.chance(0.6) ? part : other[i]!,
    ),
  )
}

/**
 * Another name beside a given one, for the distractors of a question: nearly always a sibling. Sometimes one that shares
 * nothing: some names have so few siblings in a pool (Dr. Mott, Senator Mott...) that drawing until one fits would never end.
 */
export function drawOtherName(random: Random, name: Name, drawFresh: (random: Random) => Name): Name {
  return name.form.length > 1 && !random.chance(0.05) ? drawSibling(random, name) : drawFresh(random)
}

export const composeName = (form: Pattern, parts: readonly string[]): Name => ({
  text: parts.join(''),
  parts,
  form,
})
