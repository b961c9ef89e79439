/** The declaration of a task: its name, what it asks, its options, and how to create it from them. One file per task. */
import type { z } from 'zod'
import { withCheckedRequests } from './settings/sample-request.ts'
import { readTaskOptions } from './settings/task-options.ts'
import type { Task } from './task.ts'

export interface TaskDefinition<
  Options extends z.ZodObject = z.ZodObject,
  Made extends Task | Promise<Task> = Task | Promise<Task>,
> {
  /** The name it is registered under; a task created from it may have another. */
  readonly name: string
  /** What it asks, in one sentence. */
  readonly description: string
  /**
   * Every option has a description. Its default is the schema's; if that is missing or long, `defaultIs` in its metadata
   * describes it. Options with `codeOnly` in their metadata cannot be set in a file.
   */
  readonly options: Options
  /**
   * @returns a task that refuses to make a sample of wrong numbers, with a TaskError
   * @throws TaskError naming every unknown option and every wrong one, with its value and what it takes
   */
  create(options: z.input<Options>): Made
}

/** @param definition its `create` takes the options as parsed by the schema */
export const defineTask = <Options extends z.ZodObject, Made extends Task | Promise<Task>>(
  definition: Omit<TaskDefinition<Options, Made>, 'create'> & { create(settings: z.output<Options>): Made },
): TaskDefinition<Options, Made> => ({
  ...definition,
  create: (options) =>
    withCheckedRequests(definition.create(readTaskOptions(definition.name, definition.options, options))),
})
