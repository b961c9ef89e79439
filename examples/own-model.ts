/**
 * A chat model of one's own: anything that answers messages, such as a server with its own protocol. This one is not a
 * language model: it notes the sentence that shares most words with the question. Its path can be given wherever a model is
 * named:
 *
 *   npm run example examples/own-model.ts                  reads a text with it
 *   npm run memagent -- ask QUESTION FILE --model ./examples/own-model.ts
 */
import { join } from 'node:path'
import { type ChatModel, read } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'

/** Receives what follows the path of the module (nothing), and settings such as `--base-url`, `--header` and the API key. */
export function createChatModel(): ChatModel {
  return {
    // Runs and records tell models apart by this name.
    name: 'word-match',
    async generate(messages) {
      const prompt = messages.at(-1)!.content
      const [question, memory, section] = ['problem', 'memory', 'section'].map((tag) => within(prompt, tag))
      const sentences = [memory!, ...section!.split(/(?<=[.!?])\s+/)]
      const best = sentences.reduce((a, b) => (shared(b, question!) > shared(a, question!) ? b : a))
      const text = section === '' ? `\\boxed{${memory}}` : best.trim()
      // `length` says that `maxTokens` cut the response: then it is not trusted. `usage` may be undefined.
      return { text, finishReason: { unified: 'stop', raw: undefined }, usage: undefined }
    },
  }
}

const within = (prompt: string, tag: string) =>
  new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(prompt)?.[1]?.trim() ?? ''

const wordsOf = (text: string) => new Set(text.toLowerCase().match(/\p{L}{3,}/gu))

const shared = (text: string, question: string) =>
  [...wordsOf(question)].filter((word) => wordsOf(text).has(word)).length

if (process.argv[1] === import.meta.filename) {
  const { answer, outcome } = await read({
    question: 'What is the access code for the South Gate?',
    document: await createFileDocument(join(import.meta.dirname, 'harbour-log.txt')),
    model: createChatModel(),
  })
  console.log(`answer (${outcome}): ${answer}`)
}
