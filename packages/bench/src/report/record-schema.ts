/** Schema of a record's line, checked before anything is computed from it. */
import { z } from 'zod'
import type { BenchRecord } from '../record.ts'

const amount = z.number().nonnegative()
/** JSON has null for an unknown number. */
const known = z.union([amount, z.null().transform(() => Number.NaN)])
const range = z.object({ startByte: amount, endByte: amount })

const schema = z.object({
  version: z.literal(1),
  key: z.string().min(1),
  task: z.string().min(1),
  taskOptions: z.record(z.string(), z.unknown()),
  taskContent: z.string().optional(),
  deviations: z.array(z.string()),
  seenInTraining: z.boolean().optional(),
  trained: z.boolean().optional(),
  method: z.string().min(1),
  model: z.string(),
  workflow: z.string().optional(),
  lengthTokens: amount,
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
  outcome: z.enum(['found', 'not-found', 'unsure', 'failed']),
  response: z.string().optional(),
  finishReason: z
    .object({ unified: z.enum(['stop', 'length', 'refusal', 'other']), raw: z.string().optional() })
    .optional(),
  warnings: z.array(z.object({ code: z.string(), message: z.string(), steps: z.array(amount) })).optional(),
  metrics: z.record(z.string(), z.number().min(0).max(1)),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  usage: z.object({
    calls: known,
    promptTokens: known,
    completionTokens: known,
    embeddedTokens: amount.optional(),
    wasted: z.object({ calls: amount, promptTokens: amount, completionTokens: amount }).optional(),
    modelMs: known,
  }),
  steps: amount,
  seconds: amount,
  price: amount.optional(),
  trace: z
    .array(
      z.object({
        step: amount,
        chunk: amount.optional(),
        startByte: amount.optional(),
        endByte: amount.optional(),
        memory: z.string(),
        tokens: amount,
        origin: z.enum(['sampled', 'kept']),
      }),
    )
    .optional(),
  seen: z.array(range).optional(),
  program: z.string().optional(),
  settings: z.record(z.string(), z.unknown()),
  finishedAt: z.string(),
})

/** @returns the record, or what is wrong with it */
export function parseRecord(value: unknown): { readonly record: BenchRecord } | { readonly problem: string } {
  const { data, error } = schema.safeParse(value)
  // The types differ only in undefined, which JSON lacks.
  if (data) return { record: data as BenchRecord }
  const issue = error.issues[0]!
  return { problem: `${issue.path.length === 0 ? '' : `"${issue.path.join('.')}": `}${issue.message}` }
}
