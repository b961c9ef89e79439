import { resolve } from 'node:path'
import { z } from 'zod'
import { filePath, readTaskOptions } from '../settings/task-options.ts'

/** The absolute path. @throws TaskError for what a configuration file may hold instead of one */
export const taskPath = (task: 'jsonl' | 'module', path: unknown): string =>
  resolve(readTaskOptions(task, z.object({ path: filePath(`the ${files[task]}`) }), { path }).path)

const files = { jsonl: 'JSONL file of questions', module: 'JavaScript module' } as const
