/** Configuration files: YAML, checked by a schema. */
import { ConfigurationError } from '@memagent/core'
import { checkSettingsOf, parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import { parse, parseDocument } from 'yaml'
import type { z } from 'zod'

const fileNamed = (name: string) => ({ name, what: 'training configuration', area: 'train' })

/** @throws ConfigurationError naming every wrong field */
export const parseConfig = <Schema extends z.ZodType>(
  schema: Schema,
  yaml: string,
  name: string,
): z.output<Schema> => parseYamlSettings(schema, yaml, fileNamed(name))

/** @throws ConfigurationError naming every wrong field */
export const checkConfig = <Schema extends z.ZodType>(
  schema: Schema,
  settings: unknown,
  name: string,
): z.output<Schema> => checkSettingsOf(schema, settings, fileNamed(name))

/**
 * The text of a configuration file.
 * @param settings overrides of the file's fields: `optimizer.learningRate=1e-4`, `stages.0.steps=10`; the value
 *   is YAML
 * @throws ConfigurationError when it cannot be read, or a setting does not fit it
 */
export async function readConfig(path: string, settings: readonly string[] = []): Promise<string> {
  const text = await readSettingsFile(fileNamed(path))
  return settings.length === 0 ? text : withSettings(text, settings, path)
}

function withSettings(text: string, settings: readonly string[], path: string): string {
  const document = parseDocument(text)
  // The parser reports invalid YAML.
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
  try {
    return document.toString()
  } catch {
    // An alias of nothing, which the parser reports.
    return text
  }
}
