/** Training log lines, and records whose memories keep or lose the answer, for tests of report pages. */
import { writeFile } from 'node:fs/promises'
import type { BenchRecord } from '../record.ts'
import { entry, makeRecord } from './made-records.ts'

export const writeLines = (path: string, lines: readonly object[]) =>
  writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))

/** @param scores at 1,024 tokens, at 2,048, and so on */
export const evaluation = (step: number, ...scores: readonly (readonly number[])[]) => ({
  type: 'evaluation-end',
  step,
  results: scores.map((scores, i) => ({
    lengthTokens: 1024 * (i + 1),
    samples: scores.length,
    metrics: {},
    inMemory: 0.5,
    keptMemories: 1,
    updates: 200,
    scores,
  })),
})

/** @param kl above 0 with a reference policy */
export const stepEnd = (step: number, kl = 0) => ({
  type: 'step-end',
  step,
  metrics: {
    loss: 0,
    entropy: 0.1,
    kl,
    memoryTokens: 10,
    memoriesCut: 0,
    groupsDrawn: 16,
    promptTokens: 900,
    sampledTokens: 100,
    seconds: { generation: 3, reference: 1, forward: 0, forwardBackward: 5, optimStep: 0.5, total: 10 },
  },
})

/** Scores of two evaluations of a question: right in both, only in the first, only in the second. */
export const scored = (both: number, first: number, second: number) => {
  const of = (a: number, b: number, c: number) => [
    ...Array<number>(both).fill(a),
    ...Array<number>(first).fill(b),
    ...Array<number>(second).fill(c),
  ]
  return [of(1, 1, 0), of(1, 0, 1)] as const
}

/** A question that is right if its memory keeps the answer to the end. */
export const reading = (
  index: number,
  lengthTokens: number,
  isRight: boolean,
  parts: Partial<BenchRecord> = {},
) =>
  makeRecord({
    index,
    lengthTokens,
    trace: [entry(1, 'Anna Lind'), ...(isRight ? [] : [entry(4, 'Bo Ek')])],
    metrics: { strict: Number(isRight), lenient: Number(isRight) },
    ...parts,
  })
