import { documentFromText } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import type { Rollout } from './rollout.ts'
import type { RolloutGroup } from './rollout-batch.ts'
import { stepRewards } from './step-rewards.ts'
import { splitIntoUpdates, trainingConversations } from './training-conversations.ts'

const sample = {
  id: 'one',
  question: 'Where?',
  document: documentFromText('text'),
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
    response: { tokens: [tokens], logprobs: Float32Array.of(-1), stopReason: 'stop' },
    maxTokens: 8,
  })),
  answer: memories.at(-1),
  memories,
  keptMemories: 0,
  metrics: { strict: 0 },
})
const group: RolloutGroup = {
  index: 5,
  sample,
  lengthTokens: 10,
  rollouts: [rollout(1, ['Bremen', 'Bremen']), rollout(2, ['Bremen', 'Kiel'])],
  rewards: [1, 0],
}

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

  it('adds rewards of single steps', () => {
    // Both bring the reference in at step 0; at step 1 one loses it: rewards [1, 0, 0] and [1, -1, 0].
    expect(stepRewards['memory-recall'](group.rollouts[1]!, sample)).toEqual([1, -1, 0])
    const advantages = trainingConversations([group], {
      credit: 'all',
      steps: { name: 'memory-recall', alpha: 0.8 },
    }).map(({ advantage }) => advantage)
    const expected = [0.4, 0.4 + 0.2 * 0.5, 0.4, -0.4, -0.4 - 0.2 * 0.5, -0.4]
    advantages.forEach((advantage, i) => {
      expect(advantage).toBeCloseTo(expected[i]!, 12)
    })
  })
})

describe('splitIntoUpdates', () => {
  it('loses and doubles nothing, in nearly equal parts, the same way every time', () => {
    const items = Array.from({ length: 23 }, (_, i) => i)
    const parts = splitIntoUpdates(items, 4, 9)
    expect(parts.flat().sort((a, b) => a - b)).toEqual(items)
    expect(parts.map(({ length }) => length)).toEqual([6, 6, 5, 6])
    expect(splitIntoUpdates(items, 4, 9)).toEqual(parts)
    expect(splitIntoUpdates(items, 1, 9)).toEqual([items])
    expect(splitIntoUpdates([1, 2], 4, 9).flat().sort()).toEqual([1, 2])
  })
})
