/**
 * A task from a module of the user's: its default export or its export `task` is a `Task` or a result of `defineTask`, or it
 * exports `createTask(options)`.
 * The module is checked when it is loaded, every sample when it is made; errors name the module.
 */
import { resolve } from 'node:path'
import { MemAgentError, messageOf, TaskError, type TextDocument } from '@memagent/core'
import { loadModule } from '@memagent/core/node'
import { checkSettings, showValue } from '@memagent/core/settings'
import { z } from 'zod'
import { defineTask, type TaskDefinition } from '../define-task.ts'
import { filePath } from '../settings/task-options.ts'
import type { Task } from '../task.ts'

export const moduleTask = defineTask({
  name: 'module',
  description:
    'A task of your own, from a JavaScript or TypeScript module; further options go to the module.',
  options: z.looseObject({
    path: filePath(
      'the JavaScript module',
      'A module whose default export is a task or a result of `defineTask`, or that exports `createTask(options)`.',
    ),
  }),
  create: createModuleTask,
})

/** @throws TaskError when the module does not exist, cannot be loaded, or does not export a task */
async function createModuleTask({
  path,
  ...options
}: {
  readonly path: string
  readonly [option: string]: unknown
}): Promise<Task> {
  const { file, exports } = await loadModule(path, (reason, hint, cause) =>
    broken(resolve(path), reason, hint, cause),
  )
  const { task, how } = await findTask(file, exports, options)
  const problem = problemOf(taskSchema, task)
  if (problem !== undefined) {
    throw broken(file, `${how} is not a task: ${problem}`)
  }
  return checked(file, task as Task)
}

async function findTask(
  file: string,
  exported: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>,
): Promise<{ task: unknown; how: string }> {
  for (const [name, how] of [
    ['default', 'its default export'],
    ['task', 'its export "task"'],
  ] as const) {
    const value = exported[name]
    if (value === undefined || typeof value === 'function') continue
    const { create, options: schema } = (value ?? {}) as Partial<TaskDefinition>
    if (typeof create !== 'function' || schema === undefined) return { task: value, how }
    // Code that creates tasks by name passes prose to all of them.
    const { prose, ...others } = options
    const taken = Object.hasOwn(schema.shape, 'prose') ? options : others
    const task = await attempt(file, `${how} made no task`, () => create(taken))
    return { task, how: `what ${how} made` }
  }
  const create = exported.createTask ?? exported.default
  if (typeof create === 'function') {
    const task = await attempt(file, 'createTask failed', () => create(options))
    return { task, how: 'what createTask returned' }
  }
  const names = Object.keys(exported)
  throw broken(
    file,
    `it exports no task, only ${names.length === 0 ? 'nothing' : names.join(', ')}`,
    'Export a task or a result of defineTask as default or as `task`, or a function createTask(options) that returns a task.',
  )
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

function checked(file: string, task: Task): Task {
  const score: Task['score'] = (sample, answer, response) => {
    let metrics: ReturnType<Task['score']>
    try {
      metrics = task.score(sample, answer, response)
    } catch (cause) {
      const what = `score failed for the answer ${showValue(answer)} to ${sample.id}`
      throw failed(file, what, cause, 'It gets undefined where the model says that the text does not answer.')
    }
    if (metricsSchema.safeParse(metrics).success) return metrics
    throw broken(file, `score must give numbers from 0 to 1 by name, got ${showMetrics(metrics)}`)
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
      const sample = await attempt(file, `${where} failed`, () => task.sample(request))
      const problem = problemOf(sampleSchema, sample)
      if (problem !== undefined) {
        throw broken(file, `${where} is wrong: ${problem}`)
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

async function attempt<T>(file: string, what: string, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (cause) {
    throw failed(file, what, cause)
  }
}

/** Passes on an error that already names its place and remedy. */
const failed = (file: string, what: string, cause: unknown, hint?: string) =>
  MemAgentError.isInstance(cause) ? cause : broken(file, `${what}: ${messageOf(cause)}`, hint, cause)

function broken(file: string, reason: string, hint?: string, cause?: unknown): TaskError {
  return new TaskError({
    code: 'task/bad-module',
    message: `The task module ${file}: ${reason}.`,
    hint,
    details: { path: file },
    cause,
  })
}
