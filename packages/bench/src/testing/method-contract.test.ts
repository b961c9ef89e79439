/** A contract that nothing fails proves nothing: each method here breaks one promise and is caught. */
import type { ChatModel, Message } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import type { Method, MethodRequest, MethodResult } from '../method.ts'
import { createMethod } from '../methods/registry.ts'
import { methodContract } from './method-contract.ts'

const bm25 = await createMethod('bm25')
const truncate = await createMethod('truncate')
const overwrite = await createMethod('overwrite')

/** The method with a changed request or a changed result. */
const changed = (
  method: Method,
  request: (given: MethodRequest) => MethodRequest,
  result: (made: MethodResult) => MethodResult = (made) => made,
): Method => ({ ...method, answer: async (given) => result(await method.answer(request(given))) })
const same = (given: MethodRequest) => given

/** The model, shown other messages. */
const shown =
  (edit: (content: string) => string) =>
  (given: MethodRequest): MethodRequest => ({
    ...given,
    model: {
      ...given.model,
      generate: (messages: readonly Message[], options: Parameters<ChatModel['generate']>[1]) =>
        given.model.generate(
          messages.map(({ role, content }) => ({ role, content: edit(content) })),
          options,
        ),
    } as ChatModel,
  })

const broken: Record<
  string,
  { readonly method: Method; readonly evidenceAt?: number; readonly caught: string }
> = {
  'has no description': {
    method: { ...bm25, description: '' },
    caught: 'has a name and a description of one line',
  },
  'invents answers': {
    method: changed(bm25, same, (made) => ({ ...made, answer: { text: '42', outcome: 'found' } })),
    caught: 'says "not found" for an empty document',
  },
  'never finds anything': {
    method: changed(bm25, same, (made) => ({ ...made, answer: { text: '', outcome: 'not-found' } })),
    caught: 'answers with what the document says',
  },
  'forgets notes from before': {
    method: changed(bm25, (given) => ({ ...given, memory: undefined })),
    caught: 'uses notes from before the document',
  },
  'forgets to count a call': {
    method: changed(overwrite, same, (made) => ({
      ...made,
      usage: { ...made.usage, calls: made.usage.calls - 1 },
    })),
    caught: 'counts calls, tokens and model time',
  },
  'answers from what it was asked before': {
    method: remembering(),
    caught: 'makes the same calls and answers for the same seed, in whatever order replies arrive',
  },
  'has one seed for all': {
    method: changed(overwrite, (given) => ({ ...given, sampling: { ...given.sampling, seed: 0 } })),
    caught: 'gives every conversation a derived seed, and the requested sampling',
  },
  'does not look at the window': {
    method: changed(bm25, (given) => ({
      ...given,
      model: { ...given.model, countPromptTokens: undefined, describe: undefined } as unknown as ChatModel,
      profile: {
        ...given.profile,
        budget: { ...given.profile.budget, window: 2 * given.profile.budget.window },
      },
    })),
    caught: 'fits every call into the window, whatever the document and the replies are',
  },
  'lets text into prompts as it is': {
    method: changed(
      bm25,
      shown((content) => content.replaceAll('‹', '<')),
    ),
    caught: 'keeps hostile documents, questions and replies in their place',
  },
  'claims to have seen everything': {
    method: changed(truncate, same, (made) => ({ ...made, seen: undefined })),
    evidenceAt: 0.02,
    caught: 'reports correctly which bytes of the document the model saw',
  },
  'claims to have seen less': {
    method: changed(truncate, same, (made) => ({ ...made, seen: made.seen?.slice(0, 1) })),
    evidenceAt: 0.02,
    caught: 'reports correctly which bytes of the document the model saw',
  },
  'tells the place of another chunk': {
    method: changed(overwrite, same, (made) => ({
      ...made,
      trace: made.trace.map((entry) => ({ ...entry, startByte: 0, endByte: 10 })),
    })),
    caught: 'reports where in the document notes changed',
  },
  'estimates too little': {
    method: { ...overwrite, estimate: (tokens, profile) => overwrite.estimate(tokens / 2, profile) },
    caught: 'estimates at least what it takes, and at most half as much again',
  },
  'estimates too much': {
    method: { ...overwrite, estimate: (tokens, profile) => overwrite.estimate(2 * tokens, profile) },
    caught: 'estimates at least what it takes, and at most half as much again',
  },
  'does not listen to aborts': {
    method: changed(overwrite, (given) => ({ ...given, signal: undefined })),
    caught: 'ends with the reason of an abort before the first call, and makes none',
  },
  'throws something else at an abort': {
    method: {
      ...overwrite,
      answer: (given) =>
        overwrite.answer(given).catch(() => {
          throw new Error('aborted')
        }),
    },
    caught: 'ends with the reason of an abort during a call, and closes the document',
  },
  'leaves the document open': {
    method: changed(overwrite, (given) => {
      void given.document.open()[Symbol.asyncIterator]().next()
      return given
    }),
    caught: 'leaves no document open',
  },
}

describe('catches a method that', () => {
  it.each(Object.entries(broken))('%s', async (_, { method, evidenceAt, caught }) => {
    const only = methodContract({ create: () => method, ...(evidenceAt === undefined ? {} : { evidenceAt }) })
    const named = only.filter(({ name }) => name.endsWith(`: ${caught}`))
    expect(named).toHaveLength(2)
    const failed: string[] = []
    for (const { name, run } of named) await run().catch(() => failed.push(name))
    expect(failed.length).toBeGreaterThan(0)
  })
})

/** Starts from the notes of its last answer. */
function remembering(): Method {
  let memory: string | undefined
  return changed(
    overwrite,
    (given) => ({ ...given, memory }),
    (made) => {
      memory = made.answer.text
      return made
    },
  )
}
