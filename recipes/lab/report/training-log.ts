/** The log of a training run as it was recorded: its steps and evaluations, each once. */
import { readFile } from 'node:fs/promises'
import type { EvaluationAtLength, StepMetrics } from '@memagent/train'

/** A step of supervised training; what the report needs of it. */
export interface LessonStep {
  readonly tokensPerSecond: number
  readonly seconds: number
}

export interface Evaluation {
  readonly step: number
  readonly results: readonly EvaluationAtLength[]
}

export interface TrainingLog {
  /** In order; empty for supervised training. */
  readonly steps: readonly (StepMetrics & { readonly step: number })[]
  readonly evaluations: readonly Evaluation[]
  /** In order; empty for reinforcement learning. */
  readonly lessons: readonly LessonStep[]
}

interface LogLine {
  readonly type: string
  readonly step: number
  readonly metrics?: StepMetrics
  readonly results?: unknown
  readonly seconds?: number
  readonly tokensPerSecond?: number
}

/**
 * Of lines with one step the last counts: a resumed run does steps again. A line cut short by a kill is left out.
 * @returns undefined when there is no such file, or nothing in it
 */
export async function readTrainingLog(path: string): Promise<TrainingLog | undefined> {
  const text = await readFile(path, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return ''
    throw cause
  })
  const lines = new Map<string, LogLine>()
  for (const line of text.split('\n').flatMap(parse)) lines.set(`${line.type} ${line.step}`, line)
  if (lines.size === 0) return undefined
  const ordered = [...lines.values()].sort((a, b) => a.step - b.step)
  const stepEnds = ordered.filter(({ type }) => type === 'step-end')
  return {
    steps: stepEnds.flatMap(({ step, metrics }) => (metrics ? [{ ...metrics, step }] : [])),
    lessons: stepEnds.flatMap(({ metrics, seconds, tokensPerSecond }) =>
      metrics === undefined && seconds !== undefined && tokensPerSecond !== undefined
        ? [{ seconds, tokensPerSecond }]
        : [],
    ),
    evaluations: ordered
      .filter(({ type, results }) => type === 'evaluation-end' && Array.isArray(results))
      .map(({ step, results }) => ({ step, results: results as EvaluationAtLength[] })),
  }
}

function parse(line: string): LogLine[] {
  try {
    const value = JSON.parse(line)
    return typeof value?.type === 'string' && typeof value.step === 'number' ? [value] : []
  } catch {
    return []
  }
}
