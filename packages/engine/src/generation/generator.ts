/**
 * Generates responses with a key-value cache, many at a time: overlapping calls share passes and steps. A draft (a text
 * that the response will probably repeat, such as the previous memory) is verified in the pass that reads the prompt, so
 * a memory that does not change costs one pass.
 */

import { EngineError } from '../errors.ts'
import { checkWeights, type LlamaConfig, type Weights } from '../models/llama-config.ts'
import { createSession, type InferenceSession } from '../onnx/runtime.ts'
import { checkGeneratorOptions } from './check-options.ts'
import type { DecodeBatch, DecodeSessions } from './decode.ts'
import { createDecodeModel } from './decode-graph.ts'
import { blockCount, type Precision } from './decoder-parts.ts'
import { readFamily } from './extend.ts'
import { createExtendModel } from './extend-graph.ts'
import { type Family, findFamilies } from './families.ts'
import { FloatPool } from './float-pool.ts'
import type { Growing } from './key-value-store.ts'
import { confirmDraft, planPasses, prefill, readLogprobs, verify } from './prefill.ts'
import { createPrefillModel } from './prefill-graph.ts'
import { regroup } from './regroup.ts'
import { checkRequest, type GenerationRequest, type GenerationResult } from './request.ts'
import { Sequence } from './sequence.ts'

export interface GeneratorOptions {
  /** @default 2 */
  readonly threads?: number | undefined
  /** Maximum number of sequences that grow at the same time; others queue. @default 32 */
  readonly maxBatch?: number | undefined
  /**
   * How drafts are verified. `int8` computes the layers' matrix products with small integers, about twice as fast and nearly
   * as accurately, and accepts the draft as a greedy response if they are sure of it. Everything else is computed in float32:
   * responses that differ from their draft, have none, are sampled, or return log-probabilities. Either way, a response does
   * not depend on other sequences. @default 'float32'
   */
  readonly precision?: Precision | undefined
}

/** Reading without caches saves a sixth of a pass when the drafts hold, and costs an extra pass when they do not. */
const enoughDrafts = 0.85

/** One call of `generate`. */
interface Job {
  readonly sequences: readonly Sequence[]
  readonly signal: AbortSignal | undefined
  readonly resolve: (results: GenerationResult[]) => void
  readonly reject: (reason: unknown) => void
}

interface Sessions extends DecodeSessions {
  readonly prefill: InferenceSession
  /** The same graph without caches; created for the first draft. */
  verify(): Promise<InferenceSession>
  /** The same graph with integers. */
  confirm(): Promise<InferenceSession>
  /** Created for the first prompts with a common prefix. */
  extend(): Promise<InferenceSession>
  release(): Promise<void>
}

export class TextGenerator {
  readonly config: LlamaConfig
  readonly #sessions: Sessions
  readonly #maxBatch: number
  readonly #precision: Precision
  readonly #jobs = new Set<Job>()
  readonly #waiting: Sequence[] = []
  readonly #pool = new FloatPool()
  /** Share of recent passes in which whole drafts held. */
  #draftsHeld = 1
  readonly #readings = new Set<Promise<unknown>>()
  #work: Promise<void> | undefined
  #isReleased = false

  private constructor(config: LlamaConfig, sessions: Sessions, options: GeneratorOptions) {
    this.config = config
    this.#sessions = sessions
    this.#maxBatch = options.maxBatch ?? 32
    this.#precision = options.precision ?? 'float32'
  }

  /** Copies the weights: later changes have no effect. @throws EngineError for weights that do not fit, or an invalid option */
  static async create(
    config: LlamaConfig,
    weights: Weights,
    options: GeneratorOptions = {},
  ): Promise<TextGenerator> {
    checkWeights(config, weights)
    checkGeneratorOptions(options)
    const { threads = 2 } = options
    const prefill = await createSession(createPrefillModel(config, weights), threads)
    // The other graphs are created on first use, from the weights as they are now.
    const own: Weights = new Map([...weights].map(([name, values]) => [name, values.slice()]))
    const others = new Set<Promise<InferenceSession>>()
    const onceNeeded = (build: () => Uint8Array) => {
      let session: Promise<InferenceSession> | undefined
      return () => {
        if (session) return session
        const creating = createSession(build(), threads)
        session = creating
        others.add(creating)
        // One that could not be created is tried anew, and does not fail the release, whose error would hide the first.
        creating.catch(() => {
          session = undefined
          others.delete(creating)
        })
        return creating
      }
    }
    const sessions = {
      prefill,
      verify: onceNeeded(() => createPrefillModel(config, own, { caches: false })),
      confirm: onceNeeded(() => createPrefillModel(config, own, { precision: 'int8', caches: false })),
      alone: onceNeeded(() => createDecodeModel(config, own)),
      withTrunk: onceNeeded(() => createDecodeModel(config, own, true)),
      extend: onceNeeded(() => createExtendModel(config, own)),
      async release() {
        for (const session of [prefill, ...others]) await (await session).release()
      },
    }
    return new TextGenerator(config, sessions, options)
  }

  /**
   * Returns results in the order of the requests.
   * @throws EngineError for an invalid request, or when the runtime fails; an abort throws the signal's reason
   */
  async generate(requests: readonly GenerationRequest[], signal?: AbortSignal): Promise<GenerationResult[]> {
    signal?.throwIfAborted()
    this.#checkUsable()
    for (const request of requests) checkRequest(request, this.config)
    const sequences = requests.map((request) => new Sequence(request))
    if (sequences.length === 0) return []
    return new Promise((resolve, reject) => {
      this.#jobs.add({ sequences, signal, resolve, reject })
      this.#waiting.push(...sequences)
      this.#work ??= this.#run()
    })
  }

  /**
   * Log-probabilities [V] of the next token at temperature 1: after the prompt, and after each token of `continuation`.
   * One pass, nothing is sampled.
   * @throws EngineError for tokens outside the vocabulary, or too many of them
   */
  async nextTokenLogprobs(
    promptTokens: ArrayLike<number>,
    continuation: ArrayLike<number> = [],
  ): Promise<Float32Array[]> {
    const request = {
      promptTokens,
      draftTokens: continuation,
      maxTokens: continuation.length + 1,
      stopTokens: [],
      logprobs: true,
    }
    this.#checkUsable()
    checkRequest(request, this.config)
    const reading = readLogprobs(this.#sessions.prefill, this.config, new Sequence(request))
    this.#readings.add(reading)
    return reading.finally(() => this.#readings.delete(reading))
  }

  /** Waits for running calls. Idempotent. */
  async release(): Promise<void> {
    if (this.#isReleased) return
    this.#isReleased = true
    await this.#work
    await Promise.allSettled(this.#readings)
    await this.#sessions.release()
  }

  #checkUsable(): void {
    if (!this.#isReleased) return
    throw new EngineError({ code: 'engine/released', message: 'The generator has been released.' })
  }

  async #run(): Promise<void> {
    try {
      // Collect the calls made without waiting for each other before planning the first pass.
      await new Promise<void>((resolve) => setImmediate(resolve))
      let batches: readonly DecodeBatch<Sequence>[] = []
      while (this.#waiting.length > 0 || batches.length > 0) {
        const growing = batches.reduce((sum, batch) => sum + batch.growing, 0)
        const newcomers = this.#mayJoin(growing) ? await this.#readWaiting(growing) : []
        batches = regroup(this.config, batches, newcomers, this.#pool)
        for (const batch of batches) await batch.step(this.#sessions)
        this.#settle()
      }
    } catch (cause) {
      const failure = new EngineError({
        code: 'engine/generation-failed',
        message: `Generation failed: ${(cause as Error).message}`,
        cause,
      })
      for (const { reject } of this.#jobs) reject(failure)
      this.#jobs.clear()
      this.#waiting.length = 0
    } finally {
      this.#work = undefined
    }
  }

  /** A new batch copies caches, so newcomers wait for each other, but not for long. */
  #mayJoin(growing: number): boolean {
    return growing < this.#maxBatch && this.#waiting.length >= Math.max(1, growing / 4)
  }

  /** Reads prompts while there is room. @returns those that are still growing */
  async #readWaiting(growing: number): Promise<Growing<Sequence>[]> {
    const newcomers: Growing<Sequence>[] = []
    const room = () => this.#maxBatch - growing - newcomers.length
    while (this.#waiting.length > 0 && room() > 0) {
      const unconfirmed = await this.#confirmDrafts(this.#waiting.splice(0, room()))
      for (const family of findFamilies(unconfirmed, blockCount)) {
        const passes = family.trunkLength > 0 ? [family.members] : planPasses(family.members)
        for (const pass of passes) {
          this.#settle()
          const wanted = pass.filter(({ isDone }) => !isDone)
          if (wanted.length === 0) continue
          const read = await this.#read({ ...family, members: wanted })
          newcomers.push(...read.filter(({ sequence }) => !sequence.isDone))
        }
      }
      this.#settle()
    }
    return newcomers.filter(({ sequence }) => !sequence.isDone)
  }

  /** Tries integers, if enabled: one sequence per pass, because a pass has one scale. @returns the sequences left to read */
  async #confirmDrafts(sequences: readonly Sequence[]): Promise<readonly Sequence[]> {
    if (this.#precision !== 'int8') return sequences
    const session = await this.#sessions.confirm()
    const left: Sequence[] = []
    for (const sequence of sequences) {
      this.#settle()
      if (sequence.isDone) continue
      const isConfirmed = sequence.mayBeConfirmed && (await confirmDraft(session, this.config, sequence))
      if (!isConfirmed) left.push(sequence)
    }
    return left
  }

  async #read(family: Family<Sequence>): Promise<Growing<Sequence>[]> {
    const { config } = this
    const { prefill: read, extend } = this.#sessions
    const { members, trunkLength } = family
    if (trunkLength > 0) return readFamily({ prefill: read, extend: await extend() }, config, family)
    const haveDrafts = members.every(({ draft }) => draft.length > 0)
    // Drafts that integers did not confirm are read with caches right away, since they may fail.
    if (!haveDrafts || this.#precision === 'int8') return prefill(read, config, members)
    const growing =
      this.#draftsHeld > enoughDrafts
        ? await verify({ prefill: read, verify: await this.#sessions.verify() }, config, members)
        : await prefill(read, config, members)
    this.#draftsHeld += (Number(growing.length === 0) - this.#draftsHeld) / 16
    return growing
  }

  /** Completes calls that are finished or aborted. */
  #settle(): void {
    for (const job of this.#jobs) {
      if (job.signal?.aborted) {
        for (const sequence of job.sequences) sequence.isDone = true
        job.reject(job.signal.reason)
      } else if (job.sequences.every(({ isDone }) => isDone)) {
        job.resolve(job.sequences.map((sequence) => sequence.result()))
      } else {
        continue
      }
      this.#jobs.delete(job)
    }
  }
}
