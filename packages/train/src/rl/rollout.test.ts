import { documentFromText, type Json, overwrite, type Workflow } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder, parseProfile } from '@memagent/engine'
import type { Sample, Task } from '@memagent/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeTinyReader } from '../testing/tiny-reader.ts'
import { createReaderTokens } from './policy-chat-model.ts'
import { rollOut } from './rollout.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('a policy that never says anything is rewarded as one that finds no answer', async () => {
  const { tokenizerJson, tokenizerConfig, profile } = await loadModelFolder(await makeTinyReader(folder.path))
  const tokens = createReaderTokens(tokenizerJson, tokenizerConfig, 'tiny')
  const sample: Sample = {
    id: 'one',
    question: 'what',
    document: documentFromText('one two three. four five six.', 'short'),
    references: ['one'],
    match: 'any',
    evidence: [],
    labels: {},
  }
  const task: Task = {
    name: 'silence',
    sample: async () => sample,
    score: (_, answer) => ({ strict: answer === undefined ? 0 : 1 }),
  }
  const { answer, keptMemories, memories, metrics } = await rollOut({
    task,
    sample,
    tokens,
    workflow: overwrite as unknown as Workflow<Json>,
    profile: parseProfile(profile!),
    sampleTokens: async () => ({
      tokens: [tokens.endToken],
      logprobs: Float32Array.of(0),
      stopReason: 'stop',
    }),
    temperature: 1,
    topP: 1,
    seed: 1,
  })
  expect(keptMemories).toBeGreaterThan(0)
  expect({ answer, kept: keptMemories, metrics }).toEqual({
    answer: undefined,
    kept: memories.length,
    metrics: { strict: 0 },
  })
})
