/** Rollouts with scripted responses, for tests of their rewards. */
import type { Json, ModelProfile, Workflow } from '@memagent/core'
import { parseProfile } from '@memagent/core/settings'
import { type Hook, type TemporaryFolder, temporaryFolder } from '@memagent/core/testing'
import { loadModelFolder } from '@memagent/engine'
import { type Sample, scoreAnswer, type Task } from '@memagent/tasks'
import { createReaderTokens, type ReaderTokens } from '../rl/reader-tokens.ts'
import { type Rollout, rollOut } from '../rl/rollout.ts'
import { writeTinyReader } from './tiny-reader.ts'

export interface ScriptedReader {
  /** Has the tiny reader in `model`. */
  readonly folder: TemporaryFolder
  readonly tokens: ReaderTokens
  /** @param respond answers a prompt, with its template; a `cut` response ended at its limit */
  rollOut<State extends Json>(
    workflow: Workflow<State>,
    sample: Sample,
    respond: (prompt: string) => string | { readonly cut: string },
    score?: Task['score'],
  ): Promise<Rollout>
}

/** With prompts for small models, and chunks of a sentence. @param before `beforeAll` of the runner, as `after` is `afterAll` */
export function scriptedReader(
  before: Hook,
  after: Hook,
  budget = { window: 512, question: 16, chunk: 12, memory: 24, output: 64 },
): ScriptedReader {
  const folder = temporaryFolder(before, after)
  let tokens: ReaderTokens
  let profile: ModelProfile
  before(async () => {
    const model = await loadModelFolder(await writeTinyReader(folder.join('model'), { budget }))
    tokens = createReaderTokens(model.tokenizerJson, model.tokenizerConfig, 'tiny')
    profile = { ...parseProfile(model.profile!), prompts: 'compact' }
  })
  return {
    folder,
    get tokens() {
      return tokens
    },
    rollOut: (workflow, sample, respond, score = scoreAnswer) =>
      rollOut({
        task: { name: 'one', sample: async () => sample, score },
        tokens,
        profile,
        sample,
        workflow: workflow as unknown as Workflow<Json>,
        sampling: { temperature: 1, topP: 1, seed: 1 },
        policy: {
          async sample({ promptTokens }) {
            const response = respond(tokens.tokenizer.decode([...promptTokens]))
            const isWhole = typeof response === 'string'
            const written = tokens.tokenizer.encode(isWhole ? response : response.cut)
            const sampled = isWhole ? [...written, tokens.endToken] : written
            const logprobs = new Float32Array(sampled.length)
            return { tokens: sampled, logprobs, stopReason: isWhole ? 'stop' : 'length' }
          },
        },
      }),
  }
}
