/** The text of a training log. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'

/** @throws ConfigurationError when the file cannot be read */
export const readLogText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((cause: unknown) => {
    throw new ConfigurationError({
      code: 'bench/unreadable-log',
      message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
      details: { path },
      cause,
    })
  })
