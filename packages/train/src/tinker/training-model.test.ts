import { describe, expect, it } from 'vitest'
import { resolveProfile } from './profiles.ts'
import type { FutureCall, TinkerSession } from './session.ts'
import { TrainingModel } from './training-model.ts'

/** 130 conversations of 7,000 tokens: more than 55 MB even at the lowest estimate. */
const sequences = Array.from({ length: 130 }, (_, s) => ({
  promptTokens: Array.from({ length: 6900 }, (_, i) => (i * 7919 + s * 31) % 151_000),
  responseTokens: Array.from({ length: 100 }, (_, i) => (i * 104_729 + s) % 151_000),
}))

/** A server that accepts everything and answers on command. */
async function openModel(answer: (datums: number) => Promise<unknown>) {
  const bodies: number[] = []
  const session = {
    profile: resolveProfile('verl-tinker'),
    nextModelSeqId: () => 0,
    call: async () => ({ model_id: 'm' }),
    submit: async ({ body }: FutureCall<unknown>) => {
      bodies.push(body.content.length)
      return 'future'
    },
    await: async ({ body }: FutureCall<unknown>) =>
      answer((String(body.content).match(/"model_input"/g) ?? []).length),
  }
  const model = await TrainingModel.create(session as unknown as TinkerSession, {
    baseModel: 'x',
    loraRank: 0,
  })
  return { model, bodies }
}

async function untilQuiet(bodies: readonly number[]): Promise<void> {
  for (let before = -1; before !== bodies.length; ) {
    before = bodies.length
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('a batch that exceeds the limit in flight', () => {
  it('is sent in turns, each built once the earlier ones are answered', { timeout: 30_000 }, async () => {
    let release: () => void = () => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const { model, bodies } = await openModel(async (datums) => {
      await released
      return { loss_fn_outputs: Array(datums).fill({ logprobs: { data: Array(6999).fill(-1) } }) }
    })
    const whole = model.forward(sequences)
    await untilQuiet(bodies)
    const first = bodies.length
    expect(first).toBeGreaterThan(1)
    expect(bodies.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(50_000_000)
    release()
    const logprobs = await whole
    expect(bodies.length).toBeGreaterThan(first)
    expect(logprobs).toHaveLength(130)
    expect(logprobs.every((values) => values.length === 100 && values[99] === -1)).toBe(true)
  })

  it('ends with its first failure: the rest is not sent', { timeout: 30_000 }, async () => {
    let fail: (error: Error) => void = () => undefined
    const failed = new Promise<never>((_, reject) => {
      fail = reject
    })
    failed.catch(() => undefined)
    const { model, bodies } = await openModel(() => failed)
    const whole = model.forward(sequences)
    whole.catch(() => undefined)
    await untilQuiet(bodies)
    const first = bodies.length
    fail(new Error('out of memory'))
    await expect(whole).rejects.toThrow('out of memory')
    await untilQuiet(bodies)
    expect(bodies.length).toBe(first)
  })
})
