/** The window and the sampling as settings; every file, flag or option that sets them takes these fields. */
import { z } from 'zod'
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import type { Sampling } from '../chat/sampling.ts'

const tokens = z.number().int().positive()

export const windowBudgetSchema = z.strictObject({
  window: tokens.describe('Tokens of the whole window: no prompt with its response is longer.'),
  question: tokens.describe('Tokens of the longest question.'),
  chunk: tokens.describe('Tokens of the text that a chunk holds.'),
  memory: tokens.describe('Tokens of the longest memory.'),
  output: tokens.describe('Tokens of the longest answer.'),
}) satisfies z.ZodType<WindowBudget>

export const chunkingSchema = z
  .enum(['natural', 'exact'])
  .describe('Chunks end with sentences, or at the token count.') satisfies z.ZodType<ModelProfile['chunking']>

export const samplingSchema = z.strictObject({
  temperature: z.number().min(0).max(100).describe('Sampling temperature; 0 is greedy.').optional(),
  topP: z
    .number()
    .positive()
    .max(1)
    .describe('Tokens are drawn from the fewest of the most probable that have this probability together.')
    .optional(),
  seed: z.number().int().describe('Seed of the sampling.').optional(),
}) satisfies z.ZodType<Sampling>
