/** Configuration files: YAML, checked by a schema. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { parse, parseDocument } from 'yaml'
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

/**
 * The text of a configuration file.
 * @param settings fields to set instead of what the file says: `optimizer.learningRate=1e-4`, `stages.0.steps=10`; the value
 *   is YAML
 * @throws ConfigurationError when it cannot be read, or a setting fits nowhere
 */
export async function readConfig(path: string, settings: readonly string[] = []): Promise<string> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConfigurationError({
      code: 'train/no-config',
      message: `Cannot read the configuration ${path}.`,
      cause,
    })
  }
  return settings.length === 0 ? text : withSettings(text, settings, path)
}

function withSettings(text: string, settings: readonly string[], path: string): string {
  const document = parseDocument(text)
  // A file that is no YAML is told so by the one who parses it.
  if (document.errors.length > 0) return text
  for (const setting of settings) {
    const [, field, value] = /^([^=\s]+)=(.*)$/s.exec(setting) ?? []
    try {
      if (field === undefined) throw new Error('expected FIELD=VALUE, such as optimizer.learningRate=1e-4')
      document.setIn(
        field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
        document.createNode(parse(value!)),
      )
    } catch (cause) {
      throw new ConfigurationError({
        code: 'train/bad-setting',
        message: `The setting ${setting} does not fit ${path}: ${(cause as Error).message}`,
        cause,
      })
    }
  }
  return document.toString()
}
