/** Which warnings of a reading make its answer unsure. */
import { describe, expect, it } from 'vitest'
import type { ScriptedReply } from '../chat/scripted.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { collect, modelOf } from './testing/short-reading.ts'

const found = '\\boxed{Ann}'
const notFound = '\\boxed{not in the text}'
const refusal = { text: 'No.', finishReason: { unified: 'refusal', raw: 'content_filter' } } as const
const refusalAsText = "I'm sorry, I can't help with that."
const thinking = { text: '', reasoning: 'Hm', finishReason: { unified: 'length', raw: 'length' } } as const
const cut = { text: 'A note. And an', finishReason: { unified: 'length', raw: 'length' } } as const

/** Reads about ten chunks, with these replies by step and a note otherwise. */
async function outcomeWith(
  steps: Readonly<Record<number, ScriptedReply>> | ((step: number) => ScriptedReply),
  answer: ScriptedReply,
  more = {},
) {
  let step = 0
  const model = modelOf(({ messages }) => {
    if (!messages[0]!.content.includes('<section>')) return answer
    return (typeof steps === 'function' ? steps(step++) : steps[step++]) ?? 'A note.'
  })
  const events = await collect({ model, ...more })
  const end = events.at(-1)
  if (end?.type !== 'answer') return expect.unreachable()
  expect(end.steps).toBeGreaterThanOrEqual(8)
  const touching = end.warnings.filter(({ touchesAnswer }) => touchesAnswer).map(({ code }) => code)
  return {
    outcome: end.answer.outcome,
    text: end.answer.text,
    touching,
    warnings: end.warnings,
    steps: end.steps,
  }
}

describe('an answer', () => {
  it('after complete notes is sure', async () => {
    expect(await outcomeWith({}, found)).toMatchObject({ outcome: 'found', text: 'Ann', warnings: [] })
    expect(await outcomeWith({}, notFound)).toMatchObject({ outcome: 'not-found', warnings: [] })
  })

  it.each([
    ['refused', refusal, 'memory-refused'],
    ['refused as text', refusalAsText, 'memory-refused'],
    ['empty', ' ', 'memory-empty'],
    ['cut in thinking', thinking, 'memory-empty'],
    ['cut', cut, 'memory-cut'],
  ] as const)(
    'after one rewrite that was %s is sure when found, and not when not found',
    async (_, reply, code) => {
      const warnings = [{ code, step: 2, lastStep: 2, count: 1 }]
      expect(await outcomeWith({ 2: reply }, found)).toMatchObject({
        outcome: 'found',
        touching: [],
        warnings,
      })
      expect(await outcomeWith({ 2: reply }, notFound)).toMatchObject({
        outcome: 'unsure',
        touching: [code],
        warnings,
      })
    },
  )

  it('is unsure when most rewrites were not usable', async () => {
    const { outcome, touching } = await outcomeWith((step) => (step === 0 ? 'A note.' : refusalAsText), found)
    expect({ outcome, touching }).toEqual({ outcome: 'unsure', touching: ['memory-refused'] })
  })

  it('is unsure when the last memory was cut', async () => {
    const { steps } = await outcomeWith({}, found)
    const { outcome, touching } = await outcomeWith({ [steps - 1]: cut }, found)
    expect({ outcome, touching }).toEqual({ outcome: 'unsure', touching: ['memory-cut'] })
  })

  it('without a call is sure when every memory said that there is nothing, and unsure when one was not written', async () => {
    const nothing = () => 'No previous memory'
    expect(await outcomeWith(nothing, found)).toMatchObject({ outcome: 'not-found', text: '' })
    for (const reply of [refusal, refusalAsText, thinking, ' ']) {
      const one = (step: number) => (step === 3 ? reply : 'No previous memory')
      expect(await outcomeWith(one, found)).toMatchObject({ outcome: 'unsure', text: '' })
    }
  })

  it('does not exist when every rewrite is a refusal in words', async () => {
    await expect(outcomeWith(() => refusalAsText, refusalAsText)).rejects.toMatchObject({
      code: 'chat/nothing-said',
      hint: expect.stringContaining('refused'),
    })
  })

  it('is as sure after a resume, and when it is asked for again', async () => {
    const checkpoints = createMemoryCheckpointStore()
    let calls = 0
    const failing = modelOf(({ messages }) => {
      if (++calls === 6) return new Error('gone')
      return messages[0]!.content.includes('<section>') && calls === 3 ? refusal : 'A note.'
    })
    await expect(collect({ model: failing, checkpoints })).rejects.toThrow('gone')
    const resumed = await outcomeWith({}, notFound, { checkpoints })
    expect(resumed).toMatchObject({ outcome: 'unsure', touching: ['memory-refused'] })
    expect(await outcomeWith({}, notFound, { checkpoints })).toEqual(resumed)
  })

  it('with many warnings has one entry for each code', async () => {
    const { warnings, steps } = await outcomeWith((step) => (step % 2 === 0 ? cut : 'A note.'), found)
    expect(warnings).toMatchObject([{ code: 'memory-cut', step: 0, count: Math.ceil(steps / 2) }])
    expect(warnings).toHaveLength(1)
  })

  it('that the window barely fits is unsure', async () => {
    const usage = { promptTokens: 470, completionTokens: 3 }
    const { outcome, touching } = await outcomeWith({}, { text: found, usage })
    expect({ outcome, touching }).toEqual({ outcome: 'unsure', touching: ['answer-window-tight'] })
    const reply = { text: 'A note.', usage }
    expect(await outcomeWith({ 2: reply }, found)).toMatchObject({ outcome: 'found', touching: [] })
  })
})
