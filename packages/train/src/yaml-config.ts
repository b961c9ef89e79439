/** Configuration files: YAML, checked by a schema. */
import { ConfigurationError } from '@memagent/core'
import {
  checkSettingsOf,
  parseYamlSettings,
  readSettingsFile,
  type SettingOverride,
} from '@memagent/core/settings'
import { parse } from 'yaml'
import type { z } from 'zod'

const fileNamed = (name: string) => ({ name, what: 'training configuration', area: 'train' })

/** The text of a configuration file. @throws ConfigurationError when it cannot be read */
export const readConfig = (path: string): Promise<string> => readSettingsFile(fileNamed(path))

/**
 * @param settings overrides of the file's fields: `optimizer.learningRate=1e-4`, `stages.0.steps=10`; the value is YAML
 * @throws ConfigurationError naming every wrong field, or for a setting that does not fit the file
 */
export const parseConfig = <Schema extends z.ZodType>(
  schema: Schema,
  yaml: string,
  name: string,
  settings: readonly string[] = [],
): z.output<Schema> =>
  parseYamlSettings(
    schema,
    yaml,
    fileNamed(name),
    settings.map((setting) => overrideOf(setting, name)),
  )

/** @throws ConfigurationError naming every wrong field */
export const checkConfig = <Schema extends z.ZodType>(
  schema: Schema,
  settings: unknown,
  name: string,
): z.output<Schema> => checkSettingsOf(schema, settings, fileNamed(name))

function overrideOf(setting: string, file: string): SettingOverride {
  const [, field, value] = /^([^=\s]+)=(.*)$/s.exec(setting) ?? []
  try {
    if (field === undefined) throw new Error('expected FIELD=VALUE, such as optimizer.learningRate=1e-4')
    return {
      path: field.split('.').map((key) => (/^\d+$/.test(key) ? Number(key) : key)),
      value: parse(value!),
      name: `--set ${field}`,
    }
  } catch (cause) {
    throw new ConfigurationError({
      code: 'train/bad-setting',
      message: `--set ${setting} does not fit ${file}: ${(cause as Error).message}`,
      cause,
    })
  }
}
