/** Conversations rendered with a model's chat template, as text and as tokens: for backends that take only tokens. */
import type { HuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import type { ChatTemplate } from './chat-template.ts'
import type { Message } from './message.ts'

export interface ConversationTokens {
  /** The prompt, up to the start of the assistant's turn. @throws TemplateError */
  prompt(messages: readonly Message[]): { readonly text: string; readonly tokens: number[] }
  /**
   * The tokens that follow the prompt if the assistant answers `content`, including the end of its turn. Empty if the template
   * renders a finished answer differently from one still to be generated.
   */
  response(messages: readonly Message[], promptText: string, content: string): number[]
}

export function createConversationTokens(
  tokenizer: HuggingFaceTokenizer,
  template: ChatTemplate,
): ConversationTokens {
  const encode = (text: string) => tokenizer.encode(text, { specialTokens: true })
  return {
    prompt(messages) {
      const text = template.render(messages, { addGenerationPrompt: true })
      return { text, tokens: encode(text) }
    },
    response(messages, promptText, content) {
      const answered: Message[] = [...messages, { role: 'assistant', content }]
      const text = template.render(answered, { addGenerationPrompt: false })
      return text.startsWith(promptText) ? encode(text.slice(promptText.length)) : []
    },
  }
}
