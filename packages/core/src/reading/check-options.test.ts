/** JavaScript may pass anything: every mistake throws one error that names it. */
import { describe, expect, it, vi } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createTextDocument } from '../documents/text-document.ts'
import { readQuestions } from '../questions/read-questions.ts'
import { contractProfile } from '../testing/contract-profile.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import type { ReadingContext } from '../workflows/workflow.ts'
import { readDocument } from './reader.ts'

const right = {
  question: 'Who came?',
  document: createTextDocument('Ann came.'),
  model: createScriptedModel(() => 'Ann.', { profile: contractProfile }),
}
const start = {
  state: { question: null, memory: null, steps: 0 },
  ...{ steps: 0, bytes: 0, keptMemories: 0, warnings: [], memories: [] },
}
const all = async (events: AsyncIterable<unknown>) => {
  for await (const _ of events);
}
const reading = (given: object) => all(readDocument({ ...right, ...given } as never))

describe('an option that is none', () => {
  it.each([
    ['no model', { model: undefined }, 'reading/bad-option', /model is no chat model/],
    ['the name of a model', { model: 'openai:gpt' }, 'reading/bad-option', /model is no chat model/],
    ['no document', { document: undefined }, 'reading/bad-option', /document is no document/],
    ['bytes', { document: Buffer.from('Ann.') }, 'reading/bad-option', /document is no document/],
    ['the name of a workflow', { workflow: 'edits' }, 'reading/bad-option', /an object is wanted/],
    [
      'half a workflow',
      { workflow: { name: 'a/b' } },
      'reading/bad-option',
      /name: a word[\s\S]*prompts:[\s\S]*init\(question\)/,
    ],
    ['a question that is a number', { question: 5 }, 'reading/bad-option', /question is no text/],
    ['null for a question', { question: null }, 'reading/bad-option', /question is no text/],
    ['null for a memory', { memory: null }, 'reading/bad-option', /memory is no text/],
    ['null for a signal', { signal: null }, 'reading/bad-option', /signal is no AbortSignal/],
    ['an object for a signal', { signal: {} }, 'reading/bad-option', /signal is no AbortSignal/],
    ['null for limits', { limits: null }, 'reading/bad-option', /limits is no object/],
    [
      'the path of a checkpoint',
      { checkpoints: 'run.json' },
      'reading/bad-option',
      /checkpoints has no load, save, append, readLog/,
    ],
    [
      'half a store of checkpoints',
      { checkpoints: { load: async () => undefined, save: async () => undefined } },
      'reading/bad-option',
      /checkpoints has no append, readLog/,
    ],
    ['a map for a cache', { cache: new Map() }, 'reading/bad-option', /cache has no put/],
    ['a number to listen', { onConversation: 5 }, 'reading/bad-option', /onConversation is no function/],
    ['a time for the clock', { now: 5 }, 'reading/bad-option', /now is no function/],
    ['null for the sampling', { sampling: null }, 'reading/bad-option', /sampling is no object/],
    [
      'no temperature',
      { sampling: { temperature: Number.NaN } },
      'chat/bad-sampling',
      /temperature.* is NaN/,
    ],
    ['a seed that is a text', { sampling: { seed: '1' } }, 'chat/bad-sampling', /seed of the sampling is 1/],
    ['the name of a tokenizer', { tokenizer: 'o200k' }, 'reading/bad-option', /tokenizer is no tokenizer/],
    ['a limit as an option', { maxCalls: 5 }, 'reading/bad-option', /maxCalls is one of limits/],
    ['a question that shows nothing', { question: '\u200b' }, 'reading/no-question', /question is empty/],
    ['a start that is none', { start: {} }, 'reading/bad-option', /start\.state is missing/],
    [
      'a memory beside a start',
      { memory: 'Ann.', start },
      'reading/bad-option',
      /memory cannot stand beside start/,
    ],
    ['an empty profile', { profile: {} }, 'reading/bad-profile', /budget is none: it is \{ window/],
    ['null for a profile', { profile: null }, 'reading/bad-profile', /budget is none/],
    [
      'another chunking',
      { profile: { ...contractProfile, chunking: 'foo' } },
      'reading/bad-profile',
      /chunking cannot be foo/,
    ],
    [
      'prompts that are none',
      { profile: { ...contractProfile, prompts: {} } },
      'reading/bad-profile',
      /prompts is neither/,
    ],
    ['a limit by another name', { limits: { calls: 1 } }, 'reading/bad-limit', /no limit named calls/],
  ])('%s', async (_, given, code, message) => {
    await expect(reading(given)).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
  })

  it.each(['window', 'question', 'chunk', 'memory', 'output'])('a budget without %s', async (part) => {
    const opened = vi.fn()
    const document = { ...right.document, open: opened }
    const profile = { ...contractProfile, budget: { ...contractProfile.budget, [part]: undefined } }
    await expect(reading({ document, profile })).rejects.toMatchObject({
      code: 'reading/bad-budget',
      message: expect.stringContaining(`The budget for ${part} must be a whole number`),
    })
    expect(opened).not.toHaveBeenCalled()
  })

  it.each([Number.NaN, undefined, -1])('a tokenizer that counts %s tokens', async (counted) => {
    const tokenizer = { name: 'mine', isExact: true, count: () => counted }
    await expect(reading({ tokenizer })).rejects.toMatchObject({
      code: 'tokenizer/bad-count',
      message: expect.stringContaining(`The tokenizer mine counts ${counted}`),
    })
  })

  it.each([Number.NaN, '55', -1])('a model that counts %s tokens of a prompt', async (counted) => {
    const generate = vi.fn()
    const model = { ...right.model, name: 'mine', countPromptTokens: () => counted, generate }
    await expect(reading({ model })).rejects.toMatchObject({
      code: 'tokenizer/bad-count',
      message: expect.stringContaining(`countPromptTokens of mine counts ${counted}`),
    })
    expect(generate).not.toHaveBeenCalled()
  })

  it.each([
    ['null', null, /questions is no list/],
    ['texts', ['Who?'], /A question is \{ text \}/],
    ['of another form', [{ question: 'Who?' }], /A question is \{ text \}/],
  ])('questions as %s', async (_, questions, message) => {
    const { question: __, ...options } = right
    await expect(all(readQuestions({ ...options, questions } as never))).rejects.toThrow(message)
  })
})

describe('a result that is none', () => {
  const stop = { unified: 'stop' }
  it.each([
    ['a text', 'Ann.', /it is no object/],
    ['without a reason', { text: 'x' }, /finishReason is no object/],
    ['with the reason as a text', { text: 'x', finishReason: 'length' }, /finishReason is no object/],
    ['with another reason', { text: 'x', finishReason: { unified: 'max_tokens' } }, /finishReason\.unified/],
    ['without a text', { finishReason: stop }, /text is/],
    [
      'with no number of tokens',
      { text: 'x', finishReason: stop, usage: { promptTokens: Number.NaN } },
      /promptTokens/,
    ],
  ])('%s', async (_, result, message) => {
    const model = { name: 'mine', profile: contractProfile, generate: async () => result }
    await expect(reading({ model })).rejects.toMatchObject({
      code: 'chat/bad-result',
      message: expect.stringMatching(message),
    })
  })
})

describe('a conversation that is none', () => {
  it.each([
    ['without a tag', { messages: [{ role: 'user', content: 'Who?' }], maxTokens: 8 }, /tag is/],
    ['without its most tokens', { messages: [], tag: { step: 0, kind: 'update' } }, /maxTokens is/],
    ['of a text', { messages: 'Who?', maxTokens: 8, tag: { step: 0, kind: 'update' } }, /messages is/],
  ])('%s', async (_, conversation, message) => {
    const workflow = {
      ...overwrite,
      name: 'mine',
      read: async (state: never, __: unknown, context: ReadingContext) => {
        await context.chat(conversation as never)
        return { state }
      },
    }
    await expect(reading({ workflow })).rejects.toMatchObject({
      code: 'workflow/bad-conversation',
      message: expect.stringMatching(message),
    })
  })
})
