/** The jobs of a plan, in the order of execution. */
import { ConfigurationError } from '@memagent/core'
import type { BenchPlan, Job, PlannedMethod } from './plan.ts'

/**
 * Every method gets the same questions at every length. Jobs about one sample are consecutive, and samples alternate among
 * the tasks, so that a run that is stopped early has covered some of everything.
 * @throws ConfigurationError when there is nothing to do, or two tasks or methods have one name
 */
export function listJobs(plan: BenchPlan): Job[] {
  checkNames(
    'task',
    plan.tasks.map(({ name }) => name),
  )
  checkNames(
    'method',
    plan.methods.map(({ method }) => method.name),
  )
  const samples = plan.tasks.flatMap((task) =>
    task.lengths.flatMap(({ lengthTokens, samples }) =>
      Array.from({ length: samples }, (_, index) => ({ task, lengthTokens, index })),
    ),
  )
  if ((plan.order ?? 'shortest') === 'shortest') {
    // Stable sort: equal lengths keep the order of the tasks.
    samples.sort((a, b) => a.lengthTokens - b.lengthTokens || a.index - b.index)
  }
  const jobs = samples.flatMap((sample) =>
    plan.methods
      .filter((method) => isMeantFor(method, sample.lengthTokens))
      .map((method): Job => {
        const { task, lengthTokens, index } = sample
        const key = [task.name, lengthTokens, index, method.method.name, plan.model.name].join('/')
        return { ...sample, method, key }
      }),
  )
  if (jobs.length > 0) return jobs
  throw new ConfigurationError({
    code: 'bench/nothing-to-do',
    message: 'The plan has no questions.',
    hint: 'It needs tasks with lengths and samples, and methods that read documents of these lengths.',
  })
}

export const isMeantFor = ({ lengths, maxLengthTokens }: PlannedMethod, lengthTokens: number) =>
  (lengths?.includes(lengthTokens) ?? true) && lengthTokens <= (maxLengthTokens ?? Number.POSITIVE_INFINITY)

function checkNames(what: string, names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return
  throw new ConfigurationError({
    code: 'bench/same-name',
    message: `Two ${what}s are named ${twice}.`,
    hint: `Records are identified by the names of tasks and methods${what === 'task' ? ': give one another with `as`' : ''}.`,
    details: { name: twice },
  })
}
