import { createTextDocument } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { batchLoss } from './batch-loss.ts'
import type { Rollout } from './rollout.ts'
import type { RolloutGroup } from './rollout-batch.ts'
import { stepRewards } from './step-rewards/registry.ts'
import { isInstructive, splitIntoUpdates, trainingConversations } from './training-conversations.ts'

const sample = {
  id: 'one',
  question: 'Where?',
  document: createTextDocument('text'),
  references: ['Bremen'],
  match: 'any',
  evidence: [],
  labels: {},
} as const

/** Two rewrites and an answer; `tokens` names the rollout. */
const rollout = (tokens: number, memories: readonly string[]): Rollout => ({
  conversations: ['update', 'update', 'answer'].map((kind, step) => ({
    tag: { step, kind },
    promptTokens: [tokens, step],
    responseTokens: [tokens],
    logprobs: Float32Array.of(-1),
    maxTokens: 8,
    isCut: false,
  })),
  answer: memories.at(-1),
  isBoxed: true,
  memories,
  gates: [],
  recalls: [],
  chunks: [],
  endedEarly: false,
  passes: { read: 1, most: 1 },
  keptMemories: 0,
  metrics: { strict: 0 },
})
const group: RolloutGroup = {
  index: 5,
  sample,
  lengthTokens: 10,
  rollouts: [rollout(1, ['Bremen', 'Bremen']), rollout(2, ['Bremen', 'Kiel'])],
  earned: [1, 0],
  rewards: [1, 0],
}

const steps = { reward: stepRewards['memory-recall']!, alpha: 0.8 }
const earning = (...rewards: number[]) => ({ earned: rewards, rewards })

describe('trainingConversations', () => {
  it('credits every conversation of a rollout with its advantage', () => {
    const conversations = trainingConversations([group], { credit: 'all' })
    expect(conversations.map(({ rollout: name, advantage }) => [name, advantage])).toEqual([
      ['5/0', 0.5],
      ['5/0', 0.5],
      ['5/0', 0.5],
      ['5/1', -0.5],
      ['5/1', -0.5],
      ['5/1', -0.5],
    ])
    expect(
      trainingConversations([group], { credit: 'final' }).map(({ advantage }) => Math.abs(advantage)),
    ).toEqual([0, 0, 0.5, 0, 0, 0.5])
  })

  it('divides by the tokens of all conversations, whichever of them are credited', () => {
    const gradientsOf = (credit: 'all' | 'final', klCoefficient: number) => {
      const conversations = trainingConversations([group], { credit }).map((conversation) => ({
        ...conversation,
        referenceLogprobs: Float32Array.of(-2),
      }))
      const present = conversations.map(({ logprobs }) => logprobs)
      const options = { clipLow: 0.2, clipHigh: 0.2, klCoefficient, aggregation: 'token-mean' } as const
      return batchLoss(conversations, present, options).gradients.map(([gradient]) => gradient!)
    }
    // One token each: two rewrites and the answer, of the better rollout and of the other. T = 6 either way.
    const [share, kl] = [0.5 / 6, (0.1 * (1 - Math.exp(-1))) / 6]
    const expected = {
      all: [-share, -share, -share, share, share, share],
      final: [0, 0, -share, 0, 0, share],
    }
    for (const credit of ['all', 'final'] as const) {
      for (const klCoefficient of [0, 0.1]) {
        const gradients = gradientsOf(credit, klCoefficient)
        expected[credit].forEach((gradient, i) => {
          // Uncredited conversations still stay near the reference.
          expect(gradients[i]).toBeCloseTo(gradient + (klCoefficient > 0 ? kl : 0), 7)
        })
      }
    }
  })

  it('without a baseline gives the gradient of the log-likelihood of right rollouts, and of nothing else', () => {
    // The right rollout has responses of 2, 1 and 3 tokens, the wrong one of 1, 1 and 4: T = 12.
    const of = (lengths: readonly number[], member: number) => ({
      ...group.rollouts[member]!,
      conversations: group.rollouts[member]!.conversations.map((one, i) => ({
        ...one,
        responseTokens: Array<number>(lengths[i]!).fill(7),
        logprobs: new Float32Array(lengths[i]!).fill(-0.5 - i),
      })),
    })
    const pair = { ...group, rollouts: [of([2, 1, 3], 0), of([1, 1, 4], 1)] }
    const conversations = trainingConversations([pair], { credit: 'all', baseline: 'none' })
    expect(conversations.map(({ advantage }) => advantage)).toEqual([1, 1, 1, 0, 0, 0])
    const options = { clipLow: 0.2, clipHigh: 0.28, klCoefficient: 0, aggregation: 'token-mean' } as const
    const gradientsAt = (logprobs: readonly Float32Array[]) =>
      batchLoss(conversations, logprobs, options).gradients.map((gradient) => [...gradient])
    const share = Math.fround(-1 / 12)
    const likelihood = [[share, share], [share], [share, share, share], [0], [0], [0, 0, 0, 0]]
    // d(-1/12 * sum of log p) / d log p, whatever the probabilities are.
    expect(
      gradientsAt(conversations.map(({ logprobs }) => logprobs)).map((row) => row.map((x) => x + 0)),
    ).toEqual(likelihood)
  })

  it('adds rewards of single steps', () => {
    // Both bring the reference in at step 0; at step 1 one loses it: rewards [1, 0, 0] and [1, -1, 0].
    expect(stepRewards['memory-recall']!(group.rollouts[1]!, sample)).toEqual([1, -1, 0])
    const advantages = trainingConversations([group], {
      credit: 'all',
      steps,
    }).map(({ advantage }) => advantage)
    const expected = [0.4, 0.4 + 0.2 * 0.5, 0.4, -0.4, -0.4 - 0.2 * 0.5, -0.4]
    advantages.forEach((advantage, i) => {
      expect(advantage).toBeCloseTo(expected[i]!, 12)
    })
  })
})

describe('stepwise rewards', () => {
  it('compare an answer with answers, and a rewrite with rewrites, where readings differ in length', () => {
    // The second read one chunk more: its second rewrite is at the position of the first one's answer.
    const early = rollout(1, ['Kiel'])
    const short = { ...early, conversations: early.conversations.filter((_, i) => i !== 1) }
    const pair = { ...group, rollouts: [short, rollout(2, ['Kiel', 'Bremen'])], ...earning(0, 0) }
    const advantages = trainingConversations([pair], { credit: 'all', steps }).map(
      ({ advantage }) => advantage,
    )
    // The rewrite that found the reference is alone at its step, with none to compare with.
    expect(advantages).toEqual([0, 0, 0, 0, 0])
  })

  it('are a signal where all answers earned the same', () => {
    const same = { ...group, ...earning(0, 0) }
    expect(isInstructive(same, { credit: 'all', steps })).toBe(true)
    expect(isInstructive(same, { credit: 'all' })).toBe(false)
    // Only the rewrites differ, and they get no credit.
    expect(isInstructive(same, { credit: 'final', steps })).toBe(false)
    const alike = { ...same, rollouts: [group.rollouts[0]!, rollout(3, ['Bremen', 'Bremen'])] }
    expect(isInstructive(alike, { credit: 'all', steps })).toBe(false)
    expect(isInstructive({ ...alike, ...earning(1, 0) }, { credit: 'all', steps })).toBe(true)
  })
})

describe('isInstructive', () => {
  it('asks whether answers earned differently, not whether responses were overlong', () => {
    const punished = { rewards: [1, 0.6] }
    const allRight = { ...group, ...punished, earned: [1, 1] }
    expect(isInstructive(allRight, { credit: 'all' })).toBe(false)
    // If the group is learned from anyway, the punishment counts.
    expect(trainingConversations([allRight], { credit: 'all' })[0]!.advantage).toBeCloseTo(0.2, 12)
    // Nor does a punishment that makes up for a right answer hide one.
    expect(isInstructive({ ...group, earned: [1, 0], rewards: [0, 0] }, { credit: 'all' })).toBe(true)
    const alike = { ...allRight, rollouts: [group.rollouts[0]!, rollout(3, ['Bremen', 'Bremen'])] }
    expect(isInstructive(alike, { credit: 'all', steps })).toBe(false)
  })
})

describe('splitIntoUpdates', () => {
  it('splits into nearly equal parts, without loss or duplicates, deterministically', () => {
    const items = Array.from({ length: 23 }, (_, i) => i)
    const parts = splitIntoUpdates(items, 4, 9)
    expect(parts.flat().sort((a, b) => a - b)).toEqual(items)
    expect(parts.map(({ length }) => length)).toEqual([6, 6, 5, 6])
    expect(splitIntoUpdates(items, 4, 9)).toEqual(parts)
    expect(splitIntoUpdates(items, 1, 9)).toEqual([items])
    expect(splitIntoUpdates([1, 2], 4, 9).flat().sort()).toEqual([1, 2])
  })
})
