/**
 * A task from a module of the user's: its default export or its export `task` is a `Task` or a result of `defineTask`, or it
 * exports `createTask(options)`.
 * The module is checked when it is loaded, every sample when it is made; errors name the module.
 */
import { resolve } from 'node:path'
import { TaskError } from '@memagent/core'
import { loadModule } from '@memagent/core/node'
import { z } from 'zod'
import { defineTask, type TaskDefinition } from '../define-task.ts'
import { filePath } from '../settings/task-options.ts'
import type { Task } from '../task.ts'
import { attempt, type Broken, checkedTask } from './checked-task.ts'

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
  const broken = brokenModule(resolve(path))
  const { exports } = await loadModule(path, broken)
  const { task, how } = await findTask(exports, options, broken)
  return checkedTask(task, how, broken)
}

async function findTask(
  exported: Readonly<Record<string, unknown>>,
  options: Readonly<Record<string, unknown>>,
  broken: Broken,
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
    const task = await attempt(broken, `${how} made no task`, () => create(taken))
    return { task, how: `what ${how} made` }
  }
  const create = exported.createTask ?? exported.default
  if (typeof create === 'function') {
    const task = await attempt(broken, 'createTask failed', () => create(options))
    return { task, how: 'what createTask returned' }
  }
  const names = Object.keys(exported)
  throw broken(
    `it exports no task, only ${names.length === 0 ? 'nothing' : names.join(', ')}`,
    'Export a task or a result of defineTask as default or as `task`, or a function createTask(options) that returns a task.',
  )
}

const brokenModule =
  (file: string): Broken =>
  (reason, hint, cause) =>
    new TaskError({
      code: 'task/bad-module',
      message: `The task module ${file}: ${reason}.`,
      hint,
      details: { path: file },
      cause,
    })
