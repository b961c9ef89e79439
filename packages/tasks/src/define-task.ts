/** How a task is declared: a name, what it asks, the options it takes, and how it is made of them. One file a task. */
import type { z } from 'zod'
import { readTaskOptions } from './settings/task-options.ts'
import type { Task } from './task.ts'

export interface TaskDefinition<
  Options extends z.ZodObject = z.ZodObject,
  Made extends Task | Promise<Task> = Task | Promise<Task>,
> {
  /** The name it is registered under; a task created from it may have another one. */
  readonly name: string
  /** What it asks, in a sentence. */
  readonly description: string
  /**
   * Every option has a description. Its default is the schema's; where that is none or long, `defaultIs` in its metadata
   * says it in words. Options with `codeOnly` in their metadata cannot be written in a file.
   */
  readonly options: Options
  /** @throws TaskError naming every unknown option and every wrong one, with its value and what it takes */
  create(options: z.input<Options>): Made
}

/** @param definition its `create` takes the options as the schema gives them */
export const defineTask = <Options extends z.ZodObject, Made extends Task | Promise<Task>>(
  definition: Omit<TaskDefinition<Options, Made>, 'create'> & { create(settings: z.output<Options>): Made },
): TaskDefinition<Options, Made> => ({
  ...definition,
  create: (options) => definition.create(readTaskOptions(definition.name, definition.options, options)),
})
