/**
 * The prompts of `overwrite`.
 *
 * `paper`, for instruction-tuned models, has the structure of MemAgent's (arXiv 2507.02259, section 3 and its code) and
 * instructions of our own: they treat the section as data, and ask to say when the answer is not there. A checkpoint trained with
 * the published words is better read with those (`examples/prompts-of-memagent.yaml`).
 *
 * `compact`, for very small models, is structure alone: a model of a few million parameters learns the task in training and
 * cannot afford a hundred tokens of instructions per chunk. The question comes first, so that the words of a section can tell
 * whether they are asked about: for a small model, matching a name that came before is far easier than keeping every name of the
 * section findable for a question that comes later. The memory comes last, beside the response that repeats or replaces it. An
 * answer prompt is recognized by its missing section. Memory and question start with a space, so that their words have the same
 * tokens as in running text.
 */
import { notFoundPhrase } from '../answer/boxed.ts'
import { emptyMemory, isMaterial, memory, retainDetails, section } from '../prompts/instruction-parts.ts'
import { definePrompts } from '../prompts/prompts.ts'
import { promptSets } from '../prompts/section-first.ts'

const problem = '<problem> \n{question}\n</problem>\n\n'

const paper = {
  emptyMemory,
  update: `You are presented with a problem, a section of an article that may contain the answer to the problem, and a previous memory. Please read the provided section carefully and update the memory with the information that helps to answer the problem. ${retainDetails} ${isMaterial}\n\n${problem}${memory}${section}Updated memory:\n`,
  note: `You are presented with a section of an article and a previous memory. Please read the provided section carefully and update the memory with the most important information of the article. ${retainDetails} ${isMaterial}\n\n${memory}${section}Updated memory:\n`,
  answer: `You are presented with a problem and a previous memory. Please answer the problem based on the previous memory and put the answer in \\boxed{}. If the memory does not contain the answer, put \\boxed{${notFoundPhrase}}.\n\n${problem}${memory}Your answer:\n`,
}

export const overwritePrompts = definePrompts({
  conversations: {
    /** Rewrites the memory after a chunk. */
    update: ['question', 'memory', 'section'],
    /** The same without a question: general notes. */
    note: ['memory', 'section'],
    /** Answers from the memory alone. */
    answer: ['question', 'memory'],
  },
  texts: {
    /** The memory before anything was noted. */
    emptyMemory: [],
    /** A response that would repeat the memory. */
    draft: ['memory'],
  },
  defaults: { draft: '{memory}' },
  sets: promptSets(paper, {
    emptyMemory: 'nothing yet',
    update: '<problem> {question}</problem><section>{section}</section><memory> {memory}</memory>',
    note: '<problem> </problem><section>{section}</section><memory> {memory}</memory>',
    answer: '<problem> {question}</problem><memory> {memory}</memory>',
    draft: ' {memory}',
  }),
})
