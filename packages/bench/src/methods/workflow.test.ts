import { describe, expect, it } from 'vitest'
import { fact, type oracle, profiles, promptOf, rehearse, textWith, value } from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [profile] = profiles
const text = textWith(1500, fact, 0.5)

async function run(spec: string, more: Partial<Parameters<typeof rehearse>[0]> = {}) {
  const started = rehearse({ method: await createMethod(spec), profile: profile!, text, ...more })
  return { ...started, result: await started.result }
}

describe('the trace', () => {
  it('contains the steps that changed the notes, with the bytes read in them', async () => {
    const { result } = await run('overwrite')
    expect(result.trace).toHaveLength(1)
    const [entry] = result.trace
    expect(entry).toMatchObject({ memory: value, tokens: 3, origin: 'sampled' })
    const bytes = Buffer.from(text)
    expect(bytes.subarray(entry!.startByte, entry!.endByte).toString()).toContain(fact)
    expect(result.steps).toBeGreaterThan(entry!.step + 1)
    expect(result.usage.calls).toBe(result.steps + 1)
  })

  it('shows when notes came and went', async () => {
    const said = ['one', 'one', 'two', '', 'three']
    const { result } = await run('overwrite', { respond: ({ index }) => said[index] ?? 'three' })
    expect(result.trace.map(({ step, memory }) => [step, memory])).toEqual([
      [0, 'one'],
      [2, 'two'],
      [4, 'three'],
    ])
  })
})

describe('the trace of a reading that does not follow the text', () => {
  it('counts the chunks as they were read, and says where each stands', async () => {
    let notes = 0
    const { result } = await run('skim', {
      text: textWith(12_000, fact, 0.9),
      respond: (call) => (promptOf(call).includes('\\boxed{}') ? '\\boxed{x}' : `q${10 * notes++}z`),
    })
    const { trace, steps } = result
    expect(trace.map(({ step }) => step)).toEqual(Array.from({ length: steps }, (_, i) => i))
    const chunks = trace.map(({ chunk }) => chunk!)
    expect(Math.max(...chunks)).toBeGreaterThan(steps)
    // A later search leads back in the text.
    expect(chunks).not.toEqual(chunks.toSorted((a, b) => a - b))
    const byPlace = trace.toSorted((a, b) => a.chunk! - b.chunk!).map(({ startByte }) => startByte)
    expect(byPlace).toEqual(byPlace.toSorted((a, b) => a! - b!))
  })

  it('counts the chunks of every pass', async () => {
    let merges = 0
    const { result } = await run('parallel', {
      respond: (call) => {
        const prompt = promptOf(call)
        if (prompt.includes('\\boxed{}')) return '\\boxed{x}'
        return prompt.includes('<reports>') ? `merged ${merges++}` : 'yes\nnews'
      },
    })
    const [chunks, passes] = [result.steps / 3, [1, 2, 3]]
    expect(result.trace.map(({ step }) => step)).toEqual(passes.map((pass) => pass * chunks - 1))
  })
})

describe('the name in records', () => {
  it('says how sure the model must be where that changes the reading', async () => {
    const sure = { ...profile!, leastConfidence: { change: 0.5, response: 0.05 } }
    const nameOf = async (spec: string, of = sure) => (await createMethod(spec)).workflow!(of)
    expect(await nameOf('edits-confirmed')).toBe('edits-confirmed, least confidence 0.5 and 0.05')
    expect(await nameOf('edits')).toBe('edits')
    expect(await nameOf('edits-confirmed', profile as typeof sure)).toBe('edits-confirmed')
  })
})

describe('what was seen', () => {
  it('is all of a document that was read to its end', async () => {
    expect((await run('overwrite')).result.seen).toBeUndefined()
  })

  it('ends where the workflow had enough', async () => {
    const { result, model } = await run('gated-exit', {
      respond: ({ index }) => ['no', 'no', 'yes\nOne.\nend'][index] ?? '\\boxed{One}',
    })
    const { seen, steps } = result
    expect(steps).toBe(3)
    expect(seen).toHaveLength(1)
    const shown = model.calls.map(promptOf).join('\n')
    expect(seen?.[0]?.startByte).toBe(0)
    const read = Buffer.from(text).subarray(0, seen?.[0]?.endByte).toString()
    expect(read.match(/q\d+z/g)?.every((id) => shown.includes(id))).toBe(true)
    expect(
      text
        .slice(read.length)
        .match(/q\d+z/g)
        ?.some((id) => shown.includes(id)),
    ).toBe(false)
  })
})

describe('options', () => {
  it('change the budget', async () => {
    const { model } = await run('overwrite:chunk=40,memory=20,output=10')
    const whole = await run('overwrite')
    expect(model.calls.length).toBeGreaterThan(2.5 * whole.model.calls.length)
    expect(model.calls[0]?.options.maxTokens).toBe(20)
    expect(model.calls.at(-1)?.options.maxTokens).toBe(10)
  })

  it('refuse a budget that does not fit the window', async () => {
    const error = await run('overwrite:window=200').catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'reading/budget-exceeds-window' })
  })

  it('change how chunks end', async () => {
    const plain = 'Word after word and so on. '.repeat(120)
    const sections = (calls: readonly Parameters<typeof oracle>[0][]) =>
      calls.flatMap((call) => /<section>\n([\s\S]*)\n<\/section>/.exec(promptOf(call))?.[1] ?? [])
    const exact = sections((await run('overwrite:chunking=exact', { text: plain })).model.calls)
    const natural = sections((await run('overwrite:chunking=natural', { text: plain })).model.calls)
    expect(natural.slice(0, -1).every((section) => /\.\s*$/.test(section))).toBe(true)
    expect(exact.slice(0, -1).every((section) => /\.\s*$/.test(section))).toBe(false)
    expect(exact.join('')).toBe(plain)
  })
})

it('reads the document in one pass', async () => {
  const { counts, result } = await run('overwrite')
  expect(counts).toEqual({ opened: 1, closed: 1 })
  expect(result.answer).toMatchObject({ text: value, outcome: 'found' })
})

it('reports its progress after every step', async () => {
  const shares: number[] = []
  const { result } = await run('overwrite', { request: { onShare: (share) => shares.push(share) } })
  expect(shares).toHaveLength(result.steps)
  expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  const { step, endByte } = result.trace[0]!
  expect(shares[step]).toBe(endByte! / Buffer.byteLength(text))
  expect(shares.at(-1)).toBe(1)
})
