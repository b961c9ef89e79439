import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../../chat/chat.ts'
import { createScriptedModel, type Script, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import { createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import { readDocument } from '../../reading/reader.ts'
import { parseProfile } from '../../settings/parse-profile.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import type { Workflow } from '../workflow.ts'
import { rotated } from './confirm-edits.ts'
import { editsConfirmed } from './edits.ts'

const readWith = readingWith(editsConfirmed)
const document = createTextDocument('One came. Two came. Three came. Four came. Five came. Six came.')

describe('a change', () => {
  const cases: [name: string, replies: readonly ScriptedReply[], memory: string][] = [
    ['stands if every order gives it', ['+ Ann', '+ Ann', '+ Ann'], 'Ann'],
    [
      'stands as first written if other orders word it otherwise',
      ['+ Anna', '+ Ann B.', '+ It was Ann'],
      'Ann',
    ],
    ['stands if one order gives nothing', ['+ Ann', 'none', '+ Ann'], 'Ann'],
    ['stands if one response cannot be used', ['+ Ann', 'Sure, Ann!', '+ Ann'], 'Ann'],
    ['is dropped if two orders give nothing', ['none', '+ Ann', 'none'], ''],
    ['is dropped if two orders give nothing usable', ['none', 'Sure, Ann!', '+ Ann'], ''],
  ]
  it.each(cases)('%s', async (_, others, memory) => {
    const { memories, warnings, answer, prompts } = await readWith(['+ Ann', ...others, '\\boxed{Ann}'], {
      document,
    })
    const unconfirmed = memory === '' ? { unconfirmed: 1 } : {}
    expect(memories).toMatchObject([{ memory, origin: 'sampled', changed: memory !== '' }])
    expect(memories[0]?.edits).toEqual({ repeated: 0, refused: 0, ...unconfirmed })
    expect(warnings).toEqual([])
    expect(answer?.answer.outcome).toBe(memory === '' ? 'not-found' : 'found')
    expect(prompts).toHaveLength(memory === '' ? 4 : 5)
  })

  it('is asked for with other orders of the same sentences, beside the memory as it was', async () => {
    const { prompts } = await readWith(['+ Ann', '+ Ann', '+ Ann', '+ Ann', '\\boxed{Ann}'], {
      document,
      memory: 'Bob',
    })
    const sections = prompts.slice(0, 4).map((prompt) => /<section>\n(.*?)\n<\/section>/s.exec(prompt)![1]!)
    expect(sections).toEqual([
      'One came. Two came. Three came. Four came. Five came. Six came.',
      'Two came. Three came. Four came. Five came. Six came.\nOne came.',
      'Four came. Five came. Six came.\nOne came. Two came. Three came.',
      'Five came. Six came.\nOne came. Two came. Three came. Four came.',
    ])
    for (const prompt of prompts.slice(0, 4)) expect(prompt).toContain('#1 Bob')
  })

  it('costs nothing where there is none', async () => {
    const { prompts } = await readWith(['none'], { document })
    expect(prompts).toHaveLength(1)
  })
})

describe('a change of a model that says how sure it is', () => {
  const profile = { ...contractProfile, leastConfidence: { change: 0.7, response: 0.05 } }
  /** Probabilities of the first token and of the rest. */
  const said = (text: string, first: number, rest = 1): ScriptedReply => ({
    text,
    logprobs: [first, rest].map((one) => ({ token: 'x', logprob: Math.log(one) })),
  })
  const cases: [name: string, replies: readonly ScriptedReply[], memory: string][] = [
    [
      'stands if the orders are sure of it on average',
      [said('+ Ann', 0.9), said('+ Ann', 0.9), said('+ Ann', 0.9), said('none', 0.85)],
      'Ann',
    ],
    [
      'is dropped if they are not, though each brings it',
      [said('+ Ann', 0.6), said('+ Ann', 0.7), said('+ Ann', 0.7), said('+ Ann', 0.75)],
      '',
    ],
    [
      'is dropped if nearly all of them are sure that something changes, and none of what',
      [said('+ Ann', 1, 0.1), said('+ Bob', 1), said('+ Cem', 1), said('+ Dee', 1)],
      '',
    ],
    [
      'stands if one order is sure of the very response',
      [said('+ Ann', 1, 0.3), said('+ Bob', 1), said('+ Cem', 1), said('+ Dee', 1)],
      'Ann',
    ],
    [
      'is dropped for responses that cannot be used',
      [said('+ Ann', 1), said('+ Ann', 1), said('Sure, Ann!', 1), said('Sure, Ann!', 1)],
      '',
    ],
  ]
  it.each(cases)('%s', async (_, others, memory) => {
    const { memories, prompts } = await readWith(['+ Ann', ...others, '\\boxed{Ann}'], { document, profile })
    expect(memories).toMatchObject([{ memory }])
    expect(memories[0]?.edits).toMatchObject(memory === '' ? { unconfirmed: 1 } : { refused: 0 })
    // The section as it stands is asked about again, for the probabilities.
    expect(prompts[1]).toBe(prompts[0])
  })

  it('has a profile that says so in probabilities', () => {
    const { name, budget } = contractProfile
    const least = { change: 0.5, response: 0 }
    expect(parseProfile({ name, budget, leastConfidence: least }).leastConfidence).toEqual(least)
    for (const leastConfidence of [0.5, {}, { change: 50, response: 0 }, { change: 0.5, response: '0' }]) {
      expect(() => parseProfile({ name, budget, leastConfidence }, 'mine.json')).toThrow(
        /mine\.json .*leastConfidence/,
      )
    }
  })

  it('is counted as seen or not seen where the backend gives no probabilities', async () => {
    const memoryAfter = async (...others: readonly ScriptedReply[]) => {
      const replies = ['+ Ann', '+ Ann', ...others, '\\boxed{Ann}']
      return (await readWith(replies, { document, profile })).memories[0]?.memory
    }
    expect(await memoryAfter('none', '+ Ann', '+ Ann')).toBe('Ann')
    expect(await memoryAfter('none', said('none', 0.5), '+ Ann')).toBe('')
  })
})

it('is decided alike after a kill, whatever log-probabilities the model gave', async () => {
  const profile = { ...contractProfile, leastConfidence: { change: 0.5, response: 0 } }
  const odd = [
    [{ token: 'x', logprob: Number.NEGATIVE_INFINITY }],
    [{ token: 'x', logprob: Number.NaN }],
    [{ token: 'x', logprob: -0.1, bytes: [120] }],
    [-0.1],
    Float32Array.of(-0.1),
    [null],
    null,
    [],
  ]
  for (const logprobs of odd as ChatResult['logprobs'][]) {
    const replies = ['+ Ann', ...Array(4).fill({ text: '+ Ann', logprobs }), '\\boxed{Ann}']
    const { memories } = await readWith(replies, { document, profile })
    const checkpoints = createMemoryCheckpointStore()
    const readBy = async (script: Script) => {
      const model = createScriptedModel(script, { profile })
      const reading = { question: 'Who?', workflow: editsConfirmed as unknown as Workflow, document }
      const events: ReadingEvent[] = []
      for await (const event of readDocument({ ...reading, model, checkpoints, concurrency: 1 })) {
        events.push(event)
      }
      return { events, calls: model.calls }
    }
    await expect(readBy(replies.slice(0, 4))).rejects.toThrow('script')
    // The last order, and the answer if there is one.
    const { events, calls } = await readBy(replies.slice(4))
    expect(events.filter(({ type }) => type === 'memory-end')).toEqual(memories)
    expect(calls.length).toBeLessThan(3)
  }
})

describe('a line of a model that copies', () => {
  const profile = { ...contractProfile, copiesBeside: ['now'] }
  const lineOf = async (edit: string, memory?: string) => {
    const replies = [edit, edit, edit, edit, '\\boxed{x}']
    const { memories } = await readWith(replies, { document, profile, memory, question: 'Who is with Ann?' })
    return memories[0]
  }
  it.each([
    ['words of the section', '+ four CAME'],
    ['words of the question', '+ Three with Ann'],
    ['a count', '+ 6 came'],
    ['words of its own', '+ now Six'],
  ])('may have %s', async (_, edit) => {
    expect((await lineOf(edit))?.memory).toBe(edit.slice(2))
  })
  it('may have words of the memory', async () => {
    expect((await lineOf('= #1 Bob came', 'Bob'))?.memory).toBe('Bob came')
  })
  it.each([
    ['a word from nowhere', '+ Four camelled'],
    ['a long number from nowhere', '+ 48213'],
  ])('is dropped alone for %s', async (_, edit) => {
    const step = await lineOf(`${edit}\n+ Six came`)
    expect(step?.memory).toBe('Six came')
    expect(step?.edits).toMatchObject({ unconfirmed: 1 })
  })
})

describe('rotated', () => {
  it('leaves a text without a second sentence as it is', () => {
    expect(rotated(' One long sentence that goes on, ', 1 / 2)).toBe('One long sentence that goes on,')
    expect(rotated('', 1 / 2)).toBe('')
  })
  it('cuts at lines, too', () => {
    expect(rotated('a,1\nb,2\nc,3\nd,4', 1 / 2)).toBe('c,3\nd,4\na,1\nb,2')
  })
})
