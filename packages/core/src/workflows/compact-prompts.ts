/**
 * Prompts for very small models: no instructions, only structure, because a model of a few million parameters learns
 * the task in training and cannot afford a hundred tokens of instructions per chunk. The question comes first, so that
 * the words of a section can see whether they are asked about: matching a name in front of them is far easier for a
 * small model than keeping every name of the section findable for a question that comes later. The memory comes last,
 * beside the response that repeats or replaces it. An answer prompt is known by its missing section. Memory and question
 * start with a space, so that their words have the same tokens as in running text.
 */
import type { Prompts } from './prompts.ts'

export const compactPrompts: Prompts = {
  name: 'compact',
  emptyMemory: 'nothing yet',
  update: ({ question, memory, section }) => [
    {
      role: 'user',
      content: `<problem> ${question ?? ''}</problem><section>${section}</section><memory> ${memory}</memory>`,
    },
  ],
  answer: ({ question, memory }) => [
    { role: 'user', content: `<problem> ${question}</problem><memory> ${memory}</memory>` },
  ],
  draft: (memory) => ` ${memory}`,
  markers: ['<section>', '</section>', '<memory>', '</memory>', '<problem>', '</problem>', '\\boxed{'],
}
