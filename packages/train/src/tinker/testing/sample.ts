/** The test server's answer to `asample`: sequences, and the prompt's log-probabilities in the server's own form. */
import type { ServerBehaviour } from './server-behaviour.ts'
import { JobFailure, type ServerEngine } from './server-engine.ts'

export interface SamplingFields {
  readonly max_tokens?: number
  readonly temperature?: number
  readonly top_p?: number
  readonly seed?: number
  readonly stop?: readonly number[]
}

/** @throws JobFailure for what the back end cannot do */
export async function sample(
  engine: ServerEngine,
  behaviour: ServerBehaviour,
  samplerId: string,
  body: Readonly<Record<string, unknown>>,
  parameters: SamplingFields,
) {
  if (body.topk_prompt_logprobs)
    throw new JobFailure('topk_prompt_logprobs is not supported by the JAX backend')
  const { chunks } = body.prompt as { chunks: readonly { tokens: readonly number[] }[] }
  const promptTokens = chunks.flatMap(({ tokens }) => tokens)
  const { max_tokens = 1, temperature = 1, top_p = 1, seed = 0, stop = [] } = parameters
  const sampler = engine.sampler(samplerId)
  const sequences = []
  for (let n = 0; n < Number(body.num_samples ?? 1); n++) {
    const request = {
      promptTokens,
      maxTokens: max_tokens,
      temperature,
      topP: top_p,
      seed: seed + n,
      stopTokens: stop,
    }
    const { tokens, logprobs, finishReason } = await sampler.sample(request)
    // For the sampled distribution: a greedy choice has probability one.
    const own = temperature === 0 ? tokens.map(() => 0) : logprobs
    const shown = { true: own, zeros: tokens.map(() => 0), none: null }[behaviour.sampledLogprobs]
    sequences.push({ stop_reason: finishReason, tokens, logprobs: shown ?? null })
  }
  const prompt_logprobs = body.prompt_logprobs ? await shownPromptLogprobs() : null
  return { sequences, prompt_logprobs, topk_prompt_logprobs: null }

  async function shownPromptLogprobs(): Promise<(number | null)[]> {
    const own = await sampler.promptLogprobs(promptTokens)
    switch (behaviour.promptLogprobs) {
      case 'short':
        return own
      case 'full':
        return [null, ...own]
      case 'shifted':
        return [...own.slice(1), -1]
      case 'wrong-length':
        return own.slice(1)
    }
  }
}
