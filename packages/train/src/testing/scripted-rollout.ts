/** Rollouts with scripted responses, for tests of their rewards. */
import type { Json, ModelProfile, Workflow } from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import { loadModelFolder } from '@memagent/engine'
import { type Sample, scoreAnswer } from '@memagent/tasks'
import { createReaderTokens, type ReaderTokens } from '../rl/reader-tokens.ts'
import { type Rollout, rollOut } from '../rl/rollout.ts'
import { writeTinyReader } from './tiny-reader.ts'

export interface ScriptedReader {
  readonly tokens: ReaderTokens
  readonly profile: ModelProfile
}

/** With prompts for small models, and chunks of a sentence. */
export async function createScriptedReader(folder: string): Promise<ScriptedReader> {
  const budget = { window: 512, question: 16, chunk: 12, memory: 24, output: 64 }
  const model = await loadModelFolder(await writeTinyReader(folder, { budget }))
  const tokens = createReaderTokens(model.tokenizerJson, model.tokenizerConfig, 'tiny')
  return { tokens, profile: { ...parseProfile(model.profile!), prompts: 'compact' } }
}

/** @param respond answers a prompt, with its template */
export function scriptedRollout<State extends Json>(
  { tokens, profile }: ScriptedReader,
  workflow: Workflow<State>,
  sample: Sample,
  respond: (prompt: string) => string,
): Promise<Rollout> {
  return rollOut({
    task: { name: 'one', sample: async () => sample, score: scoreAnswer },
    tokens,
    profile,
    sample,
    workflow: workflow as unknown as Workflow<Json>,
    sampling: { temperature: 1, topP: 1, seed: 1 },
    policy: {
      async sample({ promptTokens }) {
        const text = respond(tokens.tokenizer.decode([...promptTokens]))
        const written = [...tokens.tokenizer.encode(text), tokens.endToken]
        return { tokens: written, logprobs: new Float32Array(written.length), stopReason: 'stop' }
      },
    },
  })
}
