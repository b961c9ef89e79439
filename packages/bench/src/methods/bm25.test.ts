import { compactPrompts } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import {
  estimateTokenizer,
  fact,
  profiles,
  promptOf,
  question,
  rehearse,
  textWith,
  value,
} from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [instructed, compact] = profiles
/** Of words that the question has none of, each paragraph a passage; two facts that share many, far apart. */
const filler = (n: number) =>
  Array.from({ length: n }, (_, i) => `Paragraph ${i} tells stories about rivers and mountains.\n\n`).join('')
const text = `${filler(40)}The north gate has an access code too.\n\n${filler(40)}${fact}\n\n${filler(40)}`

async function run(spec: string, profile = instructed!, more: { text?: string } = {}) {
  const started = rehearse({ method: await createMethod(spec), profile, text, ...more })
  return { result: await started.result, calls: started.model.calls, counts: started.counts }
}

it('shows the passages that share words with the question, in the order of the document', async () => {
  const { result, calls } = await run('bm25:passage=20')
  expect(result.answer.text).toBe(value)
  expect(calls).toHaveLength(1)
  const prompt = promptOf(calls[0]!)
  expect(prompt).toMatch(
    /The north gate has an access code too\.\n\n\.\.\.\n\nThe access code for the north gate is 48213\./,
  )
  const bytes = Buffer.from(text)
  const seen = result.seen?.map(({ startByte, endByte }) => bytes.subarray(startByte, endByte).toString())
  expect(seen).toHaveLength(2)
  expect(seen?.[1]).toContain(fact)
})

it('shows the best of them where only some are wanted', async () => {
  const { result } = await run('bm25:k=1,passage=20')
  expect(result.seen).toHaveLength(1)
  expect(result.answer.text).toBe(value)
})

it('fills the window, and no more, where all passages share words', async () => {
  const { calls } = await run('bm25', instructed, { text: textWith(4000, fact, 0.7) })
  const { window, output } = instructed!.budget
  const tokens = estimateTokenizer.count(promptOf(calls[0]!)) as number
  expect(tokens).toBeLessThanOrEqual(window - output)
  expect(tokens).toBeGreaterThan(window - output - 40)
})

it('answers not found without a call where no passage shares a word', async () => {
  const { result, calls } = await run('bm25', instructed, { text: filler(50).replaceAll('about', 'on') })
  expect(result.answer).toEqual({ text: '', outcome: 'not-found' })
  expect(result.seen).toEqual([])
  expect(calls).toHaveLength(0)
})

it('lets a small model read the passages as sections of its own prompts', async () => {
  const { result, calls } = await run('bm25:passage=20', compact!)
  expect(result.answer.text).toBe(value)
  const prompts = calls.map(promptOf)
  expect(prompts).toHaveLength(2)
  const section = /<section>(.*)<\/section>/s.exec(prompts[0]!)?.[1]
  expect(section).toMatch(/^\s*The north gate has an access code too\.\n\nThe access code[\s\S]*is 48213\./)
  expect(prompts).toEqual(
    [
      compactPrompts.update({ question, memory: 'nothing yet', section: section! }),
      compactPrompts.answer({ question, memory: value }),
    ].map((messages) => promptOf({ messages })),
  )
  // A section of excerpts from several places has no range of its own.
  expect(result.trace).toEqual([
    { step: 0, startByte: undefined, endByte: undefined, memory: value, tokens: 3, origin: 'sampled' },
  ])
})

describe('the document', () => {
  it('is read twice, and closed', async () => {
    expect((await run('bm25')).counts).toEqual({ opened: 2, closed: 2 })
  })
})
