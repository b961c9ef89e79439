/** Checks before training that the trained model will be able to read: its budget must fit its window. */
import {
  ChatTemplate,
  ConfigurationError,
  createConversationTokens,
  createTextDocument,
  type HuggingFaceTokenizer,
  MemAgentError,
  type ModelProfile,
  readDocument,
} from '@memagent/core'
import type { SftConfig } from './config.ts'
import { chatTemplate } from './reader-files.ts'
import { responseWriters } from './response-writers.ts'

/** @throws ConfigurationError if even the shortest question leaves no room for chunk, memory and response */
export async function checkReaderWindow(
  { budget, workflow: name }: Pick<SftConfig, 'budget' | 'workflow'>,
  tokenizer: HuggingFaceTokenizer,
): Promise<void> {
  const profile: ModelProfile = { name: 'reader', prompts: 'compact', budget }
  const conversation = createConversationTokens(tokenizer, new ChatTemplate({ template: chatTemplate }))
  const reading = readDocument({
    question: '?',
    document: createTextDocument('It is so.', 'nothing'),
    model: {
      name: 'reader',
      profile,
      tokenizer,
      countPromptTokens: (messages) => conversation.prompt(messages).tokens.length,
      generate: () => Promise.reject(new Error('Only the window is checked.')),
    },
    workflow: responseWriters[name].workflow,
  })
  try {
    // All is checked before the first event.
    await reading.next()
  } catch (cause) {
    if (!MemAgentError.isInstance(cause) || cause.code !== 'reading/budget-exceeds-window') throw cause
    throw new ConfigurationError({
      code: 'train/window',
      message: `The trained model could not read any text. ${cause.message}`,
      hint: 'Raise budget.window (and model.maxPositions), or lower budget.chunk, budget.memory or budget.output.',
      details: cause.details,
      cause,
    })
  } finally {
    await reading.return(undefined)
  }
}
