/** The latest line of every sample, from one or several files. */
import { ConfigurationError, canonicalJson } from '@memagent/core'
import { ofMemoryMethod } from '../diagnosis/diagnose.ts'
import { seriesId } from './analysis/series.ts'
import { type Observation, observe } from './observation.ts'
import { readRecordLines } from './read-records.ts'

export interface Source {
  readonly path: string
  readonly records: number
  /** Lines cut short by a killed run. */
  readonly cutLines: number
}

export interface Collection {
  readonly observations: readonly Observation[]
  readonly sources: readonly Source[]
}

/** Whether a method keeps a memory is inferred from all its samples, as some may have no notes. */
function withMemories(observations: readonly Observation[]): Observation[] {
  const withMemory = new Set(
    observations.filter(({ diagnosis }) => diagnosis.hasMemory).map((observation) => seriesId(observation)),
  )
  return observations.map((observation) =>
    withMemory.has(seriesId(observation))
      ? { ...observation, diagnosis: ofMemoryMethod(observation.diagnosis) }
      : { ...observation, memory: undefined },
  )
}

/** A file of records, with the report's name for its reader. */
export interface NamedRecords {
  readonly path: string
  readonly reader: string
}

/**
 * If several lines of a file have the same key, the last counts. Lines of several files with the same key are the same sample
 * if their settings are equal, otherwise another series.
 * @throws ConfigurationError for files that cannot be read, hold anything else or hold no record, and if two files answer the
 * same sample differently
 */
export async function collectObservations(files: readonly (string | NamedRecords)[]): Promise<Collection> {
  const byIdentity = new Map<string, Observation>()
  const sources: Source[] = []
  for (const file of files) {
    const { path, reader } = typeof file === 'string' ? { path: file, reader: undefined } : file
    const byKey = new Map<string, Observation>()
    let cutLines = 0
    for await (const line of readRecordLines(path)) {
      if ('isCut' in line) cutLines += 1
      else byKey.set(line.record.key, observe(line.record, path, reader))
    }
    sources.push({ path, records: byKey.size, cutLines })
    for (const observation of byKey.values()) {
      const { key, settings, taskOptions, workflow, seed } = observation
      const identity = canonicalJson([key, settings, taskOptions, workflow ?? null, seed, reader ?? null])
      checkSameAnswer(byIdentity.get(identity), observation)
      byIdentity.set(identity, observation)
    }
  }
  if (byIdentity.size === 0) {
    throw new ConfigurationError({
      code: 'bench/no-records',
      message: `No finished sample is recorded in ${sources.map(({ path }) => path).join(', ')}.`,
      hint: '`memagent bench run` writes one line for each.',
    })
  }
  return { observations: withMemories([...byIdentity.values()]), sources }
}

/** Two models may have the same name; one file would silently replace the other. */
function checkSameAnswer(before: Observation | undefined, after: Observation): void {
  const said = ({ answer, metrics, error }: Observation) => canonicalJson([answer, metrics, error ?? null])
  if (before === undefined || said(before) === said(after)) return
  throw new ConfigurationError({
    code: 'bench/other-answers',
    message: `${before.path} and ${after.path} hold different answers to ${after.key}, by one method and model with the same settings.`,
    hint: 'Name who answered: `before=a.jsonl after=b.jsonl`, or `records: { before: a.jsonl, after: b.jsonl }` in a configuration. If one is out of date, leave it out.',
    details: { key: after.key, paths: [before.path, after.path] },
  })
}
