/** Whether notes of a text can hold the answer to a question about it. */

/** The task that asks what a text never mentions. The ids of its samples begin with its name. */
export const neverMentionedName = 'never-mentioned'

/**
 * False where the answer stands in no text and in no notes of it, but follows from what they do not mention: a measure of whether
 * a memory holds the answer does not apply.
 */
export const canBeNoted = (sampleId: string): boolean => !sampleId.startsWith(`${neverMentionedName}/`)
