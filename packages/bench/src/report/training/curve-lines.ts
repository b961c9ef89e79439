/** The lines of a training log that curves are drawn from, of every kind of training, with a step that runs on. */
import { z } from 'zod'
import { readLogLines } from './log-lines.ts'

const share = z.object({ right: z.number().min(0), count: z.number().min(1) })

const step = z.object({
  type: z.enum(['step-end', 'steps']),
  step: z.number(),
  /** Where one file has several runs, each of which counts from the start. */
  run: z.string().optional(),
  loss: z.number().optional(),
  rightTokens: z.number().optional(),
  /** Of reinforcement learning. */
  metrics: z.object({ reward: z.number().optional() }).optional(),
})
const evaluation = z.object({
  type: z.literal('evaluation-end'),
  step: z.number(),
  run: z.string().optional(),
  /** By kind, such as `held-out/answer`; of reinforcement learning it is a list, which `readTrainingLog` reads. */
  results: z.record(z.string(), share),
})
/** A run begins, or goes on. */
const start = z.object({
  type: z.literal('training-start'),
  step: z.number(),
  program: z.string().optional(),
  /** The weights that it began from, in words. */
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
 * If several lines of a run have the same step, the last counts, since a resumed run repeats steps. Lines of other kinds, and
 * one that was cut short, are left out.
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

/** Which programs trained, from which weights: nothing in older logs. @throws ConfigurationError when the file cannot be read */
export async function readStarts(path: string): Promise<StartLine[]> {
  return (await readLogLines(path)).flatMap((line) => start.safeParse(line).data ?? [])
}
