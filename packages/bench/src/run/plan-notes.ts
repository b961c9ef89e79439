/** Notes on a plan, shown before it runs. */
import { count } from '../report/numbers.ts'
import { plural } from '../report/sections/words.ts'
import { isMeantFor } from './jobs.ts'
import type { BenchPlan } from './plan.ts'

/** One sentence for each task asked more questions than it has, and for each method that is asked nothing. */
export const notesOnPlan = (plan: Pick<BenchPlan, 'tasks' | 'methods'>): string[] => [
  ...repeatedQuestions(plan),
  ...idleMethods(plan),
]

/** Repeated questions take time and add little information. */
const repeatedQuestions = ({ tasks }: Pick<BenchPlan, 'tasks'>): string[] =>
  tasks.flatMap(({ name, task: { questions }, lengths }) => {
    const most = Math.max(0, ...lengths.map(({ samples }) => samples))
    if (questions === undefined || most <= questions) return []
    const asked = plural(questions, 'question')
    const each = `with ${plural(questions, 'sample')}, each is asked once`
    return [`${name} has ${asked}, and is asked ${count(most)}: reports count a repeated one once; ${each}.`]
  })

/** A run at other lengths than the configuration's may leave out some of its methods, which a report would not show. */
function idleMethods({ tasks, methods }: Pick<BenchPlan, 'tasks' | 'methods'>): string[] {
  const lengths = tasks.flatMap((task) => task.lengths.map(({ lengthTokens }) => lengthTokens))
  return methods
    .filter((method) => !lengths.some((length) => isMeantFor(method, length)))
    .map(
      ({ method }) =>
        `${method.name} is asked nothing: its \`lengths\` or \`maxLength\` allow none of this run.`,
    )
}
