/** Whether notes of a text can hold the answer to a question about it. */

/** The task that asks what a text never mentions. Its sample ids start with this name. */
export const neverMentionedName = 'never-mentioned'

/**
 * False if the answer is in no text and no notes, but follows from what they leave out: whether a memory holds the answer
 * then cannot be measured.
 */
export const canBeNoted = (sampleId: string): boolean => !sampleId.startsWith(`${neverMentionedName}/`)
