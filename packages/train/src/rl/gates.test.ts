/** What gates earn in training: hand-worked values, and readings that earn them. */
import { type ByteRange, createTextDocument, gated, gatedExit, overwrite } from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { addedRewards, sumOfRewards } from './added-rewards/registry.ts'
import { metricReward } from './rewards.ts'
import { stepRewards } from './step-rewards/registry.ts'

const updateGate = stepRewards['update-gate']!
const { exit, format } = addedRewards as {
  readonly [Name in 'exit' | 'format']: (typeof addedRewards)[string]
}
const reader = scriptedReader(beforeAll, afterAll)

/** Each is a chunk; the second and the third hold evidence. */
const text = 'one two three. four five six. seven eight. three two one. six five four.'
const at = (words: string): ByteRange => ({
  startByte: text.indexOf(words),
  endByte: text.indexOf(words) + words.length,
})
const sample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument(text, 'short'),
  references: ['five', 'eight'],
  match: 'all',
  evidence: [at('five'), at('eight')],
  labels: {},
}

const read = (updates: readonly string[], workflow = gatedExit) => {
  let update = 0
  return reader.rollOut(workflow, sample, (prompt) =>
    prompt.includes('<section>') ? updates[update++]! : '\\boxed{five; eight}',
  )
}
const yes = (memory: string, exit = 'continue') => `yes\n${memory}\n${exit}`
const exact = ['no', yes('five'), yes('five; eight', 'end')]
const early = ['no', yes('five', 'end')]
const late = [yes('one'), yes('five'), 'no', 'no\nend']

describe('a rollout', () => {
  it('tells the chunks that were read, the gates, and whether the reading ended early', async () => {
    const { chunks, gates, endedEarly, memories } = await read(exact)
    const pieces = chunks.map(({ startByte, endByte }) => text.slice(startByte, endByte).trim())
    expect(pieces).toEqual(['one two three.', 'four five six.', 'seven eight.'])
    expect(memories).toEqual(['', 'five', 'five; eight'])
    expect(gates.map((gate) => [gate?.update, gate?.exit])).toEqual([
      [false, false],
      [true, false],
      [true, true],
    ])
    expect(endedEarly).toBe(true)
    const whole = await read([...exact, 'no', 'Sure!'], gated)
    expect([whole.endedEarly, whole.chunks.length, whole.gates[4]]).toEqual([false, 5, undefined])
  })
})

describe('the update gate', () => {
  it('earns 1 where it says whether a chunk holds evidence, otherwise -1; malformed responses, too', async () => {
    expect(updateGate(await read(exact), sample)).toEqual([1, 1, 1, 0])
    expect(updateGate(await read(late), sample)).toEqual([-1, 1, -1, 1, 0])
    expect(updateGate(await read(['no', 'five', 'four', 'no', yes('five')]), sample)).toEqual([1, -1, -1, 1, -1, 0]) // biome-ignore format: one case
  })

  it('knows the evidence by the notes of a perfect reader, else by statements, and earns nothing where nobody tells', async () => {
    const rollout = await read(exact)
    const change = (more: Partial<Sample>) => updateGate(rollout, { ...sample, ...more }).slice(0, 3)
    const note = { statement: at('one two'), line: 'fact', text: 'one' }
    expect(change({ notes: [note] })).toEqual([-1, -1, -1])
    expect(change({ notes: [] })).toEqual([1, -1, -1])
    expect(change({ supportingFacts: [at('two three.')] })).toEqual([-1, 1, 1])
    expect(change({ evidence: [] })).toEqual([0, 0, 0])
    // There is known to be no evidence.
    expect(change({ evidence: [], references: [] })).toEqual([1, -1, -1])
  })

  it('is the gate of every chunk that a statement lies in', async () => {
    const evidence = [{ startByte: text.indexOf('six'), endByte: text.indexOf('eight') }]
    expect(updateGate(await read(exact), { ...sample, evidence })).toEqual([1, 1, 1, 0])
  })

  it('is an error of the configuration where a workflow has none', async () => {
    const rollout = await reader.rollOut(overwrite, sample, () => 'five')
    expect(() => updateGate(rollout, sample)).toThrow(
      'reward.steps.name is update-gate, but the workflow has no gates.',
    )
  })
})

describe('the exit', () => {
  const whole = ['no', yes('five'), yes('five; eight'), 'no', 'no']

  it.each([
    ['before the last evidence', early, -0.75],
    ['with it', exact, 0],
    ['after it', late, -0.5],
    ['never', whole, -0.5],
  ])('%s', async (_, updates, earned) => {
    expect(exit(await read(updates), sample, 1)).toBe(earned)
  })

  it('is right at the end of a text without evidence, and where the last chunk has it', async () => {
    const none = { ...sample, evidence: [], references: [] }
    expect(exit(await read(exact), none, 1)).toBe(-0.75)
    expect(exit(await read(whole), none, 1)).toBe(0)
    expect(exit(await read(whole), { ...sample, evidence: [at('four.')] }, 1)).toBe(0)
    // The task does not tell its evidence.
    expect(exit(await read(exact), { ...sample, evidence: [] }, 1)).toBe(0)
  })
})

it('the format earns 1 where all of a rollout has its form', async () => {
  expect(format(await read(exact), sample, 1)).toBe(1)
  expect(format(await read(['no', 'five', 'no', 'no', 'no']), sample, 1)).toBe(0)
  expect(format({ ...(await read(exact)), isBoxed: false }, sample, 1)).toBe(0)
})

it('adds up with the reward for the answer', async () => {
  const reward = sumOfRewards(metricReward('strict'), [exit, format])
  const earned = async (updates: readonly string[], strict: number) =>
    reward({ ...(await read(updates)), metrics: { strict } }, sample)
  // Answer, exit and format: 1 + 0 + 1, 0 - 0.5 + 1, 0 - 0.75 + 1.
  expect([await earned(exact, 1), await earned(late, 0), await earned(early, 0)]).toEqual([2, 0.5, 0.25])
})
