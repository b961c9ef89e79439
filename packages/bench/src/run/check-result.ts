/** What a method returns: one of a program's own could lack its outcome or its usage, and be recorded as an ordinary answer. */
import { ConfigurationError } from '@memagent/core'
import { checkSettings } from '@memagent/core/settings'
import { z } from 'zod'
import type { MethodResult } from '../method.ts'

const amount = z.number().nonnegative()
/** NaN where the server did not report it. */
const known = z.union([amount, z.nan()]).meta({ takes: 'a number of at least 0, or NaN' })

const resultSchema = z.looseObject({
  answer: z.looseObject({
    text: z.string(),
    outcome: z.enum(['found', 'not-found', 'unsure']),
    response: z.string().optional(),
  }),
  usage: z.looseObject({
    calls: known,
    promptTokens: known,
    completionTokens: known,
    embeddedTokens: known.optional(),
    modelMs: known,
  }),
  trace: z.array(z.looseObject({ step: amount, memory: z.string(), tokens: amount })),
  steps: amount,
  seconds: amount.optional(),
})

/** @throws ConfigurationError naming the method and every wrong field: it ends the run, as the next answer would be no better */
export function checkResult(method: string, result: MethodResult | undefined): void {
  const { problems } = checkSettings(resultSchema, result)
  if (problems === undefined) return
  throw new ConfigurationError({
    code: 'bench/bad-result',
    message: `The method ${method} gave no result of a method: ${problems.map(({ message }) => message).join('; ')}.`,
    hint: "A result is { answer: { text, outcome: 'found' }, usage: { calls, promptTokens, completionTokens, modelMs }, trace: [], steps }.",
    details: { method },
  })
}
