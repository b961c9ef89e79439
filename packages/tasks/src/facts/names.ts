/**
 * Names of invented people, places, firms, ships and things. A name remembers the parts it was composed from, so that a
 * sibling (Blue Harbor warehouse / Blue Harbor marina) can share some of them.
 */
import type { Random } from '../random.ts'
import { type NameForm, nameForms, type SubjectClass } from './name-forms.ts'

export interface Name {
  /** As it stands inside a sentence: `the Blue Harbor warehouse`, `Anna Mott`. */
  readonly text: string
  readonly parts: readonly string[]
  readonly form: NameForm
}

export function drawName(random: Random, subjectClass: SubjectClass): Name {
  const form = random.pick(nameForms(subjectClass))
  return compose(form, partsOf(random, form))
}

/** A name of the same form that shares some part, but not all, with the given one where its form has two or more parts. */
export function drawSibling(random: Random, name: Name): Name {
  const other = partsOf(random, name.form)
  const free = name.form.flatMap((part, i) => (typeof part === 'string' ? [] : [i]))
  const kept = random.pick(free)
  const changed = random.pick(free.filter((i) => i !== kept || free.length === 1))
  return compose(
    name.form,
    name.parts.map((part, i) =>
      i === changed ? other[i]! : i === kept || random.chance(0.6) ? part : other[i]!,
    ),
  )
}

/**
 * Another name beside a given one, for the distractors of a question: nearly always a sibling. Now and then one that shares
 * nothing: some names have so few siblings in a pool (Dr. Mott, Senator Mott...) that drawing until one suits would never end.
 */
export function drawOtherName(random: Random, name: Name, drawFresh: (random: Random) => Name): Name {
  return name.form.length > 1 && !random.chance(0.05) ? drawSibling(random, name) : drawFresh(random)
}

const compose = (form: NameForm, parts: readonly string[]): Name => ({ text: parts.join(''), parts, form })
const partsOf = (random: Random, form: NameForm): string[] =>
  form.map((part) => (typeof part === 'string' ? part : part(random)))
