/** What is reported of a text that was not read to its end. */
import { describe, expect, it } from 'vitest'
import { createStreamDocument } from '../documents/text-document.ts'
import { gatedExit } from '../workflows/gated/gated.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingOptions } from './options.ts'
import { collect, document, modelOf, note, text } from './testing/short-reading.ts'
import { endedEarly, passedOver, unreadText } from './unread.ts'

const workflow = gatedExit as unknown as Workflow
/** Ends after any chunk, whatever is asked. */
const hasty: Workflow = {
  name: 'hasty',
  prompts: overwrite.prompts,
  init: () => null,
  isState: (value): value is null => value === null,
  memory: () => '',
  read: async (state) => ({ state, done: true }),
  answer: async () => ({ text: '', outcome: 'not-found' }),
}
const endingAt = (step: number, answer = '\\boxed{Ann}') => {
  let chunk = 0
  return modelOf(({ messages: [message] }) =>
    message!.content.includes('<section>')
      ? `yes\nA note.\n${chunk++ === step ? 'end' : 'continue'}`
      : answer,
  )
}
const end = async (options: Partial<ReadingOptions> & Pick<ReadingOptions, 'model'>) => {
  const events = await collect({ workflow, ...options })
  const last = events.at(-1)
  if (last?.type !== 'answer' && last?.type !== 'notes') return expect.unreachable()
  const chunks = events.filter((event) => event.type === 'chunk-end')
  const told = events.filter((event) => event.type === 'warning' && event.code === 'ended-early')
  return { last, chunks, told }
}

describe('a reading that ends early', () => {
  it('says how much was not read, and an answer that was found stays found', async () => {
    const { last, chunks, told } = await end({ model: endingAt(2) })
    const read = chunks.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(chunks).toHaveLength(3)
    const rest = text.length - read
    expect(last.unread).toEqual({ bytes: rest, share: rest / text.length })
    expect(last).toMatchObject({
      answer: { text: 'Ann', outcome: 'found' },
      warnings: [{ code: 'ended-early', step: 2, count: 1, touchesAnswer: false }],
    })
    const { bytes, share } = last.unread!
    expect(told).toMatchObject([
      {
        message: `The reading ended early, after chunk 3: ${Math.round(100 * share!)} % of the text (${bytes!.toLocaleString('en')} bytes) was not read.`,
      },
    ])
  })

  it('never says that the text does not answer', async () => {
    const { last } = await end({ model: endingAt(2, '\\boxed{not in the text}') })
    expect(last).toMatchObject({
      answer: { text: '', outcome: 'unsure' },
      warnings: [{ code: 'ended-early', touchesAnswer: true }],
    })
    // Nor does the answer of a workflow that says so itself.
    const { last: nothing } = await end({ model: modelOf(note), workflow: hasty })
    expect(nothing).toMatchObject({ answer: { text: '', outcome: 'unsure' }, steps: 1 })
  })

  it('has read all of a text whose last byte it has read: a byte order mark is in no text', async () => {
    const one = 'Nobody spoke.'
    const marked = {
      ...{ name: 'marked.txt', sizeBytes: one.length + 3, isReopenable: true },
      async *open() {
        yield { text: one, source: 'marked.txt', offsetBytes: 3, lengthBytes: one.length }
      },
    }
    const { last, told } = await end({ model: endingAt(0, '\\boxed{not in the text}'), document: marked })
    expect(last).toMatchObject({ answer: { outcome: 'not-found' }, unread: undefined })
    expect(told).toEqual([])
  })

  it('says the same of a text of unknown length, without numbers', async () => {
    const bytes = new TextEncoder().encode(text)
    const stream = createStreamDocument(
      (async function* () {
        yield bytes
      })(),
      'log',
    )
    const { last } = await end({ model: endingAt(2), document: stream })
    expect(last.unread).toEqual({})
    expect(last.warnings[0]?.message).toBe(
      'The reading ended early, after chunk 3: what may have followed was not read.',
    )
  })

  it('says it of notes too, and once, however often it is resumed', async () => {
    for (const question of [undefined, 'Who came?']) {
      const checkpoints = createMemoryCheckpointStore()
      const first = await end({ model: modelOf(note), workflow: hasty, question, checkpoints })
      expect(first.last.warnings).toMatchObject([{ code: 'ended-early', count: 1 }])
      const again = await end({ model: modelOf(note), workflow: hasty, question, checkpoints })
      expect({ ...again.last, seconds: 0 }).toEqual({ ...first.last, seconds: 0 })
    }
  })

  it('at the last chunk has left nothing, and one that reads on neither', async () => {
    const { chunks } = await end({ model: endingAt(-1) })
    const { last, told } = await end({ model: endingAt(chunks.length - 1) })
    expect(last).toMatchObject({ answer: { outcome: 'found' }, warnings: [] })
    expect([last.unread, told]).toEqual([undefined, []])
    expect((await end({ model: modelOf(note), workflow: undefined })).last.unread).toBeUndefined()
    expect((await end({ model: endingAt(0), document: { ...document, sizeBytes: undefined } })).last.unread).toEqual({}) // biome-ignore format: one case
  })
})

it('a share is never told as none or all of the text', () => {
  expect(unreadText(1000, 1000)).toBeUndefined()
  expect(unreadText(1000, 250)).toEqual({ bytes: 750, share: 0.75 })
  const told = (size: number, read: number) => endedEarly(unreadText(size, read)!, 0).message
  expect(told(100_000, 99_999)).toContain('less than 1 % of the text (1 byte)')
  const saysOver = (size: number, read: number) => passedOver(unreadText(size, read)!, 0).message
  expect(saysOver(100_000, 2000)).toBe('Only 2 % of the text was read: 98,000 bytes passed over.')
  expect(saysOver(100_000, 20)).toBe('Less than 1 % of the text was read: 99,980 bytes passed over.')
  expect(saysOver(100_000, 99_999)).toBe('More than 99 % of the text was read: 1 byte passed over.')
  expect(told(100_000, 1)).toContain('more than 99 % of the text (99,999 bytes)')
})
