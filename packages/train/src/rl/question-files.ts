/** Tells whether two sets of options ask questions of different files, or different ones of the same files. */
import { resolve } from 'node:path'

type Options = Readonly<Record<string, unknown>>

/** Whether no question that one set of options gives is among those of the other. Rows that may be both are taken to be. */
export function keepsApart(one: Options, other: Options): boolean {
  const [files, others] = [filesOf(one), filesOf(other)]
  return (
    (files.length > 0 && !files.some((file) => others.includes(file))) ||
    areApart(one.questions, other.questions, (a, b) => resolve(String(a)) !== resolve(String(b))) ||
    areApart(one.documents, other.documents, hasOtherDocuments) ||
    areApart(one.where, other.where, hasOtherRows)
  )
}

const filesOf = ({ path, folder }: Options): string[] =>
  [path, folder].flat().flatMap((file) => (typeof file === 'string' ? [resolve(file)] : []))

/** Without an option, all questions are asked. */
const areApart = (one: unknown, other: unknown, test: (one: unknown, other: unknown) => boolean): boolean =>
  one !== undefined && other !== undefined && test(one, other)

/** Of `real-documents`: documents, or the kinds that they are of. Elsewhere the option is a number of documents. */
function hasOtherDocuments(one: unknown, other: unknown): boolean {
  const [all, others] = [[one].flat(), [other].flat()]
  const areNames = [...all, ...others].every((name) => typeof name === 'string' && name !== 'published')
  const isWithin = (name: unknown, kind: unknown) => name === kind || String(name).startsWith(`${kind}/`)
  return areNames && !all.some((a) => others.some((b) => isWithin(a, b) || isWithin(b, a)))
}

/** Whether a column that both filters name has no value that suits both. */
function hasOtherRows(one: unknown, other: unknown): boolean {
  const [filter, second] = [one as Options, other as Options]
  return Object.keys(filter).some(
    (column) => Object.hasOwn(second, column) && !sharesValue(filter[column], second[column]),
  )
}

function sharesValue(one: unknown, other: unknown): boolean {
  const [range, second] = [rangeOf(one), rangeOf(other)]
  if (range && second) return range.min <= second.max && second.min <= range.max
  const isIn = (value: unknown, { min, max }: Range) =>
    typeof value === 'number' && value >= min && value <= max
  if (range) return [other].flat().some((value) => isIn(value, range))
  if (second) return [one].flat().some((value) => isIn(value, second))
  return [one].flat().some((value) => [other].flat().includes(value))
}

interface Range {
  readonly min: number
  readonly max: number
}

function rangeOf(wanted: unknown): Range | undefined {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return undefined
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = wanted as Partial<Range>
  return { min, max }
}
