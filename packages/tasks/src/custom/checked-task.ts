/** A user's own task, whose faults are errors that name it. */
import { MemAgentError, messageOf, TaskError, type TextDocument } from '@memagent/core'
import { checkSettings, showValue } from '@memagent/core/settings'
import { z } from 'zod'
import type { Task } from '../task.ts'

/** Creates the error that names the task. */
export type Broken = (reason: string, hint?: string, cause?: unknown) => TaskError

/** For a task that a program gives. */
export const brokenTask =
  (name: string): Broken =>
  (reason, hint, cause) => {
    const message = `The task ${name}: ${reason}.`
    return new TaskError({ code: 'task/bad-task', message, hint, details: { name }, cause })
  }

const isFunction = (value: unknown): boolean => typeof value === 'function'
const bytes = z.number().int().min(0)
const method = z.custom(isFunction).meta({ takes: 'a function' })
const taskSchema = z.looseObject({
  name: z.string().min(1),
  deviations: z.array(z.string()).optional(),
  questions: z.number().int().positive().optional(),
  keepsLength: z.boolean().optional(),
  keepsLonger: z.boolean().optional(),
  sample: method,
  score: method,
})

const sampleSchema = z.looseObject({
  id: z.string(),
  question: z.string(),
  query: z.string().optional(),
  document: z
    .custom((value) => {
      const { open, sizeBytes } = (value ?? {}) as Partial<TextDocument>
      return isFunction(open) && bytes.optional().safeParse(sizeBytes).success
    })
    .meta({ takes: 'a document, such as createTextDocument gives' }),
  references: z.array(z.string()),
  match: z.enum(['any', 'all']),
  evidence: z.array(z.looseObject({ startByte: bytes, endByte: bytes })),
  labels: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]).optional())
    .meta({ takes: 'texts, numbers, true and false by name' }),
})

// An answer without a metric would count as wrong.
const metricsSchema = z
  .record(z.string(), z.number().min(0).max(1))
  .refine((metrics) => Object.keys(metrics).length > 0)

/** What is wrong with a value, in words; undefined if it is valid. */
const problemOf = (schema: z.ZodType, value: unknown): string | undefined =>
  checkSettings(schema, value)
    .problems?.map(({ message }) => message)
    .join('; ')

/**
 * The task, checked at once, every sample when it is made, and every score: a wrong one would be found after hours, or never.
 * @param how it came to be, for messages: `its default export`
 * @param broken makes the error
 * @throws TaskError that `broken` makes
 */
export function checkedTask(given: unknown, how: string, broken: Broken): Task {
  const wrong = problemOf(taskSchema, given)
  if (wrong !== undefined) throw broken(`${how} is not a task: ${wrong}`)
  const task = given as Task
  const score: Task['score'] = (sample, answer, response) => {
    let metrics: ReturnType<Task['score']>
    try {
      metrics = task.score(sample, answer, response)
    } catch (cause) {
      const what = `score failed for the answer ${showValue(answer)} to ${sample.id}`
      throw failed(
        broken,
        what,
        cause,
        'It gets undefined where the model says that the text does not answer.',
      )
    }
    if (metricsSchema.safeParse(metrics).success) return metrics
    // Nobody else handles its failure, which would end the process.
    if ((metrics as unknown) instanceof Promise)
      (metrics as unknown as Promise<unknown>).catch(() => undefined)
    throw broken(`score must give numbers from 0 to 1 by name, got ${showMetrics(metrics)}`)
  }
  let isTried = false
  return {
    name: task.name,
    deviations: task.deviations,
    questions: task.questions,
    keepsLength: task.keepsLength,
    keepsLonger: task.keepsLonger,
    async sample(request) {
      const where = `sample ${request.index} of seed ${request.seed}`
      const sample = await attempt(broken, `${where} failed`, () => task.sample(request))
      const problem = problemOf(sampleSchema, sample)
      if (problem !== undefined) {
        throw broken(`${where} is wrong: ${problem}`)
      }
      // Try it once before hours of answers: otherwise the first "not in the text" would end the run.
      if (!isTried) score(sample, undefined)
      isTried = true
      return sample
    },
    score,
  }
}

function showMetrics(metrics: unknown): string {
  if (metrics instanceof Promise) return 'a promise'
  if (metrics instanceof Object && Object.keys(metrics).length === 0) return 'none'
  const wrong = Object.entries(metrics ?? {}).find(([, value]) => !metricsSchema.safeParse({ value }).success)
  return wrong === undefined ? String(metrics) : `${wrong[0]} = ${showValue(wrong[1])}`
}

export async function attempt<T>(broken: Broken, what: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw failed(broken, what, cause)
  }
}

/** Passes on an error that already names its place and remedy. */
const failed = (broken: Broken, what: string, cause: unknown, hint?: string) =>
  MemAgentError.isInstance(cause) ? cause : broken(`${what}: ${messageOf(cause)}`, hint, cause)
