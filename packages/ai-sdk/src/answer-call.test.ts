import { createScriptedModel } from '@memagent/core'
import { generateText } from 'ai'
import { describe, expect, it } from 'vitest'
import { createMemAgentModel } from './memagent-model.ts'

describe('a model of a program, asked without a reading', () => {
  const own = (generate: () => Promise<never>) =>
    createMemAgentModel({ model: { ...createScriptedModel([], { name: 'own' }), generate } })

  it('that never answers is left when it is aborted', async () => {
    const model = own(() => new Promise(() => undefined))
    const answered = generateText({
      model,
      prompt: 'Who?',
      maxRetries: 0,
      abortSignal: AbortSignal.timeout(20),
    })
    await expect(answered).rejects.toThrow(/timeout/)
  })

  it('that throws no error is named', async () => {
    const answered = generateText({
      model: own(() => Promise.reject({ status: 503 })),
      prompt: 'Who?',
      maxRetries: 0,
    })
    await expect(answered).rejects.toMatchObject({
      code: 'chat/failed',
      message: 'own failed: {"status":503}',
    })
  })
})
