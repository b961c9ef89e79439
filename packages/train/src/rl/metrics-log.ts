/** The log of a training run: one JSON line per event that has a step, without doubles after a resume. */
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface MetricsRecord {
  readonly type: string
  readonly step: number
  readonly [name: string]: unknown
}

export interface MetricsLog {
  readonly path: string
  append(record: MetricsRecord): Promise<void>
}

/** Opens `metrics.jsonl` in the folder; what is beyond `step` was not saved, will be done again, and is dropped. */
export async function openMetricsLog(folder: string, step: number): Promise<MetricsLog> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'metrics.jsonl')
  const kept = (await readMetrics(path)).filter((record) => record.step <= step)
  await writeFile(`${path}.next`, kept.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await rename(`${path}.next`, path)
  return { path, append: (record) => appendFile(path, `${JSON.stringify(record)}\n`) }
}

/** The whole lines of a log; one that was cut short by a kill is left out. */
export async function readMetrics(path: string): Promise<MetricsRecord[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as MetricsRecord]
    } catch {
      return []
    }
  })
}
