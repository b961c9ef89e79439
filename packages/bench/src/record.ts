/** One line of a benchmark's record: a sample, a method's answer, and everything needed to examine it later. */
import { z } from 'zod'

const amount = z.number().nonnegative()
/** JSON has null for an unknown number. */
const known = z.union([amount, z.null().transform(() => Number.NaN)])
const range = z.object({ startByte: amount, endByte: amount })

/** A warning, recorded once with the steps at which it occurred. */
const warning = z.object({ code: z.string(), message: z.string(), steps: z.array(amount) })

/** A `TraceEntry`. */
const traceEntry = z.object({
  step: amount,
  chunk: amount.optional(),
  startByte: amount.optional(),
  endByte: amount.optional(),
  memory: z.string(),
  tokens: amount,
  origin: z.enum(['sampled', 'kept']),
})

/** A `MethodUsage`. */
const usage = z.object({
  calls: known,
  promptTokens: known,
  completionTokens: known,
  embeddedTokens: known.optional(),
  wasted: z.object({ calls: amount, promptTokens: amount, completionTokens: amount }).optional(),
  modelMs: known,
})

const schema = z.object({
  version: z.literal(1),
  /** `task/length/index/method/model`: identifies the line; the runner skips keys it has recorded. */
  key: z.string().min(1),
  task: z.string().min(1),
  /** Options of the task, as given. */
  taskOptions: z.record(z.string(), z.unknown()),
  /** Identity of the files that the questions come from; undefined for tasks that make their own, and in old lines. */
  taskContent: z.string().optional(),
  /** Deviations from the published task of this name; reports do not give such results that name. */
  deviations: z.array(z.string()),
  /** Whether the model saw tasks of this kind in training; undefined if unknown. */
  seenInTraining: z.boolean().optional(),
  /**
   * Whether the model was trained for the workflow whose conversations the method holds; undefined if the profile does not
   * say, for methods with instructions of their own, and in old lines.
   */
  trained: z.boolean().optional(),
  method: z.string().min(1),
  model: z.string(),
  workflow: z.string().optional(),
  lengthTokens: amount,
  /** The document keeps its own length, and `lengthTokens` is only a name. Undefined for others. */
  keepsLength: z.boolean().optional(),
  index: z.number(),
  seed: z.number(),
  sampleId: z.string(),
  question: z.string(),
  references: z.array(z.string()),
  match: z.enum(['any', 'all']),
  evidence: z.array(range),
  documentBytes: amount,
  labels: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  answer: z.string(),
  /** `failed` if and only if there is an `error`. */
  outcome: z.enum(['found', 'not-found', 'unsure', 'failed']),
  /**
   * The final response as the model wrote it, without reasoning; for a failed sample, the last response that should have held
   * the answer. Undefined if there was no such call, and in old lines.
   */
  response: z.string().optional(),
  /** Finish reason of that response. */
  finishReason: z
    .object({ unified: z.enum(['stop', 'length', 'refusal', 'other']), raw: z.string().optional() })
    .optional(),
  /** Undefined in old lines. */
  warnings: z.array(warning).optional(),
  /** Named metrics of the task, each 0..1. All are 0 for a failed call. */
  metrics: z.record(z.string(), z.number().min(0).max(1)),
  /** Set if the method failed; the sample then counts as both wrong and failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  usage,
  steps: amount,
  seconds: amount,
  /** In the currency of the prices given to the run; undefined without prices, and for an unknown number of tokens. */
  price: amount.optional(),
  /** Undefined in lines recorded without a trace, whose memories are unknown. */
  trace: z.array(traceEntry).optional(),
  seen: z.array(range).optional(),
  /** The memagent version that asked, with its commit if known. Undefined in old lines. */
  program: z.string().optional(),
  /** Window budget and sampling of the run. */
  settings: z.record(z.string(), z.unknown()),
  /** ISO 8601. */
  finishedAt: z.string(),
})

type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> } : Value

export type BenchRecord = Frozen<z.output<typeof schema>>
export type RecordedWarning = Frozen<z.output<typeof warning>>
export type TracedRecord = BenchRecord & { readonly trace: NonNullable<BenchRecord['trace']> }

export interface RecordProblem {
  readonly problem: string
  /** Another version of memagent may have written it, which would read it. */
  readonly isOtherVersion: boolean
}

/** @returns the record, or what is wrong with it */
export function parseRecord(value: unknown): { readonly record: BenchRecord } | RecordProblem {
  const { data, error } = schema.safeParse(value)
  if (data) return { record: data }
  const issue = error.issues[0]!
  const { version } = Object(value) as { readonly version?: unknown }
  if (issue.path[0] === 'version' && typeof version === 'number') {
    const problem = `its "version" is ${version}, and this version of memagent reads 1`
    return { problem, isOtherVersion: true }
  }
  return {
    isOtherVersion: false,
    problem: `${issue.path.length === 0 ? '' : `"${issue.path.join('.')}": `}${issue.message}`,
  }
}
