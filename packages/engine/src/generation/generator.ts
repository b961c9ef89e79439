/**
 * Generates responses with a key-value cache. A draft (a text that the response will probably repeat, such as the
 * previous memory) is verified in the pass that reads the prompt: every position is sampled as usual, and the first
 * token that differs from the draft ends it. So the result is that of sampling token by token, at the price of one pass.
 */
import { InferenceSession, Tensor } from 'onnxruntime-node'
import { EngineError } from '../errors.ts'
import { checkWeights, type LlamaConfig, type Weights } from '../models/llama-config.ts'
import { buildInferenceModel, pastName, presentName } from './inference-graph.ts'
import { logprobOf, type SamplingOptions, sampleToken, uniformGenerator } from './sampling.ts'

export interface GenerationRequest {
  readonly promptTokens: readonly number[]
  /** Tokens the response will probably begin with; never changes the result. */
  readonly draftTokens?: readonly number[] | undefined
  readonly maxTokens: number
  /** @default 0, greedy */
  readonly temperature?: number | undefined
  /** @default 1 */
  readonly topP?: number | undefined
  /** @default 0 */
  readonly seed?: number | undefined
  /** A response ends with the first of these, which is part of `tokens`. */
  readonly stopTokens: readonly number[]
  /** @default false */
  readonly logprobs?: boolean | undefined
}

export interface GenerationResult {
  readonly tokens: number[]
  /** Of the sampled tokens under softmax(logits) at temperature 1, as the training graph computes them. */
  readonly logprobs: number[] | undefined
  readonly finishReason: 'stop' | 'length'
  /** How many tokens of the draft were confirmed. */
  readonly acceptedDraftTokens: number
}

export interface GeneratorOptions {
  /** @default 2 */
  readonly threads?: number
}

/** Keys and values of all layers, [1, K, P, E] each. */
type Cache = Record<string, Tensor>

export class Generator {
  readonly config: LlamaConfig
  readonly #session: InferenceSession
  #queue: Promise<unknown> = Promise.resolve()

  private constructor(config: LlamaConfig, session: InferenceSession) {
    this.config = config
    this.#session = session
  }

  /** @throws EngineError when the weights do not fit the config */
  static async create(
    config: LlamaConfig,
    weights: Weights,
    options: GeneratorOptions = {},
  ): Promise<Generator> {
    checkWeights(config, weights)
    const session = await InferenceSession.create(buildInferenceModel(config, weights), {
      intraOpNumThreads: options.threads ?? 2,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
    })
    return new Generator(config, session)
  }

  /** Results in the order of the requests. Calls that overlap wait for each other. An abort throws the signal's reason. */
  generate(requests: readonly GenerationRequest[], signal?: AbortSignal): Promise<GenerationResult[]> {
    const run = this.#queue.then(async () => {
      const results: GenerationResult[] = []
      for (const request of requests) results.push(await this.#respond(request, signal))
      return results
    })
    this.#queue = run.catch(() => undefined)
    return run
  }

  async release(): Promise<void> {
    await this.#queue
    await this.#session.release()
  }

  async #respond(request: GenerationRequest, signal: AbortSignal | undefined): Promise<GenerationResult> {
    this.#check(request)
    signal?.throwIfAborted()
    const { promptTokens, maxTokens, stopTokens } = request
    const sampling: SamplingOptions = { temperature: request.temperature ?? 0, topP: request.topP ?? 1 }
    const uniform = uniformGenerator(request.seed ?? 0)
    const room = this.config.maxPositions - promptTokens.length
    const draft = (request.draftTokens ?? []).slice(0, Math.max(0, Math.min(maxTokens - 1, room)))
    const tokens: number[] = []
    const logprobs: number[] | undefined = request.logprobs ? [] : undefined
    const isStop = (token: number) => stopTokens.includes(token)
    const take = (logits: Float32Array) => {
      const token = sampleToken(logits, sampling, uniform)
      tokens.push(token)
      logprobs?.push(logprobOf(logits, token))
      return token
    }

    let pass = await this.#forward([...promptTokens, ...draft], undefined, promptTokens.length - 1)
    let accepted = 0
    let token = take(pass.logits(0))
    while (
      accepted < draft.length &&
      token === draft[accepted] &&
      !isStop(token) &&
      tokens.length < maxTokens
    ) {
      accepted++
      token = take(pass.logits(accepted))
    }
    const confirmed = accepted < draft.length && token === draft[accepted] ? accepted + 1 : accepted
    let cache = this.#truncate(pass.cache, promptTokens.length + accepted)
    while (!isStop(token) && tokens.length < maxTokens) {
      signal?.throwIfAborted()
      pass = await this.#forward([token], cache, 0)
      cache = pass.cache
      token = take(pass.logits(0))
    }
    return {
      tokens,
      logprobs,
      finishReason: isStop(token) ? 'stop' : 'length',
      acceptedDraftTokens: confirmed,
    }
  }

  /** Logits for the tokens from index `firstRow` on. */
  async #forward(tokens: readonly number[], past: Cache | undefined, firstRow: number) {
    const { keyValueHeads, headDimension, layers, vocabularySize } = this.config
    const pastLength = past ? past[pastName(0, 'key')]!.dims[2]! : 0
    const total = pastLength + tokens.length
    const rows = tokens.length - firstRow
    const feeds: Record<string, Tensor> = {
      tokens: new Tensor('int64', BigInt64Array.from(tokens, BigInt), [tokens.length]),
      rows: new Tensor(
        'int64',
        BigInt64Array.from({ length: rows }, (_, i) => BigInt(firstRow + i)),
        [rows],
      ),
      lastIndex: new Tensor('int32', Int32Array.of(total - 1), [1]),
      totalLength: new Tensor('int32', Int32Array.of(total), []),
    }
    const none = new Tensor('float32', new Float32Array(0), [1, keyValueHeads, 0, headDimension])
    for (let layer = 0; layer < layers; layer++) {
      for (const part of ['key', 'value'] as const)
        feeds[pastName(layer, part)] = past?.[pastName(layer, part)] ?? none
    }
    const outputs = await this.#session.run(feeds)
    const logits = outputs.logits!.data as Float32Array
    const cache: Cache = {}
    for (let layer = 0; layer < layers; layer++) {
      for (const part of ['key', 'value'] as const)
        cache[pastName(layer, part)] = outputs[presentName(layer, part)]!
    }
    return {
      cache,
      logits: (row: number) => logits.subarray(row * vocabularySize, (row + 1) * vocabularySize),
    }
  }

  /** The first `length` positions of a cache. */
  #truncate(cache: Cache, length: number): Cache {
    const { keyValueHeads: heads, headDimension: width } = this.config
    return Object.fromEntries(
      Object.entries(cache).map(([name, tensor]) => {
        const full = tensor.dims[2]!
        if (full === length) return [name, tensor]
        const data = tensor.data as Float32Array
        const kept = new Float32Array(heads * length * width)
        for (let head = 0; head < heads; head++) {
          kept.set(data.subarray(head * full * width, (head * full + length) * width), head * length * width)
        }
        return [name, new Tensor('float32', kept, [1, heads, length, width])]
      }),
    )
  }

  #check({ promptTokens, maxTokens }: GenerationRequest): void {
    const { maxPositions, vocabularySize } = this.config
    const fail = (message: string) => {
      throw new EngineError({ code: 'engine/request', message })
    }
    if (promptTokens.length === 0) fail('The prompt is empty.')
    if (!(maxTokens >= 1)) fail(`maxTokens is ${maxTokens}; at least 1 is needed.`)
    if (promptTokens.length + maxTokens > maxPositions) {
      fail(
        `${promptTokens.length} prompt tokens and ${maxTokens} new ones exceed the model's ${maxPositions} positions.`,
      )
    }
    const wrong = promptTokens.find((token) => !(token >= 0 && token < vocabularySize))
    if (wrong !== undefined) fail(`The prompt has the token ${wrong}, outside 0..${vocabularySize - 1}.`)
  }
}
