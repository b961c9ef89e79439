/**
 * Prompts for very small models: no instructions, only structure, because a model of a few million parameters learns
 * the task in training and cannot afford a hundred tokens of instructions per chunk. The section comes first, so that
 * its keys and values do not depend on the question: one reading of a section can serve many questions (in training
 * it does). An answer prompt is known by its missing section. Memory and question start with a space, so that their words have the same tokens as in running text.
 */
import type { Prompts } from './prompts.ts'

export const compactPrompts: Prompts = {
  name: 'compact',
  emptyMemory: 'nothing yet',
  update: ({ question, memory, section }) => [
    {
      role: 'user',
      content: `<section>${section}</section><memory> ${memory}</memory><problem> ${question ?? ''}</problem>`,
    },
  ],
  answer: ({ question, memory }) => [
    { role: 'user', content: `<memory> ${memory}</memory><problem> ${question}</problem>` },
  ],
  draft: (memory) => ` ${memory}`,
  markers: ['<section>', '</section>', '<memory>', '</memory>', '<problem>', '</problem>', '\\boxed{'],
}
