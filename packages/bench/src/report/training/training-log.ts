/** The log of a training run (`metrics.jsonl`): its steps and evaluations, each once, as far as reports need them. */
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
    /** Tokens of conversations with an advantage; missing in older logs. */
    promptTokensCredited: z.number().optional(),
    sampledTokensCredited: z.number().optional(),
    groupsDrawn: z.number(),
    /** Of these groups; missing in older logs. */
    promptTokensDrawn: z.number().optional(),
    sampledTokensDrawn: z.number().optional(),
    /** Missing if no memory was rewritten. */
    memoryTokens: z.number().optional(),
    memoriesCut: z.number().optional(),
    entropy: z.number(),
    /** Measured only if it is part of the loss. */
    kl: z.number().optional(),
    seconds,
  }),
})
const supervisedStep = z.object({
  step: z.number(),
  seconds: z.number(),
  tokensPerSecond: z.number(),
  /** Tokens of whole conversations, and those that the loss is on; missing in older logs. */
  conversationTokens: z.number().optional(),
  targetTokens: z.number().optional(),
})
/** Scores by question number, so that two evaluations can be paired. */
function byQuestion(scores: readonly number[], passedOver: readonly number[]): ReadonlyMap<number, number> {
  const asked = Array.from({ length: scores.length + passedOver.length }, (_, question) => question)
  const read = asked.filter((question) => !passedOver.includes(question))
  return new Map(read.map((question, i) => [question, scores[i]!]))
}

const evaluation = z.object({
  step: z.number(),
  /** Identity of its questions and their scoring; missing in older logs. */
  identity: z.string().optional(),
  results: z.array(
    z
      .object({
        lengthTokens: z.number(),
        /** Share of the answerable questions whose final memory contains the answer; missing if there are none. */
        inMemory: z.number().optional(),
        keptMemories: z.number(),
        updates: z.number(),
        /** Scores of the questions that were read. */
        scores: z.array(z.number().min(0).max(1)),
        /** Numbers of the others; older logs have none. */
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
  /** Evaluations of reinforcement learning; those of supervised training have another form and are left out. */
  readonly evaluations: readonly Evaluation[]
}

/** Whether both asked the same questions and scored them alike; assumed if a log does not say. */
export const isSameEvaluation = (one: Evaluation, other: Evaluation): boolean =>
  one.identity === undefined || other.identity === undefined || one.identity === other.identity

/** The last evaluation, and earlier ones that asked the same. */
export function comparableEvaluations({ evaluations }: TrainingLog): Evaluation[] {
  const last = evaluations.at(-1)
  return last ? evaluations.filter((one) => isSameEvaluation(one, last)) : []
}

/**
 * If several lines have the same step, the last counts, since a resumed run repeats steps. A line cut short is ignored.
 * @throws ConfigurationError if the file cannot be read, has no step and no evaluation, or has one with missing fields
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
  throw noLog(path)
}

export const noLog = (path: string): ConfigurationError =>
  new ConfigurationError({
    code: 'bench/no-log',
    message: `${path} holds no step and no evaluation of a training.`,
    hint: 'Give the metrics.jsonl that `memagent train` wrote.',
    details: { path },
  })

interface Line {
  readonly type: string
  readonly step: number
  /** In reinforcement learning. */
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
