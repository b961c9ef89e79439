/** Configuration files of benchmarks: YAML, checked by a schema. */
import { checkSettingsOf, parseYamlSettings, readSettingsFile } from '@memagent/core/settings'
import { type BenchConfig, benchConfigSchema } from './config.ts'

const fileNamed = (name: string) => ({ name, what: 'configuration of a benchmark', area: 'bench' })

/** @throws ConfigurationError when the file cannot be read, and naming every wrong field */
export const readBenchConfig = async (path: string): Promise<BenchConfig> =>
  parseBenchConfig(await readSettingsFile(fileNamed(path)), path)

/** @throws ConfigurationError naming every wrong field */
export const parseBenchConfig = (yaml: string, name: string): BenchConfig =>
  parseYamlSettings(benchConfigSchema, yaml, fileNamed(name))

/** @throws ConfigurationError naming every wrong field */
export const checkBenchConfig = (raw: unknown, name: string): BenchConfig =>
  checkSettingsOf(benchConfigSchema, raw, fileNamed(name))
