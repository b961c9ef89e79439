/**
 * Asks a text file a question, with the bundled model: the file is read chunk by chunk, the notes are updated after each,
 * and the answer is written from the notes alone.
 *
 *   npm run example examples/ask-a-file.ts [FILE] [QUESTION]
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readDocument } from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { createEmbeddedChatModel } from '@memagent/engine'

const [
  file = join(import.meta.dirname, 'harbour-log.txt'),
  question = 'What is the access code for the South Gate?',
] = process.argv.slice(2)

// A server instead: `await createChatModel('openai:NAME', { baseUrl: 'http://localhost:8000/v1' })` from @memagent/core.
const folder = dirname(fileURLToPath(import.meta.resolve('@memagent/nano/package.json')))
const model = await createEmbeddedChatModel({ folder })
const document = await createFileDocument(file)

// If the answer is all you want, `await read({ question, document, model })` gives it without the events.
for await (const event of readDocument({ question, document, model })) {
  if (event.type === 'memory-end') console.log(`chunk ${event.step + 1}, memory: ${event.memory}`)
  if (event.type === 'answer') console.log(`answer (${event.answer.outcome}): ${event.answer.text}`)
}
await model.close()
