/**
 * The log of a training run: one JSON line per event that has a step, without doubles after a resume; and the same for
 * TensorBoard.
 */
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeTensorBoard } from './tensorboard.ts'

export interface MetricsRecord {
  readonly type: string
  readonly step: number
  /** Seconds since 1970. */
  readonly time?: number
  readonly [name: string]: unknown
}

export interface MetricsLog {
  readonly path: string
  append(record: MetricsRecord): Promise<void>
  /** Brings the event file for TensorBoard up to date. */
  flush(): Promise<void>
}

/** Opens `metrics.jsonl` in the folder; what is beyond `step` was not saved, will be done again, and is dropped. */
export async function openMetricsLog(folder: string, step: number): Promise<MetricsLog> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'metrics.jsonl')
  const kept = (await readMetrics(path)).filter((record) => record.step <= step)
  await writeFile(`${path}.next`, kept.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await rename(`${path}.next`, path)
  const records = [...kept]
  return {
    path,
    async append(record) {
      const timed = { time: Math.round(Date.now() / 1000), ...record }
      records.push(timed)
      await appendFile(path, `${JSON.stringify(timed)}\n`)
    },
    flush: () => writeTensorBoard(folder, records),
  }
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
