/** Checks a plan, which a program may have made, before the first call: its faults would be recorded as wrong answers. */
import { ConfigurationError, checkLimits, checkProfile, checkSampling } from '@memagent/core'
import { brokenTask, checkedTask } from '@memagent/tasks'
import type { BenchPlan, PlannedLength, PlannedMethod, PlannedTask } from './plan.ts'

/** @returns the plan with tasks whose samples and scores are checked @throws ConfigurationError, TaskError */
export function checkedPlan(plan: BenchPlan): BenchPlan {
  const { model, tokenizer, profile, sampling, prices, order, tasks, methods } = plan
  if (typeof model?.generate !== 'function')
    throw wrong('model is no chat model', 'createOpenAICompatibleModel of @memagent/core makes one.')
  if (tokenizer !== undefined && typeof tokenizer?.count !== 'function')
    throw wrong('tokenizer is no tokenizer')
  if (profile !== undefined) checkProfile(profile)
  checkSampling(sampling)
  checkLimits({ prices })
  if (order !== undefined && !['shortest', 'listed'].includes(order))
    throw wrong(`order cannot be ${String(order)}`, 'It is shortest or listed.')
  for (const name of ['concurrency', 'ahead', 'maxConsecutiveFailures'] as const) {
    const value = plan[name]
    if (
      value !== undefined &&
      !(value === Number.POSITIVE_INFINITY || (Number.isInteger(value) && value > 0))
    )
      throw wrong(`${name} cannot be ${String(value)}`, 'It takes a whole number of at least 1.')
  }
  if (!Array.isArray(methods)) throw wrong('methods is no list', methodForm)
  methods.forEach(checkMethod)
  if (!Array.isArray(tasks)) throw wrong('tasks is no list', taskForm)
  return { ...plan, tasks: tasks.map(checkedPlannedTask) }
}

const methodForm = "Write methods: [{ method: await createMethod('overwrite') }]."
const taskForm =
  'Write tasks: [{ name, task: await tasks.jsonl({ path }), lengths: [{ lengthTokens, samples }] }].'

function checkMethod(planned: PlannedMethod, i: number): void {
  const { name, answer, estimate } = Object(planned?.method) as Partial<PlannedMethod['method']>
  if (typeof name !== 'string' || typeof answer !== 'function' || typeof estimate !== 'function')
    throw wrong(`methods[${i}].method is no method, which has name, answer and estimate`, methodForm)
}

function checkedPlannedTask(planned: PlannedTask, i: number): PlannedTask {
  if (typeof planned?.name !== 'string') throw wrong(`tasks[${i}] has no name`, taskForm)
  const { name, lengths } = planned
  const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
  const isLength = (length: PlannedLength | null) => isCount(length?.lengthTokens) && isCount(length?.samples)
  if (!Array.isArray(lengths) || !lengths.every(isLength))
    throw wrong(`tasks[${i}].lengths is no list of lengths and numbers of samples`, taskForm)
  return { ...planned, task: checkedTask(planned.task, 'what the plan has', brokenTask(name)) }
}

const wrong = (what: string, hint?: string) =>
  new ConfigurationError({ code: 'bench/bad-plan', message: `In the plan, ${what}.`, hint })
