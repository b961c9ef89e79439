/**
 * A model that answers at once: the paper's window, tokens estimated as for a server without a tokenizer, and a memory that
 * changes at every sixteenth step.
 */
import { type ChatModel, paperProfile } from '@memagent/core'

export function createChatModel(): ChatModel {
  let calls = 0
  return {
    name: 'instant',
    profile: paperProfile,
    async generate(messages) {
      const isUpdate = messages[0]!.content.includes('<section>')
      const text = isUpdate
        ? `The lighthouse was built in 1874. Sections read so far: ${calls++ >> 4}.`
        : '\\boxed{1874}'
      return { text, usage: undefined, finishReason: { unified: 'stop', raw: undefined } }
    },
  }
}
