/** The lines of a training log. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'

/** Ignores lines that are not JSON, such as one cut short. @throws ConfigurationError when the file cannot be read */
export async function readLogLines(path: string): Promise<unknown[]> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError({
      code: 'bench/unreadable-log',
      message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
      details: { path },
      cause,
    })
  })
  return text.split('\n').flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}
