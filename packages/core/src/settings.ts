/**
 * Settings from files and command lines, checked by schemas, with errors in one form everywhere. A separate entry point, so that
 * reading alone does not load a schema library.
 */

export { checkSettings, type SettingProblem, showValue, wrongSetting } from './settings/check-settings.ts'
export {
  choosePrompts,
  isPromptFile,
  parsePromptFile,
  promptSetSchema,
  promptsSchema,
} from './settings/choose-prompts.ts'
export { describeSettings, type SettingDescription } from './settings/describe-settings.ts'
export { jsonSchemaOf } from './settings/json-schema.ts'
export { nearestName } from './settings/nearest-name.ts'
export { parseProfile } from './settings/parse-profile.ts'
export { chunkingSchema, samplingSchema, windowBudgetSchema } from './settings/reading-settings.ts'
export {
  checkSettingsOf,
  parseYamlSettings,
  readSettingsFile,
  type SettingOverride,
  type SettingsFile,
} from './settings/yaml-settings.ts'
