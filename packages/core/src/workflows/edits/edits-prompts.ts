/**
 * The prompts of `edits`.
 *
 * `paper`, for instruction-tuned models, lists the grammar and shows one example. A prompt that asks for a shorter memory
 * mentions neither added lines nor `none`.
 *
 * `compact`, for very small models, is structure alone: the grammar is learned in training. Its tags are those of `overwrite`, so
 * training can begin with a model of that workflow. But the memory comes before the section, which is then read with what is
 * known in mind: chains, corrections and comparisons are learned faster this way. A prompt with an empty section asks for a
 * shorter memory, one without a section for the answer. An empty memory is empty, and lines need no space before them, since they
 * begin with their ids.
 */
import { notFoundPhrase } from '../answer/boxed.ts'
import { isMaterial, memory, problem, section } from '../prompts/instruction-parts.ts'
import { definePrompts } from '../prompts/prompts.ts'
import { promptSets } from '../prompts/section-first.ts'

const replaceOrDrop =
  '= #2 TEXT replaces line #2 with TEXT\n- #2 drops line #2\nOther lines stay as they are.'
const grammar = `Write nothing but edits, one on each line:\n+ TEXT adds a line: one fact, clear by itself\n${replaceOrDrop} If nothing changes, write only: none\n\n`
const example =
  'For example, the memory is\n#1 Ann left in 1911.\nand the section says that Ann left in 1912 and that Karl stayed. The edits are\n= #1 Ann left in 1912.\n+ Karl stayed.\n\n'
const shorten = `Make it about a third shorter: drop lines, or put the facts of several lines in one and drop the others. Write nothing but edits, one on each line:\n${replaceOrDrop}\n\nFor example, the memory is\n#1 Ann left.\n#2 Karl left.\n#3 It rained.\nThe edits are\n= #1 Ann and Karl left.\n- #2\n- #3\n\n`

const paper = {
  emptyMemory: 'No lines yet',
  update: `You are presented with a problem, a memory of numbered lines, and a section of an article that may contain the answer to the problem. Read the section and edit the memory: add each fact that helps to answer the problem, replace a line that the section corrects, and drop a line that no longer helps. ${isMaterial}\n\n${grammar}${example}${problem}${memory}${section}Edits:\n`,
  note: `You are presented with a memory of numbered lines and a section of an article. Read the section and edit the memory: add the most important facts of the article, replace a line that the section corrects, and drop a line that no longer matters. ${isMaterial}\n\n${grammar}${example}${memory}${section}Edits:\n`,
  consolidate: `You are presented with a problem and a memory of numbered lines that has become too long. Keep what helps to answer the problem. ${shorten}${problem}${memory}Edits:\n`,
  consolidateNotes: `You are presented with a memory of numbered lines that has become too long. Keep what is most important. ${shorten}${memory}Edits:\n`,
  answer: `You are presented with a problem and a memory of numbered lines. Please answer the problem based on the memory and put the answer in \\boxed{}. If the memory does not contain the answer, put \\boxed{${notFoundPhrase}}.\n\n${problem}${memory}Your answer:\n`,
}

export const editsPrompts = definePrompts({
  conversations: {
    /** Edits the memory after a chunk. */
    update: ['question', 'memory', 'section'],
    /** The same without a question: general notes. */
    note: ['memory', 'section'],
    /** Makes room in a memory that is over its budget. */
    consolidate: ['question', 'memory'],
    /** The same without a question. */
    consolidateNotes: ['memory'],
    /** Answers from the memory alone. */
    answer: ['question', 'memory'],
  },
  texts: {
    /** The memory before anything was noted. */
    emptyMemory: [],
  },
  sets: promptSets(paper, {
    emptyMemory: '',
    update: '<problem> {question}</problem><memory>{memory}</memory><section>{section}</section>',
    note: '<problem> </problem><memory>{memory}</memory><section>{section}</section>',
    consolidate: '<problem> {question}</problem><memory>{memory}</memory><section></section>',
    consolidateNotes: '<problem> </problem><memory>{memory}</memory><section></section>',
    answer: '<problem> {question}</problem><memory>{memory}</memory>',
  }),
})
