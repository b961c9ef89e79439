/**
 * The prompts of `slots`. The paper's own are not published: these have the structure of `overwrite`, with the other memories
 * between the question and the one to rewrite. `paper` is for instruction-tuned models; `compact`, for very small ones, is
 * structure alone, and no model was trained for it.
 */
import { answer, emptyMemory, isMaterial, memory, problem, section } from '../prompts/instruction-parts.ts'
import { definePrompts } from '../prompts/prompts.ts'
import { promptSets } from '../prompts/section-first.ts'

const others = '<notes>\n{others}\n</notes>\n\n'
const retain =
  'The notes stay as they are, so do not repeat them. Be sure to retain all relevant details from the memory while adding any new, useful information. If the section adds nothing, write only: unchanged'

const paper = {
  emptyMemory,
  unchanged: 'unchanged',
  update: `You are presented with a problem, a section of an article that may contain the answer to the problem, notes from earlier sections, and a memory. Please read the provided section carefully and update the memory with the information that helps to answer the problem. ${retain}. ${isMaterial}\n\n${problem}${others}${memory}${section}Updated memory:\n`,
  note: `You are presented with a section of an article, notes from earlier sections, and a memory. Please read the provided section carefully and update the memory with the most important information of the article. ${retain}. ${isMaterial}\n\n${others}${memory}${section}Updated memory:\n`,
  answer,
}

export const slotsPrompts = definePrompts({
  conversations: {
    /** Rewrites one memory after a chunk; `others` are shown and stay unchanged. */
    update: ['question', 'others', 'memory', 'section'],
    /** The same without a question: general notes. */
    note: ['others', 'memory', 'section'],
    /** Answers from all memories alone. */
    answer: ['question', 'memory'],
  },
  texts: {
    /** A memory before anything was noted in it, and the others while they are empty. */
    emptyMemory: [],
    /** A response that leaves the memory as it is. */
    unchanged: [],
  },
  sets: promptSets(paper, {
    emptyMemory: 'nothing yet',
    unchanged: 'unchanged',
    update:
      '<problem> {question}</problem><section>{section}</section><notes> {others}</notes><memory> {memory}</memory>',
    note: '<problem> </problem><section>{section}</section><notes> {others}</notes><memory> {memory}</memory>',
    answer: '<problem> {question}</problem><memory> {memory}</memory>',
  }),
})
