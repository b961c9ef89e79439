import { TaskError } from '@memagent/core'

export const tooShort = (name: string, lengthTokens: number): TaskError =>
  new TaskError({
    code: 'task/document-too-short',
    message: `${name}: the evidence does not fit a document of ${lengthTokens} tokens`,
    hint: 'Ask for a longer document.',
    details: { name, lengthTokens },
  })
