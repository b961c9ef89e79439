import { describe, expect, it } from 'vitest'
import { createOllamaModel } from './ollama.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'

const server = { baseUrl: 'http://localhost:8000/v1', model: 'm' }

describe('a number of a server that is none', () => {
  it.each([
    ['retry.attempts', { retry: { attempts: 0 } }],
    ['retry.patienceMs', { retry: { patienceMs: Number.NaN } }],
    ['retry.baseDelayMs', { retry: { baseDelayMs: Number.NaN } }],
    ['retry.maxDelayMs', { retry: { maxDelayMs: -1 } }],
    ['timeoutMs', { timeoutMs: Number.NaN }],
    ['idleTimeoutMs', { idleTimeoutMs: 0 }],
    ['contextWindow', { contextWindow: Number.NaN }],
  ])('%s is named', (option, given) => {
    for (const create of [createOpenAICompatibleModel, createOllamaModel])
      expect(() => create({ ...server, ...given })).toThrow(new RegExp(`^${option} is (NaN|0|-1), not`))
  })

  it('may be without a limit', () => {
    const endless = { retry: { attempts: Infinity, patienceMs: Infinity }, timeoutMs: Infinity }
    expect(() => createOpenAICompatibleModel({ ...server, ...endless })).not.toThrow()
  })
})

it.each(['temperature', 'topP', 'seed'])('a %s of NaN is sent to no server', async (field) => {
  const sampling = { [field]: Number.NaN }
  expect(() => createOpenAICompatibleModel({ ...server, sampling })).toThrow(`The ${field} of the sampling`)
  let requests = 0
  const fetch = async () => {
    requests++
    return Response.json({})
  }
  const asked = createOpenAICompatibleModel({ ...server, fetch }).generate(
    [{ role: 'user', content: 'Hi' }],
    {
      maxTokens: 5,
      ...sampling,
    },
  )
  await expect(asked).rejects.toMatchObject({ code: 'chat/bad-sampling' })
  expect(requests).toBe(0)
})
