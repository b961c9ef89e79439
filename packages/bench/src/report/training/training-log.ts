/** The log of a training run (`metrics.jsonl`): its steps and evaluations, each once, with what reports need of them. */
import { ConfigurationError } from '@memagent/core'
import { checkSettingsOf } from '@memagent/core/settings'
import { z } from 'zod'
import { readLogLines } from './log-lines.ts'

const seconds = z.object({
  generation: z.number(),
  reference: z.number(),
  forward: z.number(),
  forwardBackward: z.number(),
  optimStep: z.number(),
  total: z.number(),
})
const rewardedStep = z.object({
  step: z.number(),
  metrics: z.object({
    promptTokens: z.number(),
    sampledTokens: z.number(),
    /** Of conversations with an advantage; older logs do not tell. */
    promptTokensCredited: z.number().optional(),
    sampledTokensCredited: z.number().optional(),
    groupsDrawn: z.number(),
    /** Missing where no memory was rewritten. */
    memoryTokens: z.number().optional(),
    memoriesCut: z.number().optional(),
    entropy: z.number(),
    /** Measured only where it is part of the loss. */
    kl: z.number().optional(),
    seconds,
  }),
})
const supervisedStep = z.object({
  step: z.number(),
  seconds: z.number(),
  tokensPerSecond: z.number(),
  /** Of whole conversations, and those of them that the loss is on; older logs do not tell. */
  conversationTokens: z.number().optional(),
  targetTokens: z.number().optional(),
})
/** Questions by their number, so that those of two evaluations can be paired. */
function byQuestion(scores: readonly number[], passedOver: readonly number[]): ReadonlyMap<number, number> {
  const asked = Array.from({ length: scores.length + passedOver.length }, (_, question) => question)
  const read = asked.filter((question) => !passedOver.includes(question))
  return new Map(read.map((question, i) => [question, scores[i]!]))
}

const evaluation = z.object({
  step: z.number(),
  /** Of its questions and how they are scored; older logs do not tell. */
  identity: z.string().optional(),
  results: z.array(
    z
      .object({
        lengthTokens: z.number(),
        /** Share of the answerable questions whose final memory contains the answer; missing without any. */
        inMemory: z.number().optional(),
        keptMemories: z.number(),
        updates: z.number(),
        /** Of those read. */
        scores: z.array(z.number().min(0).max(1)),
        /** The others, by number; older logs have none. */
        passedOver: z.array(z.number()).default([]),
      })
      .transform(({ scores, passedOver, ...result }) => ({
        ...result,
        scores: byQuestion(scores, passedOver),
      })),
  ),
})

/** A step of reinforcement learning. */
export type RewardedStep = z.output<typeof rewardedStep>['metrics']
export type SupervisedStep = z.output<typeof supervisedStep>
export type Evaluation = z.output<typeof evaluation>

export interface TrainingLog {
  readonly rewarded: readonly RewardedStep[]
  readonly supervised: readonly SupervisedStep[]
  /** Evaluations of reinforcement learning; those of supervised training are of another kind and left out. */
  readonly evaluations: readonly Evaluation[]
}

/** Whether the questions were the same, and scored alike; where a log does not tell, they are taken to be. */
export const isSameEvaluation = (one: Evaluation, other: Evaluation): boolean =>
  one.identity === undefined || other.identity === undefined || one.identity === other.identity

/** The last evaluation, and those before it that asked the same. */
export function comparableEvaluations({ evaluations }: TrainingLog): Evaluation[] {
  const last = evaluations.at(-1)
  return last ? evaluations.filter((one) => isSameEvaluation(one, last)) : []
}

/**
 * If several lines have the same step, the last counts, since a resumed run repeats steps. A line cut short is left out.
 * @throws ConfigurationError when the file cannot be read, holds no step and no evaluation, or one that lacks something
 */
export async function readTrainingLog(path: string): Promise<TrainingLog> {
  const lines = new Map((await readLogLines(path)).flatMap(lineOfStep))
  const ordered = [...lines.values()].sort((a, b) => a.step - b.step)
  const steps = ordered.filter(({ type }) => type === 'step-end')
  const of = <Schema extends z.ZodType>(schema: Schema, some: readonly Line[]) =>
    some.map((line) => checkSettingsOf(schema, line, nameOf(path, line)))
  const log = {
    rewarded: of(
      rewardedStep,
      steps.filter(({ metrics }) => metrics !== undefined),
    ).map(({ metrics }) => metrics),
    supervised: of(
      supervisedStep,
      steps.filter(({ metrics }) => metrics === undefined),
    ),
    evaluations: of(
      evaluation,
      ordered.filter(({ type, results }) => type === 'evaluation-end' && Array.isArray(results)),
    ),
  }
  if (Object.values(log).some(({ length }) => length > 0)) return log
  throw new ConfigurationError({
    code: 'bench/no-log',
    message: `${path} holds no step and no evaluation of a training.`,
    hint: 'Give the metrics.jsonl that `memagent train` wrote.',
    details: { path },
  })
}

interface Line {
  readonly type: string
  readonly step: number
  /** Of steps of reinforcement learning. */
  readonly metrics?: unknown
  /** A list in reinforcement learning. */
  readonly results?: unknown
}

const nameOf = (path: string, { type, step }: Line) => ({
  name: `${path}: ${type} of step ${step}`,
  what: 'line of a training log',
  area: 'bench',
})

function lineOfStep(value: unknown): [key: string, line: Line][] {
  const line = value as Line | null
  if (typeof line?.type !== 'string' || typeof line.step !== 'number') return []
  return [[`${line.type} ${line.step}`, line]]
}
