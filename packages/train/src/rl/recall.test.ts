/** What recalling old memories earns in training: hand-worked values, and readings that earn them. */
import { createTextDocument, overwrite, recall } from '@memagent/core'
import type { Sample } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scriptedReader } from '../testing/scripted-rollout.ts'
import { stepRewards } from './step-rewards/registry.ts'

const reward = stepRewards.recall!
const reader = scriptedReader(beforeAll, afterAll)

/** Each sentence is a chunk. */
const text = 'one two three. four five six. seven eight. three two one. six five four.'
const sample: Sample = {
  id: 'one',
  question: 'what',
  document: createTextDocument(text, 'short'),
  references: ['one', 'four'],
  match: 'all',
  evidence: [],
  labels: {},
}

const shown: string[] = []
const read = (updates: readonly string[], answer = 'one; four') => {
  let update = 0
  shown.length = 0
  return reader.rollOut(recall, sample, (prompt) => {
    shown.push(/<recalled>\s*(.*?)<\/recalled>/s.exec(prompt)![1]!)
    return prompt.includes('<section>') ? updates[update++]! : `\\boxed{${answer}}`
  })
}
const rewrite = (memory: string, query?: string) =>
  `<update>${memory}</update>${query === undefined ? '' : `<recall>${query}</recall>`}`

/** Finds one reference, overwrites it with the other, looks up the first, breaks the form, and notes both. */
const looking = [rewrite('one'), rewrite('four'), rewrite('four', 'one'), 'four', rewrite('one four')]
/** Loses the first reference for good. */
const forgetting = [rewrite('one'), rewrite('four'), rewrite('four', 'six'), rewrite('four'), rewrite('four')]

describe('the step reward of recall', () => {
  it('is what the memory gains or loses, what the recalled one has besides, and -1 without the form', async () => {
    const rollout = await read(looking)
    expect(shown).toEqual(['nothing', 'nothing', 'nothing', 'one', 'one', 'nothing'])
    expect(rollout.recalls.map((one) => [one?.query, one?.memory])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      ['one', 'one'],
      // Still shown, but looked up before.
      [undefined, 'one'],
      [undefined, undefined],
    ])
    // +1/2; -1/2 + 1/2; 0 and the recalled half; malformed; +1/2; the answer.
    expect(reward(rollout, sample)).toEqual([0.5, 0, 0.5, -1, 0.5, 0])
    expect(reward(await read(forgetting), sample)).toEqual([0.5, 0, 0, 0, 0, 0])
  })

  it('counts one spelling for the whole where any of the references answers', async () => {
    const either = { ...sample, match: 'any' } as const
    expect(reward(await read(looking), either)).toEqual([1, 0, 0, -1, 0, 0])
    expect(
      reward(await read(['one', 'four', 'six', 'four', 'four'].map((word) => rewrite(word))), either),
    ).toEqual([1, 0, -1, 1, 0, 0])
  })

  it('does not find the letter of a choice', async () => {
    const choice = { ...sample, id: 'longbench-v2/one', references: ['A', 'four'], match: 'any' } as const
    const rewrites = ['a', 'a', 'a four', 'a', 'a'].map((word) => rewrite(word))
    expect(reward(await read(rewrites), choice)).toEqual([0, 0, 1, -1, 0, 0])
  })

  it('is nothing for a memory that is recalled and has no more', async () => {
    const again = [
      rewrite('one four'),
      rewrite('four'),
      rewrite('four one', 'four'),
      ...Array(2).fill(rewrite('one four')),
    ]
    // The first memory comes back while the new one has all of it.
    expect(reward(await read(again), sample)).toEqual([1, -0.5, 0.5, 0, 0, 0])
    expect(reward(await read(looking), { ...sample, references: [] })).toEqual([0, 0, 0, -1, 0, 0])
  })

  it('is an error of the configuration where a workflow recalls nothing', async () => {
    const rollout = await reader.rollOut(overwrite, sample, () => 'five')
    expect(() => reward(rollout, sample)).toThrow('the workflow recalls no memories')
  })
})
