/** Checks what a caller passes to a training run beside its configuration, before anything is loaded. */
import { checkSettingsOf } from '@memagent/core/settings'
import { z } from 'zod'

const method = z.custom((value) => typeof value === 'function').meta({ takes: 'a function' })
const object = z.custom((value) => typeof value === 'object' && value !== null).meta({ takes: 'an object' })
const task = z.looseObject({ name: z.string(), sample: method, score: method }).optional()

const partsSchema = z.strictObject({
  engine: z.looseObject({ tokens: object, profile: object, createPolicy: method }).optional(),
  workflow: z.looseObject({ name: z.string(), prompts: object, read: method, answer: method }).optional(),
  task,
  evaluationTask: task,
  reward: method.optional(),
  steps: z.strictObject({ reward: method, alpha: z.number().min(0).max(1) }).optional(),
  content: z.string().optional(),
  signal: object.optional(),
  program: z.string().optional(),
  onProgress: method.optional(),
})

/** @throws ConfigurationError naming every part that is unknown or of the wrong type */
export function checkGivenParts(given: object): void {
  const name = 'What was given beside the configuration'
  checkSettingsOf(partsSchema, given, { name, what: 'set of parts of a training run', area: 'train' })
}
