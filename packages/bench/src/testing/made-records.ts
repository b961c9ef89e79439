/** Synthetic lines of a record, for tests of diagnosis and report. */
import type { TraceEntry } from '../method.ts'
import type { BenchRecord } from '../record.ts'
import { type Analysis, analyse } from '../report/analysis/analyse.ts'
import { observe } from '../report/observation.ts'

/** One line: a reader of ten steps of 100 bytes without problems. Usage and price are small round numbers. */
export function makeRecord(parts: Partial<BenchRecord> = {}): BenchRecord {
  const { task = 'facts', lengthTokens = 8000, index = 0, method = 'overwrite', model = 'nano' } = parts
  return {
    version: 1,
    key: `${task}/${lengthTokens}/${index}/${method}/${model}`,
    task,
    taskOptions: {},
    deviations: [],
    method,
    model,
    workflow: method === 'overwrite' ? 'overwrite' : undefined,
    lengthTokens,
    index,
    seed: 1,
    sampleId: `${task}/seed-1/index-${index}/tokens-${lengthTokens}`,
    question: 'Who keeps the lighthouse of Vardo?',
    references: ['Anna Lind'],
    match: 'any',
    evidence: [{ startByte: 450, endByte: 459 }],
    documentBytes: 1000,
    labels: {},
    answer: 'Anna Lind',
    outcome: 'found',
    metrics: { strict: 1, lenient: 1 },
    usage: { calls: 11, promptTokens: 10_000, completionTokens: 500, modelMs: 900 },
    steps: 10,
    seconds: 1,
    trace: [],
    settings: { budget: { window: 1024, question: 64, chunk: 512, memory: 100, output: 64 }, temperature: 0 },
    finishedAt: '2026-11-21T08:00:00.000Z',
    ...parts,
  }
}

/** Each step reads 100 bytes. @param tokens @default the number of words of the memory */
export const entry = (step: number, memory: string, tokens?: number): TraceEntry => ({
  step,
  startByte: 100 * step,
  endByte: 100 * step + 100,
  memory,
  tokens: tokens ?? memory.split(/\s+/).length,
  origin: 'sampled',
})

/** The analysis of records of one file. */
export const analysed = (records: readonly BenchRecord[], reader?: string): Analysis =>
  analyse({ observations: records.map((record) => observe(record, 'a.jsonl')), sources: [] }, { reader })
