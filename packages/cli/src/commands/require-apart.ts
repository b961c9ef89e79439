import { existsSync } from 'node:fs'
import { realpath } from 'node:fs/promises'
import { join } from 'node:path'
import { UsageError } from '../failures.ts'

/**
 * In the folder that it is made from, what is written would replace the weights.
 * @throws UsageError if both are the same folder
 */
export async function requireApart(folder: string, to: string): Promise<void> {
  const [from, target] = await Promise.all([folder, to].map((path) => realpath(path).catch(() => path)))
  if (from !== target) return
  throw new UsageError({
    code: 'cli/same-folder',
    message: `${to} is a folder that is read: what is written would replace its weights.`,
    hint: 'Name another folder to write to.',
  })
}

/**
 * A model that is replaced may have taken hours to train.
 * @param order reminds users who forgot an argument of the order @throws UsageError if the folder to write holds a model
 */
export function requireNoModel(to: string, order = ''): void {
  if (!existsSync(join(to, 'model.safetensors'))) return
  throw new UsageError({
    code: 'cli/model-there',
    message: `${to} holds a model, which would be replaced.`,
    hint: `${order}If it is no longer needed, remove it first.`,
  })
}
