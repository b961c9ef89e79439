/**
 * Waits for the result of a request: the server accepts it at once and answers later, to long polls. Only one poll at a time,
 * since some servers return a result only once. The protocol defines the meaning of each answer.
 */
import type { z } from 'zod'
import type { OnNotice } from './effects.ts'
import { protocolError, TinkerHttpError, TinkerRequestError, TinkerResultLostError } from './errors.ts'
import type { Refusals } from './refusals.ts'
import { detailOf, jsonBody, jsonOf, type Reply, statusError, type Transport } from './transport.ts'

export interface FutureRequest<Result> {
  /** The future's id on the server. */
  readonly requestId: string
  /** The kind of request, as shown to people: `forward_backward`. */
  readonly what: string
  readonly schema: z.ZodType<Result>
  /** Parses a protobuf reply; set when one is requested. */
  readonly decode?: ((bytes: Uint8Array) => unknown) | undefined
  /** Submits the same bytes with the same numbers again, and returns the new future's id. */
  readonly resubmit: () => Promise<string>
  readonly signal?: AbortSignal | undefined
}

export interface PollingOptions {
  readonly transport: Transport
  readonly pollTimeoutMs: number
  readonly futureRead: 'repeatable' | 'once'
  readonly onNotice: OnNotice
  /** Called when the server has no room for a poll. @default none */
  readonly refusals?: Pick<Refusals, 'refused'> | undefined
  /** How long to wait for an unpaid bill, in milliseconds. @default 3_600_000 */
  readonly billingPatienceMs?: number | undefined
  /** How long to retry on broken connections and server errors in a row, in milliseconds. @default 1_800_000 */
  readonly patienceMs?: number | undefined
}

const path = '/api/v1/retrieve_future'
const maxBadRequests = 3
const maxResubmissions = 3

/**
 * @throws TinkerRequestError if the server failed at the request, TinkerResultLostError if the result has already been read,
 * TinkerHttpError if the server does not know the request or it is not ours; an abort throws the signal's reason
 */
export async function retrieveFuture<Result>(
  request: FutureRequest<Result>,
  options: PollingOptions,
): Promise<Result> {
  const { transport, pollTimeoutMs, onNotice } = options
  const { now, sleep } = transport.effects
  const { signal, what } = request
  let requestId = request.requestId
  let wantsMetadata = true
  let failures = 0
  let serverErrors = 0
  let failingSince: number | undefined
  let refusedSince: number | undefined
  let badRequests = 0
  let resubmissions = 0
  let unpaidSince: number | undefined
  let lastState = ''
  for (let iteration = 0; ; iteration++) {
    signal?.throwIfAborted()
    const reply = await transport
      .send(path, jsonBody({ request_id: requestId, allow_metadata_only: wantsMetadata }), {
        timeoutMs: pollTimeoutMs,
        headers: {
          'x-tinker-request-iteration': String(iteration),
          'x-tinker-request-type': what,
          ...(request.decode ? { accept: 'application/x-protobuf' } : {}),
        },
        signal,
      })
      .catch((error: unknown) => {
        if (error instanceof TinkerHttpError && error.isRetryable) return error
        throw error
      })
    const isFault = reply instanceof TinkerHttpError || reply.status >= 500
    failingSince = isFault ? (failingSince ?? now()) : undefined
    if (isFault && now() - failingSince! > (options.patienceMs ?? 1_800_000)) {
      throw reply instanceof TinkerHttpError ? reply : statusError(transport.baseUrl, path, reply, false)
    }
    if (reply instanceof TinkerHttpError || reply.status === 429) {
      if (!isFault) {
        refusedSince ??= now()
        options.refusals?.refused(what, refusedSince)
      }
      await sleep(Math.min(2 ** failures++, 30) * 1000, signal)
      continue
    }
    failures = 0
    refusedSince = undefined
    const { status } = reply
    if (status < 500) serverErrors = 0
    if (status === 200) {
      const answer = readAnswer(reply, request)
      if (answer.kind === 'result') return answer.result
      if (answer.kind === 'failed') throw failed(what, answer.message, answer.category, options)
      if (answer.kind === 'complete') wantsMetadata = false
      else if (answer.state !== lastState) {
        lastState = answer.state
        if (answer.state.startsWith('paused')) onNotice(`The server lets ${what} wait: ${answer.state}.`)
      }
    } else if (status === 410) {
      if (++resubmissions > maxResubmissions) throw statusError(transport.baseUrl, path, reply, false)
      requestId = await request.resubmit()
    } else if (status === 402) {
      unpaidSince ??= now()
      onNotice(`The account needs attention; ${what} is waiting: ${detailOf(reply)}`)
      if (now() - unpaidSince > (options.billingPatienceMs ?? 3_600_000)) {
        throw statusError(transport.baseUrl, path, reply, false)
      }
      await sleep(5000, signal)
    } else if (status === 400) {
      if (++badRequests >= maxBadRequests) throw failed(what, detailOf(reply), 'user', options)
    } else if (status !== 408 && status < 500) {
      throw statusError(transport.baseUrl, path, reply, false)
    } else if (status !== 408 && serverErrors++ > 0) {
      // "At once" suits a hiccup; a server that keeps failing must not be called a thousand times a second.
      await sleep(1000, signal)
    }
  }
}

type Answer<Result> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'failed'; readonly message: string; readonly category: string }
  | { readonly kind: 'complete' }
  | { readonly kind: 'pending'; readonly state: string }

function readAnswer<Result>(
  reply: Reply,
  { decode, schema, what }: Pick<FutureRequest<Result>, 'decode' | 'schema' | 'what'>,
): Answer<Result> {
  const isProtobuf = reply.contentType.includes('application/x-protobuf')
  if (isProtobuf && !decode) throw protocolError(`The answer to ${what} is protobuf, but JSON was requested.`)
  const content = isProtobuf ? decode!(reply.bytes) : jsonOf(reply)
  if (!isProtobuf && typeof content === 'object' && content !== null) {
    const fields = content as Record<string, unknown>
    if (fields.type === 'try_again') {
      const reason = fields.queue_state_reason ? ` (${String(fields.queue_state_reason)})` : ''
      return { kind: 'pending', state: `${String(fields.queue_state ?? 'active')}${reason}` }
    }
    if (fields.status === 'complete_metadata') return { kind: 'complete' }
    if (typeof fields.error === 'string') {
      return { kind: 'failed', message: fields.error, category: String(fields.category ?? 'unknown') }
    }
  }
  const parsed = schema.safeParse(content)
  if (parsed.success) return { kind: 'result', result: parsed.data }
  const { path: at, message } = parsed.error.issues[0]!
  throw protocolError(`The result of ${what} violates the protocol: ${at.join('.')}: ${message}.`, {
    what,
  })
}

function failed(what: string, message: string, category: string, { futureRead }: PollingOptions) {
  if (futureRead === 'once' && /already (been )?retrieved/i.test(message)) {
    return new TinkerResultLostError({
      code: 'tinker/result-lost',
      message: `The result of ${what} was lost in transit: ${message}.`,
      hint: 'This server returns a result only once. Resume from the last saved state.',
      details: { what },
    })
  }
  return new TinkerRequestError({
    code: 'tinker/request-failed',
    message: `The server failed at ${what}: ${message}`,
    hint:
      category === 'user' ? 'The request is at fault; repeating it does not help.' : "See the server's log.",
    details: { what, category },
    isRetryable: category !== 'user',
  })
}
