/** Ensures that a record contains answers to the same questions under the same settings; others cannot be compared. */
import { isDeepStrictEqual } from 'node:util'
import { ConfigurationError } from '@memagent/core'
import type { BenchRecord } from '../record.ts'

type Settings = Pick<BenchRecord, 'seed' | 'taskOptions' | 'taskContent' | 'settings'>
type Recorded = Settings & Pick<BenchRecord, 'task' | 'model' | 'key' | 'method' | 'workflow'>

const shownDifferences = 5

/**
 * Samples of this run's tasks must have been asked with the same seed, options and question files, whatever the method;
 * samples of a model of this name also under the same settings. Descriptions (seen in training, prices) may change.
 * @param workflows of this run, by method: a workflow with another file or other prompts is another one
 * @param wantedOf what this run would record for a task; undefined if it has no such task
 * @throws ConfigurationError that names what differs
 */
export function checkSameSettings(
  path: string,
  recorded: Iterable<Recorded>,
  model: string,
  wantedOf: (task: string) => Settings | undefined,
  workflows: ReadonlyMap<string, string | undefined>,
): void {
  const differences = new Map<string, string>()
  for (const sample of recorded) {
    const wanted = wantedOf(sample.task)
    if (!wanted) continue
    const parts = ['seed', 'taskOptions', ...(sample.model === model ? (['settings'] as const) : [])] as const
    const found = parts.flatMap((part) => differencesOf(part, sample[part], asJson(wanted[part])))
    const isOfRun = sample.model === model && workflows.has(sample.method)
    const workflow = isOfRun ? differencesOf('workflow', sample.workflow, workflows.get(sample.method)) : []
    for (const [name, was, is] of [...found, ...workflow, ...changedContent(sample, wanted)]) {
      const id = name === 'workflow' || name.startsWith('settings') ? name : `${name} of ${sample.task}`
      if (!differences.has(id)) differences.set(id, `${id}: recorded ${show(was)}, now ${show(is)}`)
    }
  }
  if (differences.size === 0) return
  const lines = [...differences.values()]
  const more = lines.length - shownDifferences
  throw new ConfigurationError({
    code: 'bench/other-settings',
    message: `${path} was recorded under other settings:\n  ${lines.slice(0, shownDifferences).join('\n  ')}${more > 0 ? `\n  and ${more} more` : ''}`,
    hint: 'Use another output file, or restore the settings.',
    details: { path, differences: lines },
  })
}

type Difference = readonly [name: string, was: unknown, is: unknown]

/** Old records do not identify the files of their questions. */
function changedContent({ taskContent: was }: Settings, { taskContent: is }: Settings): Difference[] {
  return was === undefined || is === undefined || was === is ? [] : [['content of the files', was, is]]
}

/** For objects, the differing fields. */
function differencesOf(name: string, was: unknown, is: unknown): Difference[] {
  if (isDeepStrictEqual(was, is)) return []
  if (!isObject(was) || !isObject(is)) return [[name, was, is]]
  const keys = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...keys].flatMap((key) => differencesOf(`${name}.${key}`, was[key], is[key]))
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value as read back from a file. */
const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const show = (value: unknown) => (value === undefined ? 'nothing' : JSON.stringify(value))
