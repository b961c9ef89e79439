/** Whether notes of a text can hold the answer to a question about it. */
import { normalizeAnswer } from './verifiers/normalize.ts'

/** The task that asks what a text never mentions. Its sample ids start with this name. */
export const neverMentionedName = 'never-mentioned'

/**
 * False if the answer is in no text and no notes, but follows from what they leave out: whether a memory holds the answer
 * then cannot be measured.
 */
export const canBeNoted = (sampleId: string): boolean => !sampleId.startsWith(`${neverMentionedName}/`)

/** The task whose answers are letters of choices. Its sample ids start with this name. */
export const choicesName = 'longbench-v2'

/** False for the letter of a choice: "a" is a word of every text. */
export const isOfNotes = (sampleId: string, answer: string): boolean =>
  !sampleId.startsWith(`${choicesName}/`) || normalizeAnswer(answer).length > 1
