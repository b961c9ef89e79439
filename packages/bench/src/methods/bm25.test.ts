import { describe, expect, it } from 'vitest'
import {
  compactPrompts,
  estimateTokenizer,
  fact,
  profiles,
  promptOf,
  question,
  type Rehearsal,
  rehearse,
  textWith,
  value,
} from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [instructed, compact] = profiles
/** Shares no words with the question; each paragraph is a passage. The text has two facts that share many, far apart. */
const filler = (n: number) =>
  Array.from({ length: n }, (_, i) => `Paragraph ${i} tells stories about rivers and mountains.\n\n`).join('')
const text = `${filler(40)}The north gate has a code too.\n\n${filler(40)}${fact}\n\n${filler(40)}`

async function run(spec: string, profile = instructed!, more: Partial<Rehearsal> = {}) {
  const started = rehearse({ method: await createMethod(spec), profile, text, ...more })
  return { result: await started.result, calls: started.model.calls, counts: started.counts }
}

it('shows the passages that share words with the question, in the order of the document', async () => {
  const { result, calls } = await run('bm25:passage=40')
  expect(result.answer.text).toBe(value)
  expect(calls).toHaveLength(1)
  const prompt = promptOf(calls[0]!)
  expect(prompt).toMatch(
    /The north gate has a code too\.[^.]*mountains\.\n\n\.\.\.\n\n[^.]*\.\n\nThe access code for the north gate is 48213\./,
  )
  const bytes = Buffer.from(text)
  const seen = result.seen?.map(({ startByte, endByte }) => bytes.subarray(startByte, endByte).toString())
  expect(seen).toHaveLength(2)
  expect(seen?.[1]).toContain(fact)
})

it('uses the best passages if only some are wanted', async () => {
  const { result } = await run('bm25:k=1,passage=40')
  expect(result.seen).toHaveLength(1)
  expect(result.answer.text).toBe(value)
})

it('fills the window, and no more, if all passages share words', async () => {
  const { calls } = await run('bm25', instructed, { text: textWith(4000, fact, 0.7) })
  const { window, output } = instructed!.budget
  const tokens = estimateTokenizer.count(promptOf(calls[0]!)) as number
  expect(tokens).toBeLessThanOrEqual(window - output)
  expect(tokens).toBeGreaterThan(window - output - 40)
})

it('answers "not found" without a call if no passage shares a word', async () => {
  const { result, calls } = await run('bm25', instructed, { text: filler(50).replaceAll('about', 'on') })
  expect(result.answer).toEqual({ text: '', outcome: 'not-found' })
  expect(result.seen).toEqual([])
  expect(calls).toHaveLength(0)
})

it('lets a small model read the passages as sections of its own prompts', async () => {
  const { result, calls } = await run('bm25:passage=40', compact!)
  expect(result.answer.text).toBe(value)
  const prompts = calls.map(promptOf)
  expect(prompts).toHaveLength(2)
  const section = /<section>(.*)<\/section>/s.exec(prompts[0]!)?.[1]
  expect(section).toMatch(/The north gate has a code too\.[\s\S]*The access code[\s\S]*is 48213\./)
  expect(prompts).toEqual(
    [
      compactPrompts.messages('update', { question, memory: 'nothing yet', section: section! }),
      compactPrompts.messages('answer', { question, memory: value }),
    ].map((messages) => promptOf({ messages })),
  )
  // A section of excerpts from several places has no range of its own.
  expect(result.trace).toEqual([
    { step: 0, startByte: undefined, endByte: undefined, memory: value, tokens: 3, origin: 'sampled' },
  ])
})

describe('two rounds', () => {
  const firm = 'The firm that built the lighthouse is Kelvora.'
  const place = `Kelvora has its seat in ${value}.`
  const hops = `${filler(30)}${place}\n\n${filler(30)}${firm}\n\n${filler(30)}`
  const asked = 'Where does the builder of the lighthouse have its seat?'

  it('search a second time with what the first answered, and answer from what is found then', async () => {
    const respond = ({ index }: { readonly index: number }) =>
      index === 0 ? 'It is the firm Kelvora, \\boxed{not in the text}.' : `\\boxed{${value}}`
    const started = rehearse({
      method: await createMethod('bm25:rounds=2,k=4,passage=40'),
      profile: instructed!,
      text: hops.replace('its seat in', 'offices in'),
      request: { question: asked },
      respond,
    })
    const { answer, steps, seen } = await started.result
    const prompts = started.model.calls.map(promptOf)
    expect(prompts).toHaveLength(2)
    expect(prompts[0]).not.toContain(value)
    expect(prompts[1]).toContain(value)
    expect([answer.text, steps]).toEqual([value, 2])
    expect(seen!.length).toBeGreaterThan(1)
    expect(started.counts).toEqual({ opened: 4, closed: 4 })
  })

  it('have seen what either of them showed', async () => {
    const whole = hops.replace('its seat in', 'offices in')
    const started = rehearse({
      method: await createMethod('bm25:rounds=2,k=1,passage=40'),
      profile: instructed!,
      text: whole,
      request: { question: asked },
      // The answer, which the second round searches with, outweighs the question.
      respond: () => `\\boxed{Kelvora offices ${value}, Kelvora offices ${value}, Kelvora offices ${value}}`,
    })
    const { seen } = await started.result
    const [first, second] = started.model.calls.map(promptOf)
    expect([first!.includes(firm), first!.includes(value)]).toEqual([true, false])
    expect([second!.includes(firm), second!.includes('has offices')]).toEqual([false, true])
    const bytes = Buffer.from(whole)
    const shown = seen!.map(({ startByte, endByte }) => bytes.subarray(startByte, endByte).toString())
    expect(shown.join()).toContain(firm)
    expect(shown.join()).toContain('has offices')
  })

  it('search with the notes of a small model', async () => {
    const respond = (call: Parameters<typeof promptOf>[0]) => {
      const prompt = promptOf(call)
      const noted = prompt.includes(value) ? value : prompt.includes('Kelvora') ? 'Kelvora' : 'nothing yet'
      return prompt.includes('<section>') ? noted : `\\boxed{${noted}}`
    }
    const started = rehearse({
      method: await createMethod('bm25:rounds=2,k=4,passage=40'),
      profile: compact!,
      text: hops.replace('its seat in', 'offices in'),
      request: { question: asked },
      respond,
    })
    const { answer, trace, steps } = await started.result
    expect(answer.text).toBe(value)
    expect(trace.map(({ memory }) => memory)).toEqual(['Kelvora', value])
    expect(trace.every(({ step }) => step < steps)).toBe(true)
    expect(trace[1]!.step).toBeGreaterThan(trace[0]!.step)
  })

  it.each([
    '\\boxed{Not in the text.}',
    '\\boxed{\\text{not in the text}}',
    'This is not in the text.',
    '\\boxed{}',
    '',
  ])('are one where the first says nothing: %j', async (reply) => {
    const started = rehearse({
      method: await createMethod('bm25:rounds=2'),
      profile: instructed!,
      text,
      respond: () => reply,
    })
    expect((await started.result).answer.text).toBe('')
    expect(started.model.calls).toHaveLength(1)
  })
})

it("searches with the query, without the question's instructions about the answer's form", async () => {
  const query = 'What is the access code for the north gate?'
  const question = `${query} Reply briefly, with digits alone, separated by semicolons.`
  const one = { text: `${text}Semicolons separate digits; a brief reply has digits alone.\n\n${filler(9)}` }
  const withQuestion = await run('bm25:k=1,passage=40', instructed!, { ...one, request: { question } })
  expect(withQuestion.result.answer.outcome).toBe('not-found')
  const { result, calls } = await run('bm25:k=1,passage=40', instructed!, {
    ...one,
    request: { question, query },
  })
  expect(result.answer.text).toBe(value)
  expect(promptOf(calls[0]!)).toContain(question)
})

describe('the document', () => {
  it('is read twice, and closed', async () => {
    expect((await run('bm25')).counts).toEqual({ opened: 2, closed: 2 })
  })
})
