/** A model's profile as JSON: window budget, prompts by name or as a set, sampling, chunking, workflows it was trained for. */
import { z } from 'zod'
import type { ModelProfile } from '../chat/profile.ts'
import { ConfigurationError } from '../errors.ts'
import { parsePromptSet } from '../workflows/prompts/prompts.ts'
import { checkSettings } from './check-settings.ts'
import { chunkingSchema, samplingSchema, windowBudgetSchema } from './reading-settings.ts'

const probability = z.number().min(0).max(1)

/** Unknown fields are allowed: engines may have more. */
const profileSchema = z.object({
  name: z.string().min(1),
  budget: windowBudgetSchema,
  prompts: z.union([z.string(), z.record(z.string(), z.unknown())]).optional(),
  sampling: samplingSchema.omit({ seed: true }).optional(),
  chunking: chunkingSchema.optional(),
  copiesBeside: z.array(z.string()).optional(),
  leastConfidence: z.object({ change: probability, response: probability }).optional(),
  workflows: z.array(z.string().min(1)).min(1).optional(),
})

/**
 * @param file path of the JSON, for messages
 * @throws ConfigurationError naming every setting that is missing or wrong, and what it takes
 */
export function parseProfile(json: unknown, file = 'profile.json'): ModelProfile {
  const { settings, problems } = checkSettings(profileSchema, json)
  if (problems !== undefined) {
    throw new ConfigurationError({
      code: 'profile/invalid',
      message: `${file} is not a model profile: ${problems.map(({ message }) => message).join('; ')}.`,
      details: { settings: problems.map(({ setting }) => setting) },
    })
  }
  const { prompts } = settings
  return typeof prompts === 'object'
    ? { ...settings, prompts: parsePromptSet(prompts, `${file}: prompts`, 'own') }
    : { ...settings, prompts }
}
