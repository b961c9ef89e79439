import { describe, expect, test } from 'vitest'
import { ChatError, OverlongPromptError } from '../errors.ts'
import { chatContract } from '../testing/chat-contract.ts'
import { registerCases } from '../testing/contract-case.ts'
import { sleep } from '../waiting.ts'
import { createScriptedModel } from './scripted.ts'

const user = (content: string) => [{ role: 'user' as const, content }]

describe('contract', () => {
  const cases = chatContract({
    create: () =>
      createScriptedModel(
        async ({ messages }) => {
          await sleep(5)
          return (messages.at(-1)?.content ?? '').replace(/\p{Surrogate}/gu, '\uFFFD')
        },
        { contextWindow: 300 },
      ),
    overlong: user('word '.repeat(300)),
    echoes: true,
  })
  registerCases(cases, test)
})

describe('createScriptedModel', () => {
  test('answers in the order of the script and records what it was asked', async () => {
    const model = createScriptedModel(['one', { text: 'two', reasoning: 'why' }])
    expect((await model.generate(user('a'), { maxTokens: 9 })).text).toBe('one')
    expect(await model.generate(user('b c'), { maxTokens: 9, seed: 3 })).toEqual({
      text: 'two',
      reasoning: 'why',
      usage: { promptTokens: 2, completionTokens: 1 },
      finishReason: { unified: 'stop', raw: undefined },
    })
    expect(model.calls.map((call) => [call.index, call.messages[0]?.content, call.options.seed])).toEqual([
      [0, 'a', undefined],
      [1, 'b c', 3],
    ])
  })

  test('throws when the script has run out', async () => {
    const model = createScriptedModel(['one'])
    await model.generate(user('a'), { maxTokens: 9 })
    await expect(model.generate(user('a'), { maxTokens: 9 })).rejects.toThrow(
      'The script has 1 replies, and this is call 2',
    )
  })

  test('throws the errors of the script', async () => {
    const error = new ChatError({ code: 'x', message: 'down' })
    await expect(createScriptedModel([error]).generate(user('a'), { maxTokens: 1 })).rejects.toBe(error)
  })

  test('enforces the window exactly, and cuts at maxTokens', async () => {
    const model = createScriptedModel(() => 'a b c', { contextWindow: 4 })
    const cut = await model.generate(user('x y'), { maxTokens: 2 })
    expect([cut.text, cut.finishReason.unified]).toEqual(['a b', 'length'])
    const overlong = model.generate(user('x y z'), { maxTokens: 2 })
    await expect(overlong).rejects.toBeInstanceOf(OverlongPromptError)
    await expect(overlong).rejects.toMatchObject({
      details: { promptTokens: 3, maxTokens: 2, contextWindow: 4 },
    })
  })
})
