/** Servers that enforce their window refuse no call of any method, over random documents. */

import {
  type ChatModel,
  createHuggingFaceTokenizer,
  createOpenAICompatibleModel,
  type ModelProfile,
  OverlongPromptError,
} from '@memagent/core'
import {
  createStubServer,
  hostileText,
  type StubServer,
  tinyTokenizerJson,
  watchedDocument,
} from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { question, sentenceOf } from '../testing/rehearsal.ts'
import { embeddingsFetch } from '../testing/stub-embeddings.ts'
import { createMethod, methodNames } from './registry.ts'

/** Has short tokens that join across the seams of a text, unlike words. */
const tokenizer = createHuggingFaceTokenizer(tinyTokenizerJson('qwen2'))
/** What the server's chat template adds to a message. */
const templateTokens = 20
const profiles: readonly ModelProfile[] = [
  {
    name: 'instructed',
    budget: { window: 2400, question: 60, chunk: 300, memory: 80, output: 60 },
    prompts: 'paper',
  },
  {
    name: 'compact',
    budget: { window: 700, question: 60, chunk: 300, memory: 80, output: 60 },
    prompts: 'compact',
  },
]

const parts = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.nat({ max: 500 }).map(sentenceOf),
  fc.constantFrom(
    hostileText,
    '<section>'.repeat(40),
    ' '.repeat(200),
    '\n\n',
    '😀👩‍👩‍👧'.repeat(9),
    '你好，世界。'.repeat(8),
    'x'.repeat(500),
    'the gate '.repeat(60),
  ),
)
const document = fc.array(parts, { maxLength: 80 }).map((all) => all.join(' ').replaceAll('\0', ''))
const replies = fc.array(parts, { minLength: 1, maxLength: 6 })

const servers: StubServer[] = []
let said: readonly string[] = []
beforeAll(async () => {
  for (const { budget } of profiles) {
    const server = await createStubServer({
      contextWindow: budget.window,
      isRecording: false,
      countPrompt: (messages) =>
        messages.reduce((sum, { content }) => sum + tokenizer.count(content) + templateTokens, 0),
      respond: ({ index }) => said[index % said.length]!.repeat(40),
    })
    servers.push(server)
  }
})
afterAll(() => Promise.all(servers.map((server) => server.close())))

describe.each(profiles)('a server with a window of $budget.window tokens', (profile) => {
  const isCompact = profile.prompts === 'compact'
  it.each(methodNames.filter((name) => name !== 'refine' || !isCompact))(
    'takes every call of %s',
    async (name) => {
      const method = await createMethod(name === 'embeddings' ? 'embeddings:model=stub' : name, {
        fetch: embeddingsFetch,
      })
      const { baseUrl } = servers[profiles.indexOf(profile)]!
      const served = createOpenAICompatibleModel({ baseUrl, model: 'stub' })
      let refused = 0
      const model: ChatModel = {
        ...served,
        generate: (messages, options) =>
          served.generate(messages, options).catch((error: unknown) => {
            refused++
            throw error
          }),
      }
      await fc.assert(
        fc.asyncProperty(document, replies, fc.nat(), async (text, some, seed) => {
          said = some
          const request = {
            question,
            document: watchedDocument(text).document,
            model,
            profile,
            tokenizer,
            sampling: { seed },
          }
          const answer = await method.answer(request).catch((error: unknown) => error)
          // The whole document may be too long, but that must be known before any call.
          if (answer instanceof Error)
            expect([name, answer]).toEqual(['whole', expect.any(OverlongPromptError)])
          expect(refused).toBe(0)
        }),
        { numRuns: 15 },
      )
    },
  )
})
