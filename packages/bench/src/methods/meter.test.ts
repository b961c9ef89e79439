import { type ChatModel, createScriptedModel } from '@memagent/core'
import { expect, it } from 'vitest'
import { Meter } from './meter.ts'

const messages = [{ role: 'user' as const, content: 'one two three' }]

it('counts calls and tokens, which are unknown once the server reports none', async () => {
  const meter = new Meter(createScriptedModel(['four five', { text: 'six', usage: undefined }]))
  await meter.model.generate(messages, { maxTokens: 9 })
  expect(meter.usage).toMatchObject({ calls: 1, promptTokens: 3, completionTokens: 2 })
  await meter.model.generate(messages, { maxTokens: 9 })
  expect(meter.usage).toMatchObject({ calls: 2, promptTokens: Number.NaN, completionTokens: Number.NaN })
  expect(meter.usage).not.toHaveProperty('embeddedTokens')
})

it('counts time that calls share once', async () => {
  let now = 0
  const meter = new Meter(createScriptedModel([]), () => now)
  const ends: (() => void)[] = []
  const call = () => meter.time(() => new Promise<void>((resolve) => ends.push(resolve)))
  const first = call()
  now = 10
  const second = call()
  now = 15
  ends[0]!()
  await first
  now = 30
  ends[1]!()
  await second
  now = 100
  await meter.time(async () => {
    now = 107
  })
  expect(meter.usage.modelMs).toBe(37)
})

it('counts the time of calls that fail', async () => {
  let now = 0
  const meter = new Meter(createScriptedModel([]), () => (now += 5))
  await expect(
    meter.time(async () => {
      throw new Error('gone')
    }),
  ).rejects.toThrow('gone')
  expect(meter.usage.modelMs).toBe(5)
})

it('asks a server for its window once, not for every question, and again when it did not answer', async () => {
  let asked = 0
  const model: ChatModel = {
    ...createScriptedModel([]),
    describe: async () => {
      if (++asked === 1) throw new Error('not yet')
      return { model: 'served', contextWindow: 512 }
    },
  }
  await expect(new Meter(model).model.describe?.()).rejects.toThrow('not yet')
  for (let i = 0; i < 3; i++) expect((await new Meter(model).model.describe?.())?.contextWindow).toBe(512)
  expect(asked).toBe(2)
})

it('keeps from the model what the model can do', () => {
  const model = createScriptedModel([])
  const { describe: _, countPromptTokens: __, ...plain } = model
  expect(new Meter(model).model.countPromptTokens?.(messages)).toBe(3)
  expect(new Meter(plain).model).not.toHaveProperty('countPromptTokens')
  expect(new Meter(plain).model).not.toHaveProperty('describe')
})
