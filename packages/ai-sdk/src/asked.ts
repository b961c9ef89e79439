/** Says where a program can state the question. */
import { ConversationError } from '@memagent/core'

/** Makes the hint of an error name the field of this protocol. */
export async function asked<Result>(plan: () => Promise<Result>): Promise<Result> {
  try {
    return await plan()
  } catch (error) {
    if (!ConversationError.isInstance(error) || error.code !== 'conversation/no-question') throw error
    throw new ConversationError({
      code: error.code,
      message: error.message,
      hint: `${error.hint} Or state it: providerOptions: { memagent: { question: '...' } }.`,
    })
  }
}
