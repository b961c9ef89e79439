/** Deviations of these tasks from RULER as published, as sentences for reports. Those of one family are in its file. */

/** For every task: text and question reach the model separately. */
export const commonDeviations: readonly string[] = [
  'The question is worded to stand apart from the text: nothing announces it before the text, and no beginning of the answer is given.',
  'The length is that of the text alone, which is filled as far as it goes; RULER counts the question and the answer to come as well, and fills in steps.',
]

/** @param tokens RULER's `tokens_to_generate` of the task */
export const outputLimit = (tokens: number): string =>
  `An answer may be as long as the budget of the run allows; RULER ends it after ${tokens} tokens.`

export const noExample = 'No solved example stands before the text.'

export const freshOrder =
  'The order is drawn anew for each sample; RULER shuffles all samples of one size the same way.'
