/**
 * The prompts of `gated`.
 *
 * `paper`, for instruction-tuned models, asks for the same as GRU-Mem's (arXiv 2602.10560): whether the section brings news, the
 * updated memory, and whether to go on. Here they are lines, not tags, and only the gates and the memory are asked for.
 *
 * `compact`, for very small models, is structure alone: the gates are learned in training. The frame is exactly that of
 * `overwrite`, so training can begin with a model of that workflow.
 */
import { answer, emptyMemory, isMaterial, memory, problem, section } from '../prompts/instruction-parts.ts'
import { definePrompts } from '../prompts/prompts.ts'
import { promptSets } from '../prompts/section-first.ts'

const form = (whether: string) =>
  `The first line of your response is yes or no: ${whether}. If it is no, the memory stays as it is; write nothing more. If it is yes, write the updated memory as a whole, which replaces the previous one, so retain all relevant details of it; then a last line: continue.`
const example =
  'For example, the memory is\nAnn left in 1911.\nand the section says that Ann left in 1912 and that Karl stayed. The response is\nyes\nAnn left in 1912. Karl stayed.\ncontinue\n\n'
const gates = `${form('whether the section brings something new that helps to answer the problem')} As soon as the memory holds everything that the problem asks for, the last line is end, after no as well.\n\n${example}`
const gatesOfNotes = `${form('whether the section brings something new that is worth noting')}\n\n${example}`

const paper = {
  emptyMemory,
  update: `You are presented with a problem, a section of an article that may contain the answer to the problem, and a previous memory. Read the section and decide whether the memory has to change. ${isMaterial}\n\n${gates}${problem}${memory}${section}Your response:\n`,
  note: `You are presented with a section of an article and a previous memory, which holds the most important information of the article so far. Read the section and decide whether the memory has to change. ${isMaterial}\n\n${gatesOfNotes}${memory}${section}Your response:\n`,
  answer,
}

export const gatedPrompts = definePrompts({
  conversations: {
    /** Asks for the gates, and for the memory if it changes. */
    update: ['question', 'memory', 'section'],
    /** The same without a question: general notes. */
    note: ['memory', 'section'],
    /** Answers from the memory alone. */
    answer: ['question', 'memory'],
  },
  texts: {
    /** The memory before anything was noted. */
    emptyMemory: [],
  },
  sets: promptSets(paper, {
    emptyMemory: 'nothing yet',
    update: '<problem> {question}</problem><section>{section}</section><memory> {memory}</memory>',
    note: '<problem> </problem><section>{section}</section><memory> {memory}</memory>',
    answer: '<problem> {question}</problem><memory> {memory}</memory>',
  }),
})
