import { resolve } from 'node:path'
import { TaskError } from '@memagent/core'

/** The absolute path. @throws TaskError for what a configuration file may hold instead of one */
export function taskPath(task: 'jsonl' | 'module', path: unknown): string {
  if (typeof path !== 'string' || path === '') {
    throw new TaskError({
      code: 'task/no-path',
      message: `the task ${task} needs the path of a file, got ${JSON.stringify(path) ?? 'nothing'}`,
      hint: 'Give it as the option `path`.',
    })
  }
  return resolve(path)
}
