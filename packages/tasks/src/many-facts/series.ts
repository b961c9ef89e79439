/** Series: something stated repeatedly with different values, or for different members of a group. Read from a table. */
import { z } from 'zod'
import { lazy, lines, loadData } from '../data/load-data.ts'
import { templateOf, templates } from '../facts/kind.ts'
import { subjectClasses } from '../facts/name-forms.ts'

export const choice = z.enum(['latest', 'first', 'highest'])
/** Which fact is the answer: the last one stated, the first, or the one with the highest value. */
export type Choice = z.output<typeof choice>

const questions = z.strictObject({ latest: lines, first: lines, highest: lines })

const row = z.strictObject({
  subject: z.enum(subjectClasses),
  member: z.enum(subjectClasses).optional(),
  low: z.number(),
  high: z.number(),
  unit: z.string().transform((unit) => (unit === '' ? '' : ` ${unit}`)),
  /** What is measured, for questions about a quantity. */
  quantity: z.string().optional(),
  /** What the members are, and which of them has the highest value. */
  role: z.string().optional(),
  most: z.string().optional(),
  statements: templates,
})

/** Rows with their questions. */
const table = z
  .strictObject({
    questions: z.strictObject({ quantity: questions, member: questions }),
    series: z.record(z.string(), row),
  })
  .transform(({ questions: { quantity, member }, series }) =>
    Object.entries(series).map(([name, { quantity: measured, role, most, ...row }]) => {
      const phrases: Record<string, string | undefined> = { quantity: measured, role, most }
      const asked = row.member === undefined ? quantity : member
      const asking = (which: Choice) =>
        asked[which].map((line) =>
          templateOf(line.replace(/\{(quantity|role|most)\}/g, (slot, name) => phrases[name] ?? slot)),
        )
      const questions = { latest: asking('latest'), first: asking('first'), highest: asking('highest') }
      return { name, ...row, questions }
    }),
  )

export const series = lazy(() => loadData('many-facts.yaml', table))
