/** Samples from one sampling session: frozen weights on the server, addressed by the session's own numbers. */
import type { SampledResponse, SampleRequest, TokenSequence } from '../policy/policy.ts'
import { checkSequences } from './datum.ts'
import { protocolError, repeatingHarmless, TinkerError, TinkerHttpError } from './errors.ts'
import { decodeSample } from './protobuf-messages.ts'
import type { SampleGate } from './sample-gate.ts'
import type { TinkerSession } from './session.ts'
import { jsonBody, type RequestBody, retryAfterMsOf } from './transport.ts'
import {
  encodedText,
  futureSchema,
  type SampleOutput,
  type SamplingParameters,
  sampleSchema,
} from './wire.ts'

const path = '/api/v1/asample'
/** Larger prompts pause longer when the server has no room for them. */
const smallBytes = 128 * 1024

export class Sampler {
  readonly #sessionId: string
  readonly #session: TinkerSession
  readonly #gate: SampleGate
  #nextSeqId = 0

  constructor(session: TinkerSession, samplingSessionId: string, gate: SampleGate) {
    this.#session = session
    this.#sessionId = samplingSessionId
    this.#gate = gate
  }

  /** @throws TinkerError if the response has no log-probabilities or no tokens */
  async sample(request: SampleRequest, signal?: AbortSignal): Promise<SampledResponse> {
    const { promptTokens, stopTokens } = request
    const output = await this.#ask(
      promptTokens,
      {
        max_tokens: request.maxTokens,
        temperature: request.temperature,
        top_p: request.topP,
        top_k: -1,
        seed: seedOf(request.seed),
        ...(stopTokens.length > 0 ? { stop: stopTokens } : {}),
      },
      false,
      signal,
    )
    const sequence = output.sequences[0]
    if (!sequence) throw protocolError('The server returned no sample for a request for one.')
    const { tokens } = sequence
    if (tokens.length === 0) {
      throw protocolError('The server returned an empty response; it should include the stop token.')
    }
    const stopReason = sequence.stop_reason
    // Servers define log-probabilities only for samples at temperature 1 and top-p 1.
    if (request.temperature !== 1 || request.topP !== 1) return { tokens, logprobs: undefined, stopReason }
    if (sequence.logprobs?.length !== tokens.length) {
      throw protocolError(
        `The server gave ${sequence.logprobs?.length ?? 'no'} log-probabilities for ${tokens.length} sampled tokens.`,
      )
    }
    return { tokens, logprobs: finite(sequence.logprobs, 'a sampled token'), stopReason }
  }

  /** Log-probabilities of every sequence's response tokens, read as a prompt. */
  async logprobs(sequences: readonly TokenSequence[], signal?: AbortSignal): Promise<Float32Array[]> {
    checkSequences(sequences)
    return Promise.all(
      sequences.map(async ({ promptTokens, responseTokens }) => {
        const tokens = [...promptTokens, ...responseTokens]
        const one = { max_tokens: 1, temperature: 1, top_p: 1, top_k: -1, seed: 0 }
        const { prompt_logprobs } = await this.#ask(tokens, one, true, signal)
        const all = promptLogprobs(prompt_logprobs ?? [], tokens.length)
        return finite(all.slice(promptTokens.length - 1), 'a token of the prompt')
      }),
    )
  }

  #ask(
    tokens: readonly number[],
    parameters: SamplingParameters,
    wantsPromptLogprobs: boolean,
    signal: AbortSignal | undefined,
  ): Promise<SampleOutput> {
    const attempt = async (): Promise<SampleOutput> => {
      const body = jsonBody({
        sampling_session_id: this.#sessionId,
        seq_id: this.#nextSeqId++,
        num_samples: 1,
        prompt: encodedText(tokens),
        sampling_params: parameters,
        ...(wantsPromptLogprobs ? { prompt_logprobs: true } : {}),
        type: 'sample',
      })
      const requestId = await this.#submit(body, signal)
      const decode = this.#session.profile.wire === 'proto' ? decodeSample : undefined
      const call = { path, body, schema: sampleSchema, decode, signal }
      return this.#session.await(call, requestId)
    }
    return this.#gate.run(() => repeatingHarmless(attempt), signal)
  }

  /** Retries after a pause if the server has no room for the request. */
  async #submit(body: RequestBody, signal: AbortSignal | undefined): Promise<string> {
    const { effects } = this.#session.transport
    const pauseMs = body.content.length <= smallBytes ? 1000 : 5000
    let refusedSince: number | undefined
    for (;;) {
      try {
        const options = {
          headers: { 'x-tinker-sampling-backpressure': '1' },
          retriesConflicts: true,
          gives: [429],
          signal,
        }
        return (await this.#session.transport.post(path, body, futureSchema, options)).request_id
      } catch (error) {
        if (!(error instanceof TinkerHttpError) || error.details.status !== 429) throw error
        this.#gate.throttle()
        refusedSince ??= effects.now()
        this.#session.refusals.refused('samples', refusedSince)
        await effects.sleep(retryAfterMsOf(error) ?? pauseMs, signal)
      }
    }
  }
}

/**
 * Log-probabilities of the prompt's tokens except the first, which has no context: some servers omit it, others return no
 * number for it.
 * @throws TinkerError for any other length
 */
export function promptLogprobs<T>(values: readonly T[], promptLength: number): readonly T[] {
  if (values.length === promptLength) return values.slice(1)
  if (values.length === promptLength - 1) return values
  throw protocolError(
    `A prompt of ${promptLength} tokens has ${promptLength} or ${promptLength - 1} log-probabilities, and the server gave ${values.length}.`,
  )
}

function finite(values: readonly (number | null)[], what: string): Float32Array {
  const at = values.findIndex((value) => value === null || !Number.isFinite(value))
  if (at < 0) return Float32Array.from(values as number[])
  throw new TinkerError({
    code: 'tinker/not-finite',
    message: `The server gave ${values[at]} as the log-probability of ${what} (number ${at}).`,
    hint: 'The weights may have been destroyed, or the server does not compute log-probabilities.',
  })
}

/** Servers take seeds of 31 bits without complaint. */
const seedOf = (seed: number): number => ((Math.trunc(seed) % 2 ** 31) + 2 ** 31) % 2 ** 31
