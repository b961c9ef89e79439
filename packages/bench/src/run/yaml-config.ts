/** Configuration files of benchmarks: YAML, checked by a schema. */
import { readFile } from 'node:fs/promises'
import { ConfigurationError } from '@memagent/core'
import { parse } from 'yaml'
import { type BenchConfig, benchConfig } from './config.ts'

/** @throws ConfigurationError when the file cannot be read, and naming every wrong field */
export async function readBenchConfig(path: string): Promise<BenchConfig> {
  let yaml: string
  try {
    yaml = await readFile(path, 'utf8')
  } catch (cause) {
    throw new ConfigurationError({
      code: 'bench/no-config',
      message: `Cannot read the configuration ${path}.`,
      cause,
    })
  }
  return parseBenchConfig(yaml, path)
}

/** @throws ConfigurationError naming every wrong field */
export function parseBenchConfig(yaml: string, name: string): BenchConfig {
  let raw: unknown
  try {
    raw = parse(yaml)
  } catch (cause) {
    throw new ConfigurationError({
      code: 'bench/config-syntax',
      message: `${name} is not valid YAML: ${(cause as Error).message}`,
      cause,
    })
  }
  return checkBenchConfig(raw, name)
}

/** @throws ConfigurationError naming every wrong field */
export function checkBenchConfig(raw: unknown, name: string): BenchConfig {
  const result = benchConfig.safeParse(raw)
  if (result.success) return result.data
  const problems = result.error.issues.map((issue) => `${issue.path.join('.') || '(root)'}: ${issue.message}`)
  throw new ConfigurationError({
    code: 'bench/config',
    message: `${name} is not a valid configuration of a benchmark:\n  ${problems.join('\n  ')}`,
    details: { problems },
  })
}
