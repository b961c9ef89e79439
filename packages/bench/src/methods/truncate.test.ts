import { describe, expect, it } from 'vitest'
import {
  compactPrompts,
  estimateTokenizer,
  fact,
  profiles,
  promptOf,
  question,
  rehearse,
  textWith,
} from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [instructed, compact] = profiles

async function run(text: string, profile = instructed!, spec = 'truncate') {
  const started = rehearse({ method: await createMethod(spec), profile, text, respond: () => 'some note' })
  const result = await started.result
  return { result, prompts: started.model.calls.map(promptOf), calls: started.model.calls }
}

const sectionIn = (prompt: string) => /<section>\n([\s\S]*)\n<\/section>/.exec(prompt)?.[1] ?? ''

describe('a document that does not fit', () => {
  const text = textWith(3000, undefined, 0)

  it('is shown as head and tail of equal length, with a mark between them, in one full window', async () => {
    const { prompts, result, calls } = await run(text)
    expect(prompts).toHaveLength(1)
    const [head, tail, ...more] = sectionIn(prompts[0]!).split('\n\n...\n\n')
    expect(more).toEqual([])
    expect(text.startsWith(head!)).toBe(true)
    expect(text.endsWith(tail!)).toBe(true)
    const [first, last] = [head!, tail!].map((part) => estimateTokenizer.count(part) as number)
    expect(Math.abs(first! - last!)).toBeLessThanOrEqual(1)
    const { window, output } = instructed!.budget
    const promptTokens = estimateTokenizer.count(prompts[0]!) as number
    expect(promptTokens).toBeLessThanOrEqual(window - output)
    expect(promptTokens).toBeGreaterThan(window - output - 6)
    expect(calls[0]?.options.maxTokens).toBe(output)
    const [shownFirst, shownLast] = result.seen!.map(({ startByte, endByte }) =>
      Buffer.from(text).subarray(startByte, endByte).toString(),
    )
    expect([shownFirst!.trimEnd(), shownLast!.trimStart()]).toEqual([head, tail])
  })

  it('fills the window that the options name', async () => {
    const { prompts } = await run(text, instructed, 'truncate:window=400,output=20')
    const tokens = estimateTokenizer.count(prompts[0]!) as number
    expect(tokens).toBeGreaterThan(370)
    expect(tokens).toBeLessThanOrEqual(380)
  })

  it('is read by a small model as two sections of its own prompts, head first', async () => {
    const { prompts } = await run(text, compact)
    expect(prompts).toHaveLength(3)
    const [head, tail] = prompts.map((prompt) => /<section>(.*)<\/section>/s.exec(prompt)?.[1])
    expect(text.startsWith(head!)).toBe(true)
    expect(text.endsWith(tail!)).toBe(true)
    const [first, second, third] = [
      compactPrompts.messages('update', { question, memory: 'nothing yet', section: head! }),
      compactPrompts.messages('update', { question, memory: 'some note', section: tail! }),
      compactPrompts.messages('answer', { question, memory: 'some note' }),
    ].map((messages) => promptOf({ messages }))
    expect(prompts).toEqual([first, second, third])
  })

  it('gives a small model as much text as fits one of its windows', async () => {
    const { prompts } = await run(text, compact)
    const { window, output } = compact!.budget
    const shown = prompts.slice(0, 2).map((prompt) => /<section>(.*)<\/section>/s.exec(prompt)?.[1] ?? '')
    const tokens = shown.reduce((sum, part) => sum + (estimateTokenizer.count(part) as number), 0)
    const empty = compactPrompts.messages('update', { question, memory: 'nothing yet', section: '' })
    const room = window - output - (estimateTokenizer.count(promptOf({ messages: empty })) as number)
    expect(tokens).toBeLessThanOrEqual(room)
    expect(tokens).toBeGreaterThan(room - 6)
  })
})

describe('a document that fits', () => {
  it('is shown whole', async () => {
    const text = textWith(200, fact, 0.5)
    const { prompts, result } = await run(text)
    expect(sectionIn(prompts[0]!)).toBe(text)
    expect(result.seen).toBeUndefined()
  })
})

it('cuts between characters', async () => {
  for (const shift of ['', 'x', 'xy']) {
    const { prompts } = await run(shift + '😀'.repeat(4000))
    expect(prompts[0]).not.toMatch(/\p{Surrogate}/u)
  }
})
