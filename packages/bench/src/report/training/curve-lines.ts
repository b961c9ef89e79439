/** The lines of a training log that curves are drawn from, for every kind of training. */
import { z } from 'zod'
import { readLogLines } from './log-lines.ts'

const share = z.object({ right: z.number().min(0), count: z.number().min(1) })

const step = z.object({
  type: z.enum(['step-end', 'steps']),
  step: z.number(),
  /** Names a run if the file has several, each counting steps from its start. */
  run: z.string().optional(),
  loss: z.number().optional(),
  rightTokens: z.number().optional(),
  /** In reinforcement learning. */
  metrics: z.object({ reward: z.number().optional() }).optional(),
})
const evaluation = z.object({
  type: z.literal('evaluation-end'),
  step: z.number(),
  run: z.string().optional(),
  /** Evaluations compare only if it is the same; missing in older logs. */
  identity: z.string().optional(),
  /** By kind, such as `held-out/answer`; of reinforcement learning it is a list, which `readTrainingLog` reads. */
  results: z.record(z.string(), share),
})
/** Written when a run starts or resumes. */
const start = z.object({
  type: z.literal('training-start'),
  step: z.number(),
  program: z.string().optional(),
  /** The initial weights, in words. */
  startFrom: z.string().optional(),
})

export type StartLine = z.output<typeof start>
export type StepLine = z.output<typeof step>
export type EvaluationLine = z.output<typeof evaluation>

export interface CurveLines {
  readonly steps: readonly StepLine[]
  readonly evaluations: readonly EvaluationLine[]
}

/**
 * If several lines of a run have the same step, the last counts, since a resumed run repeats steps. Other lines, including
 * one cut short, are ignored.
 * @throws ConfigurationError when the file cannot be read
 */
export async function readCurveLines(path: string): Promise<CurveLines> {
  const [steps, evaluations] = [new Map<string, StepLine>(), new Map<string, EvaluationLine>()]
  for (const value of await readLogLines(path)) {
    const [asStep, asEvaluation] = [step.safeParse(value), evaluation.safeParse(value)]
    if (asStep.success) steps.set(`${asStep.data.run} ${asStep.data.step}`, asStep.data)
    else if (asEvaluation.success)
      evaluations.set(`${asEvaluation.data.run} ${asEvaluation.data.step}`, asEvaluation.data)
  }
  return { steps: [...steps.values()], evaluations: [...evaluations.values()] }
}

/** Programs and initial weights of the runs; empty for older logs. @throws ConfigurationError when the file cannot be read */
export async function readStarts(path: string): Promise<StartLine[]> {
  return (await readLogLines(path)).flatMap((line) => start.safeParse(line).data ?? [])
}
