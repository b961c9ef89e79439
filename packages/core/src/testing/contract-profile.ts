/** A small window with the default prompts, counted in words, so that a short text has a dozen chunks. */
import type { ModelProfile } from '../chat/profile.ts'

export const contractProfile: ModelProfile = {
  name: 'contract',
  budget: { window: 480, question: 80, chunk: 60, memory: 48, output: 40 },
}
