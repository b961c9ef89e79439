import { createScriptedModel } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { answer } from './answer.ts'

describe('a question that is answered without a reading', () => {
  const asked = (generate: () => Promise<never>, signal: AbortSignal) => {
    const model = { ...createScriptedModel([], { name: 'own' }), generate }
    const plan = { kind: 'direct', messages: [{ role: 'user', content: 'Who?' }], maxTokens: 8 } as const
    const options = {
      sampling: {},
      owner: undefined,
      route: '/v1',
      signal,
      onReasoning: async () => undefined,
    }
    return answer(plan as never, {}, { model, profile: {} } as never, options as never)
  }

  it('does not wait for a model that does not listen to an abort', async () => {
    const controller = new AbortController()
    const answered = asked(() => new Promise(() => undefined), controller.signal)
    controller.abort(new Error('gone'))
    await expect(answered).rejects.toThrow('gone')
  })
})
