/** Configuration files: YAML, checked by a schema. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { parse } from 'yaml'
import type { z } from 'zod'

/** @throws ConfigurationError naming every wrong field */
export function parseConfig<Schema extends z.ZodType>(
  schema: Schema,
  yaml: string,
  name: string,
): z.output<Schema> {
  let raw: unknown
  try {
    raw = parse(yaml)
  } catch (cause) {
    throw new ConfigurationError({
      code: 'train/config-syntax',
      message: `${name} is not valid YAML: ${(cause as Error).message}`,
      cause,
    })
  }
  const result = schema.safeParse(raw)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
  throw new ConfigurationError({
    code: 'train/config',
    message: `${name} is not a valid training configuration:\n  ${problems.join('\n  ')}`,
    details: { problems },
  })
}

/** The text of a configuration file. @throws ConfigurationError when it cannot be read */
export async function readConfig(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConfigurationError({
      code: 'train/no-config',
      message: `Cannot read the configuration ${path}.`,
      cause,
    })
  }
}
