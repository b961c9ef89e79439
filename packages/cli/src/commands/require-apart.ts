import { realpath } from 'node:fs/promises'
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
