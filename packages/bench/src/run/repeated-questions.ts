/** What to know before a run about tasks that have fewer questions than it asks. */
import { count } from '../report/numbers.ts'
import { plural } from '../report/sections/words.ts'
import type { BenchPlan } from './plan.ts'

/** A sentence for each such task: repeated questions take time and tell little. */
export const notesOnRepeatedQuestions = ({ tasks }: Pick<BenchPlan, 'tasks'>): string[] =>
  tasks.flatMap(({ name, task: { questions }, lengths }) => {
    const most = Math.max(0, ...lengths.map(({ samples }) => samples))
    if (questions === undefined || most <= questions) return []
    const asked = plural(questions, 'question')
    const each = `with ${plural(questions, 'sample')}, each is asked once`
    return [`${name} has ${asked}, and is asked ${count(most)}: reports count a repeated one once; ${each}.`]
  })
