/** A session with a Tinker server: kept alive by heartbeats, it owns models and sampling sessions and numbers them. */
import { ConfigurationError } from '@memagent/core'
import type { z } from 'zod'
import { keyCredentials, type ServerAddress, tokenCredentials } from './credentials.ts'
import { type OnNotice, realEffects, type TinkerEffects } from './effects.ts'
import { TinkerHttpError } from './errors.ts'
import { type FutureRequest, retrieveFuture } from './futures.ts'
import type { ServerProfile } from './profiles.ts'
import { Refusals } from './refusals.ts'
import { jsonBody, type RequestBody, Transport } from './transport.ts'
import {
  capabilitiesSchema,
  clientConfigSchema,
  futureSchema,
  samplingSessionSchema,
  sessionSchema,
  tokenSchema,
} from './wire.ts'

export interface SessionOptions {
  readonly address: ServerAddress
  readonly profile: ServerProfile
  readonly onNotice?: OnNotice | undefined
  /** Replaced in tests. */
  readonly effects?: Partial<TinkerEffects> | undefined
  /** @default 10_000 */
  readonly heartbeatMs?: number | undefined
  /** How long to repeat a request while the server is unreachable, in milliseconds. @default 300_000 */
  readonly patienceMs?: number | undefined
}

/** A call whose result arrives later. */
export interface FutureCall<Result> {
  readonly path: string
  readonly body: RequestBody
  readonly schema: z.ZodType<Result>
  readonly decode?: ((bytes: Uint8Array) => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

const sdkVersion = 'memagent-0.1.0'
/** Warn after this long without a heartbeat: servers end sessions after 300 s. */
const silenceToReportMs = 120_000

export class TinkerSession {
  readonly id: string
  readonly profile: ServerProfile
  readonly transport: Transport
  readonly onNotice: OnNotice
  readonly refusals: Refusals
  #nextModel = 0
  #nextSampler = 0
  #heart: NodeJS.Timeout | undefined
  readonly #closing = new AbortController()

  private constructor(id: string, transport: Transport, options: SessionOptions, onNotice: OnNotice) {
    this.id = id
    this.profile = options.profile
    this.transport = transport
    this.onNotice = onNotice
    this.refusals = new Refusals(transport.effects.now, onNotice)
    this.#startHeart(options.heartbeatMs ?? 10_000)
  }

  /** @throws TinkerHttpError if the server is unreachable or refuses the key */
  static async create(options: SessionOptions): Promise<TinkerSession> {
    const { address, onNotice = (message) => process.emitWarning(message, 'TinkerNotice') } = options
    const effects = { ...realEffects, ...options.effects }
    const transport = new Transport({
      baseUrl: address.baseUrl,
      credentials: keyCredentials(address.apiKey),
      effects,
      patienceMs: options.patienceMs,
    })
    await authorize(transport, address, effects)
    const answer = await transport.post(
      '/api/v1/create_session',
      jsonBody({
        tags: [],
        user_metadata: {},
        sdk_version: sdkVersion,
        type: 'create_session',
      }),
      sessionSchema,
    )
    for (const message of [answer.info_message, answer.warning_message, answer.error_message]) {
      if (message) onNotice(message)
    }
    return new TinkerSession(answer.session_id, transport, options, onNotice)
  }

  /** @throws ConfigurationError if the server lists its models and this is not one of them */
  async checkModel(model: string): Promise<void> {
    const { supported_models } = await this.transport
      .post('/api/v1/get_server_capabilities', undefined, capabilitiesSchema)
      .catch(whenUnknown({ supported_models: [] }))
    const known = (supported_models ?? []).flatMap(({ model_name }) => model_name ?? [])
    if (known.length === 0 || known.includes(model)) return
    throw new ConfigurationError({
      code: 'tinker/unknown-model',
      message: `The server at ${this.transport.baseUrl} does not serve the model ${model}.`,
      hint: `It serves ${known.join(', ')}; the name must match exactly.`,
    })
  }

  nextModelSeqId = (): number => this.#nextModel++
  nextSamplerSeqId = (): number => this.#nextSampler++

  /** Creates a sampler of the base model. @returns its sampling session */
  async createBaseSampler(model: string): Promise<string> {
    const { sampling_session_id } = await this.transport.post(
      '/api/v1/create_sampling_session',
      jsonBody({
        session_id: this.id,
        sampling_session_seq_id: this.nextSamplerSeqId(),
        base_model: model,
        type: 'create_sampling_session',
      }),
      samplingSessionSchema,
    )
    return sampling_session_id
  }

  /**
   * Submits and waits for the result. The call's own signal ends the wait, but does not undo a request that the server accepted.
   * @param submitSignal also aborts the submission
   */
  async call<Result>(call: FutureCall<Result>, submitSignal?: AbortSignal): Promise<Result> {
    return this.await(call, await this.submit(call, submitSignal))
  }

  /** @returns the future's id */
  async submit(
    { path, body }: Pick<FutureCall<unknown>, 'path' | 'body'>,
    signal?: AbortSignal,
  ): Promise<string> {
    return (await this.transport.post(path, body, futureSchema, { signal })).request_id
  }

  /** @param requestId what `submit` returned */
  await<Result>(call: FutureCall<Result>, requestId: string): Promise<Result> {
    const request: FutureRequest<Result> = {
      requestId,
      what: call.path.slice(call.path.lastIndexOf('/') + 1),
      schema: call.schema,
      decode: call.decode,
      resubmit: () => this.submit(call),
      signal: call.signal,
    }
    const { pollTimeoutMs, futureRead } = this.profile
    return retrieveFuture(request, {
      transport: this.transport,
      pollTimeoutMs,
      futureRead,
      onNotice: this.onNotice,
      refusals: this.refusals,
    })
  }

  /** Stops the heartbeats, after which the server ends the session. Idempotent. */
  close(): void {
    this.#closing.abort()
    clearInterval(this.#heart)
  }

  #startHeart(intervalMs: number): void {
    const { now } = this.transport.effects
    const body = jsonBody({ session_id: this.id, type: 'session_heartbeat' })
    let lastSuccess = now()
    let isReported = false
    const beat = async () => {
      const reply = await this.transport
        .send('/api/v1/session_heartbeat', body, {
          timeoutMs: Math.max(10_000, intervalMs),
          signal: this.#closing.signal,
        })
        .catch(() => undefined)
      if (reply?.status === 200) {
        lastSuccess = now()
        isReported = false
      } else if (!isReported && !this.#closing.signal.aborted && now() - lastSuccess > silenceToReportMs) {
        isReported = true
        this.onNotice(
          `No heartbeat has reached ${this.transport.baseUrl} for ${Math.round((now() - lastSuccess) / 1000)} s; servers end sessions without heartbeats.`,
        )
      }
    }
    this.#heart = setInterval(beat, intervalMs)
    this.#heart.unref()
  }
}

/** Asks whether the server wants tokens instead of keys; a server that does not know the request wants keys. */
async function authorize(
  transport: Transport,
  address: ServerAddress,
  effects: TinkerEffects,
): Promise<void> {
  if (address.apiKey === undefined) return
  const config = await transport
    .post('/api/v1/client/config', jsonBody({ sdk_version: sdkVersion }), clientConfigSchema)
    .catch(whenUnknown({ pjwt_auth_enabled: false }))
  if (!config.pjwt_auth_enabled) return
  const key = keyCredentials(address.apiKey)
  const exchange = new Transport({ baseUrl: transport.baseUrl, credentials: key, effects })
  transport.credentials = tokenCredentials(
    async () => (await exchange.post('/api/v1/auth/token', jsonBody({}), tokenSchema)).jwt,
    effects.now,
  )
}

/** For requests that some servers do not know. */
const whenUnknown =
  <T>(answer: T) =>
  (error: unknown): T => {
    const status = error instanceof TinkerHttpError ? error.details.status : undefined
    if (status === 404 || status === 405) return answer
    throw error
  }
