/**
 * The log of a training run: one JSON line per event that has a step, without duplicates after a resume. The numbers of
 * reinforcement learning also go to TensorBoard.
 */
import { existsSync } from 'node:fs'
import { appendFile, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import { openEventFile, type ScalarEvent } from './tensorboard.ts'

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

/**
 * Opens `metrics.jsonl` in the folder and drops lines after `step`: no checkpoint has those steps, so they run again. A new run
 * (`step` -1) keeps the log of another one as `metrics.1.jsonl`, or the next number that is free.
 * @param evaluatedAt the last step whose evaluation counts: if it is an earlier one, that of `step` runs again
 */
export async function openMetricsLog(folder: string, step: number, evaluatedAt = step): Promise<MetricsLog> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'metrics.jsonl')
  const isPending = evaluatedAt < step
  const found = await readMetrics(path)
  if (step < 0 && found.some((record) => record.step > 0)) await setAside(path)
  const kept = found.filter(
    (record) =>
      record.step < step || (record.step === step && !(isPending && record.type === 'evaluation-end')),
  )
  await writeFile(`${path}.next`, kept.map((record) => `${JSON.stringify(record)}\n`).join(''))
  await rename(`${path}.next`, path)
  const events = openEventFile(folder)
  /** Not yet written for TensorBoard. */
  let waiting: MetricsRecord[] = [...kept]
  return {
    path,
    async append(record) {
      const timed = { time: Math.round(Date.now() / 1000), ...record }
      waiting.push(timed)
      await appendFile(path, `${JSON.stringify(timed)}\n`)
    },
    async flush() {
      const shown = waiting
      waiting = []
      await events.append(shown.map(scalarsOf))
    },
  }
}

/** Whoever removed the checkpoints of a run may still want its log. */
async function setAside(path: string): Promise<void> {
  for (let number = 1; ; number++) {
    const former = path.replace(/\.jsonl$/, `.${number}.jsonl`)
    if (existsSync(former)) continue
    return rename(path, former)
  }
}

/**
 * Reads the valid lines of a log; skips one cut short by a kill, and foreign ones. Empty if there is no file.
 * @throws ConfigurationError when the file cannot be read
 */
export async function readMetrics(path: string): Promise<MetricsRecord[]> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw new ConfigurationError({
      code: 'train/unreadable-log',
      message: `Cannot read ${path}: ${whyUnreadable(cause)}.`,
      hint: 'Make it readable, or name another output folder.',
      details: { path },
      cause,
    })
  })
  return text.split('\n').flatMap((line) => {
    try {
      const record = JSON.parse(line) as MetricsRecord | null
      return typeof record?.step === 'number' ? [record] : []
    } catch {
      return []
    }
  })
}

/** The part of a record that TensorBoard shows. */
const scalarsOf = (record: MetricsRecord): ScalarEvent => ({
  wallTime: Number(record.time ?? 0),
  step: record.step,
  scalars: Object.fromEntries(numbersOf(record)),
})

/** Every number in a record, named by its path: `train/reward`, `evaluation/32000/metrics/strict`. */
function* numbersOf(record: MetricsRecord): Generator<[string, number]> {
  if (record.type === 'step-end') yield* numbersIn('train', record.metrics)
  if (record.type !== 'evaluation-end') return
  for (const result of record.results as { readonly lengthTokens: number }[]) {
    const { lengthTokens, ...rest } = result
    yield* numbersIn(`evaluation/${lengthTokens}`, rest)
  }
}

function* numbersIn(name: string, value: unknown): Generator<[string, number]> {
  if (typeof value === 'number') yield [name, value]
  else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    for (const [part, inner] of Object.entries(value)) yield* numbersIn(`${name}/${part}`, inner)
  }
}
