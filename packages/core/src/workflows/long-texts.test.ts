/** Every workflow reads 3.5 million tokens with a server of 8,192, and is killed and resumed on the way. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { type ModelProfile, paperProfile, withBudget } from '../chat/profile.ts'
import { hashOf } from '../reading/text-hash.ts'
import { workflowNamed, workflowNames } from './registry.ts'
import { gateAnswer } from './testing/careful-model.ts'
import { gates, type LongReading, readLongText } from './testing/long-reading.ts'

const tokens = 3_500_000
const rightAnswer = { text: gateAnswer(Object.values(gates)), outcome: 'found' }

/** Workflows that show several memories have less room for the chunk. */
const profiles: Readonly<Record<string, ModelProfile>> = {
  recall: withBudget(paperProfile, { chunk: 4700 }),
}

/** Chunks end at paragraphs, so they are not full. */
const mostChunks = (chunk: number) => Math.ceil(tokens / ((2 / 3) * chunk))

/** The warnings of a workflow; none for the others. */
const warnings: Readonly<Record<string, readonly string[]>> = {
  'gated-exit': ['ended-early'],
  skim: ['passed-over'],
  'skim-edits': ['passed-over'],
}

const readsForLittle = ({ calls, answer }: LongReading) => {
  expect(calls).toBe(answer.steps + 1)
  expect(answer.usage.completionTokens).toBeLessThan(2 * answer.steps)
}

const readsLittle = ({ answer }: LongReading) => {
  expect(answer.steps).toBeLessThanOrEqual(24)
  expect(answer.unread?.share).toBeGreaterThan(0.95)
}

/** What else a workflow guarantees for a whole reading. */
const promises: Readonly<Record<string, (whole: LongReading) => void>> = {
  edits: readsForLittle,
  gated: readsForLittle,
  skim: readsLittle,
  'skim-edits': readsLittle,
  'gated-exit': (whole) => {
    readsForLittle(whole)
    // The last fact is at four fifths of the text.
    expect(whole.answer.unread?.share).toBeCloseTo(0.2, 2)
  },
  recall: ({ calls, answer }) => expect(calls).toBe(answer.steps + 1),
  // Three facts, each asked about in three more orders.
  'edits-confirmed': ({ calls, answer }) => expect(calls).toBe(answer.steps + 1 + 3 * 3),
  // A merge after the first pass, and a second pass without news.
  parallel: ({ calls, answer }) => expect(calls).toBe(answer.steps + 2),
}

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
const heapMiB = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed / 2 ** 20
}

describe.each(workflowNames)('%s, over 3.5 million tokens', (name) => {
  const profile = profiles[name] ?? paperProfile
  let whole: LongReading

  it('answers with constant memory and a call for each chunk at most as announced', async () => {
    const workflow = await workflowNamed(name)
    const heap: number[] = []
    let chunks = 0
    whole = await readLongText({
      workflow,
      tokens,
      profile,
      onEvent: ({ type }) => {
        if (type === 'chunk-end' && chunks++ % 200 === 0) heap.push(heapMiB())
      },
    })
    expect(whole.answer.answer).toMatchObject(rightAnswer)
    expect(whole.answer.warnings.map(({ code }) => code)).toEqual(warnings[name] ?? [])
    expect(whole).toMatchObject({ rejected: 0, paidTwice: 0, calls: whole.answer.usage.calls })
    expect(whole.answer.steps).toBeLessThanOrEqual(mostChunks(profile.budget.chunk) * (workflow.passes ?? 1))
    expect(whole.calls).toBeLessThanOrEqual(whole.answer.steps * (workflow.callsPerChunk ?? 1) + 1)
    // The text has 14 MB.
    expect(Math.max(...heap) - heap[0]!).toBeLessThan(4)
    promises[name]?.(whole)
  })

  it('ends the same when it is killed ten times, and pays for no call twice but those in flight', async () => {
    const share = (i: number) => Number.parseInt(hashOf(`${name} ${i}`).slice(0, 8), 16) / 2 ** 32
    const killAt = Array.from({ length: 10 }, (_, i) => Math.floor(((i + share(i)) / 10) * whole.calls))
    const killed = await readLongText({ workflow: await workflowNamed(name), tokens, profile, killAt })
    const { seconds, ...ending } = killed.answer
    expect(ending).toEqual({ ...whole.answer, seconds: undefined })
    expect(killed).toMatchObject({ kills: new Set(killAt).size, rejected: 0, paidTwice: 0 })
    expect(killed.calls).toBe(whole.calls + killed.inFlight)
  })
})

it('parallel ends the same at any concurrency', async () => {
  const workflow = await workflowNamed('parallel')
  const [one, many] = [1, 16].map((concurrency) => readLongText({ workflow, tokens: 200_000, concurrency }))
  const { seconds, ...ending } = (await many!).answer
  expect(ending).toEqual({ ...(await one!).answer, seconds: undefined })
  expect(ending.answer).toMatchObject(rightAnswer)
})
