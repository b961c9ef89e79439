/** A server counts tokens differently from a reader that has to estimate them. */
import { describe, expect, it } from 'vitest'
import type { ChatResult } from '../../chat/chat.ts'
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createTextDocument } from '../../documents/text-document.ts'
import { read } from '../../reading/read.ts'
import { createEstimateTokenizer } from '../../tokenizers/estimate.ts'

const text = Array.from({ length: 36 }, (_, i) => `Sentence ${i} has exactly six words.`).join(' ')
const found = '\\boxed{Ann}'
/** By the estimate, the whole needs more than the budget of 48 tokens, and half of it less. */
const memory = `Nobody keeps it: ${'lighthouse '.repeat(24)}. Now Ann keeps it.`
const newest = 'Now Ann keeps it.'

/** Reads two chunks with a model that does not name its tokenizer, and asks for the answer. */
async function readWith(replies: readonly ScriptedReply[], window: number, more = {}) {
  const budget = { window, question: 20, chunk: 200, memory: 48, output: 40 }
  const { tokenizer, countPromptTokens, ...model } = createScriptedModel(replies)
  const result = await read({
    ...{ question: 'Who keeps it?', document: createTextDocument(text), model },
    ...{ profile: { name: 'estimated', budget }, ...more },
  })
  const prompts = model.calls.map(({ messages }) => messages[0]!.content)
  const estimate = createEstimateTokenizer()
  const needed = model.calls.map(
    ({ messages, options }) => Number(estimate.count(messages[0]!.content)) + options.maxTokens,
  )
  const shown = prompts.map((prompt) => /<memory>\n(.*?)\n<\/memory>/s.exec(prompt)?.[1])
  return { ...result, shown, needed, codes: result.warnings.map(({ code }) => code) }
}

const written = (usage?: ChatResult['usage']): ScriptedReply => ({ text: memory, usage })
const within = written({ promptTokens: 300, completionTokens: 44 })

describe('a memory over its budget by an estimate', () => {
  it('is shown whole where the server counts it within the budget and the window has room', async () => {
    const { shown, codes, outcome } = await readWith([within, within, found], 1000)
    expect(shown).toEqual(['No previous memory', memory, memory])
    expect(codes).toEqual([])
    expect(outcome).toBe('found')
  })

  it('is shown as far as the window has room, and the rest is told', async () => {
    const notFound = '\\boxed{not in the text}'
    const window = 510
    const { shown, codes, needed, outcome, memory: kept } = await readWith([within, 'Two.', notFound], window)
    expect(memory.startsWith(shown[1]!)).toBe(true)
    expect(shown[1]).not.toContain(newest)
    expect(createEstimateTokenizer().count(shown[1]!)).toBeGreaterThan(48)
    for (const tokens of needed) expect(tokens).toBeLessThanOrEqual(window)
    expect(codes).toEqual(['memory-cut'])
    expect(kept).toBe('Two.')
    expect(outcome).toBe('unsure')
  })

  it('overfills no window, whatever its size and the length of the memory', async () => {
    for (let window = 490; window < 620; window++) {
      const long = { ...(within as object), text: `${memory} ${'A gull, too. '.repeat(window % 13)}` }
      const { needed } = await readWith([long, long, found], window)
      for (const tokens of needed) expect(tokens).toBeLessThanOrEqual(window)
    }
  })

  it('makes an answer unsure that was written without all of it', async () => {
    const long = `${'lighthouse '.repeat(150)}. ${newest}`
    const usage = { promptTokens: 300, completionTokens: 48 }
    const { shown, codes, outcome } = await readWith([within, { text: long, usage }, found], 600)
    expect(shown[2]).not.toContain(newest)
    expect(codes).toEqual(['memory-cut'])
    expect(outcome).toBe('unsure')
  })

  it('is cut where nobody says that it is within, and what prompts do not show is not kept', async () => {
    const over = written({ promptTokens: 300, completionTokens: 60 })
    for (const reply of [written(), over]) {
      const { shown, codes, outcome, memory: kept } = await readWith(['One.', reply, found], 1000)
      expect(shown[2]).toBe(kept)
      expect(kept).not.toContain(newest)
      expect(codes).toEqual(['memory-cut'])
      expect(outcome).toBe('unsure')
    }
  })

  it('to begin with is shown as far as there is room, too, and what is left out is told', async () => {
    const begun = (window: number) => readWith(['One.', 'Two.', found], window, { memory })
    expect(await begun(1000)).toMatchObject({ shown: [memory, 'One.', 'Two.'], codes: [] })
    const { shown, codes } = await begun(510)
    expect(shown[0]).not.toContain(newest)
    expect(codes).toEqual(['memory-cut'])
  })
})

it('a memory to begin with that is over its budget by an exact count is cut, which is told', async () => {
  const tokenizer = { ...createEstimateTokenizer(), name: 'exact', isExact: true }
  const { shown, codes } = await readWith(['One.', 'Two.', found], 1000, { memory, tokenizer })
  expect(tokenizer.count(shown[0]!)).toBeLessThanOrEqual(48)
  expect(codes).toEqual(['memory-cut'])
})
