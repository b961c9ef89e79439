import { createScriptedModel, OverlongPromptError } from '@memagent/core'
import { watchedDocument } from '@memagent/core/testing'
import { describe, expect, it } from 'vitest'
import {
  estimateTokenizer,
  fact,
  oracle,
  profiles,
  promptOf,
  rehearse,
  textWith,
  value,
} from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [instructed] = profiles

it('shows the whole document, once, to a model that follows instructions', async () => {
  const text = textWith(300, fact, 0.9)
  const { result, model } = rehearse({ method: await createMethod('whole'), profile: instructed!, text })
  expect((await result).answer.text).toBe(value)
  expect(model.calls).toHaveLength(1)
  expect(promptOf(model.calls[0]!)).toContain(text)
})

describe.each(profiles)('a document that does not fit ($name)', (profile) => {
  it('fails without a call, and is read no further than that', async () => {
    const text = textWith(50_000, fact, 0)
    let pieces = 0
    const { document } = watchedDocument(text, () => pieces++)
    const method = await createMethod('whole')
    const { result, model } = rehearse({ method, profile, text, request: { document } })
    const error = await result.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OverlongPromptError)
    expect((error as Error).message).toMatch(/window of \d+ tokens has room for \d+/)
    expect(model.calls).toHaveLength(0)
    expect(pieces * 97).toBeLessThan(text.length / 2)
  })

  it('is expected to take nothing', async () => {
    expect((await createMethod('whole')).estimate(50_000, profile)).toMatchObject({
      calls: 0,
      promptTokens: 0,
    })
  })
})

describe('a larger window', () => {
  const text = textWith(3000, fact, 0.5)

  it('is filled where the options name it', async () => {
    const method = await createMethod('whole:window=8000')
    const model = createScriptedModel((call) => oracle(call, instructed!), {
      tokenizer: estimateTokenizer,
      contextWindow: 8000,
    })
    const { result } = rehearse({ method, profile: instructed!, text, request: { model } })
    expect((await result).answer.text).toBe(value)
    expect(model.calls).toHaveLength(1)
    expect(method.estimate(3000, instructed!).calls).toBe(1)
  })

  it('is refused where the model is served with a smaller one', async () => {
    const method = await createMethod('whole:window=8000')
    const { result, model } = rehearse({ method, profile: instructed!, text })
    await expect(result).rejects.toMatchObject({ code: 'method/window-too-small' })
    expect(model.calls).toHaveLength(0)
  })
})
