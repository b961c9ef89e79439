/** Shared by all clients of a model server: address, key and headers, time-outs, retries, and errors without secrets. */
import { ChatError } from '../errors.ts'
import { type Sleep, sleep as sleepFor } from '../waiting.ts'
import { showAddress } from './address-text.ts'
import type { WaitNotice } from './chat.ts'
import { checkRetry } from './check-numbers.ts'
import { assembleStream, isStream } from './event-stream.ts'
import { exchange, type Fetch, type HttpReply } from './http-exchange.ts'
import { asObject, parseJson } from './json-fields.ts'
import { isUnreachable, withoutRetry } from './network-error.ts'
import { isBusy, type RetryPolicy, withRetries } from './retry.ts'
import { parseServerAddress, type ServerAddress, type ServerCredentials } from './server-address.ts'
import { serverError, statusOfErrorBody } from './server-error.ts'
import { mayBeTls, speaksTls } from './tls-probe.ts'
import { tlsExpected } from './wrong-protocol.ts'

export interface ServerConnectionOptions extends ServerCredentials {
  /** For example `http://localhost:8000/v1`. */
  readonly baseUrl: string
  /** The name the server knows the model by. */
  readonly model: string
  readonly retry?: RetryPolicy | undefined
  /** Called before every wait between two attempts. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
  /** @default the global fetch */
  readonly fetch?: Fetch | undefined
  readonly random?: (() => number) | undefined
  readonly now?: (() => number) | undefined
  readonly sleep?: Sleep | undefined
}

export interface RequestOptions {
  readonly method: 'GET' | 'POST'
  /** From `address.url`. */
  readonly url: string
  readonly body?: unknown
  readonly timeoutMs: number
  readonly idleTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface Patience {
  readonly call: WaitNotice['call']
  readonly signal?: AbortSignal | undefined
  /** Called for this call, besides the connection's own. */
  readonly onWait?: ((wait: WaitNotice) => void) | undefined
  /** Retries only while the server is busy. @default false */
  readonly onlyWhenBusy?: boolean | undefined
  /** An upper bound on the policy's attempts. @default the policy's */
  readonly mostAttempts?: number | undefined
}

export interface ServerConnection {
  readonly address: ServerAddress
  /** One exchange. @throws ChatError and its subclasses when there is no reply; an abort throws the signal's reason */
  request(options: RequestOptions): Promise<HttpReply>
  /** The JSON of a reply, including one that came as a stream. @throws the error that the reply is or contains */
  read(reply: HttpReply, url: string): unknown
  failure(reply: HttpReply, url: string): ChatError
  /** Retries while that makes sense. @throws the last error */
  patiently<T>(attempt: () => Promise<T>, patience: Patience): Promise<T>
}

/** @throws ConfigurationError for a bad URL, key, header or retry policy */
export function connectToServer(options: ServerConnectionOptions): ServerConnection {
  const { model, retry = {}, random = Math.random, now = Date.now, sleep = sleepFor } = options
  checkRetry(retry)
  const address = parseServerAddress(options.baseUrl, options)
  const { redact } = address
  let hasAnswered = false
  let tls: Promise<boolean> | undefined

  /** Until a server has answered once, one that cannot be reached is a wrong address, which retrying does not fix. */
  async function explained(error: unknown, { url, signal }: RequestOptions): Promise<unknown> {
    if (!(error instanceof ChatError) || hasAnswered) return error
    if (isUnreachable(error)) return withoutRetry(error)
    if (!mayBeTls(error, url)) return error
    tls ??= speaksTls(url, options.fetch ?? globalThis.fetch, signal)
    return (await tls) ? tlsExpected(url) : error
  }

  /** Where a call has succeeded: the address is right, whatever a proxy says later. */
  const known = new Set<string>()
  const failure: ServerConnection['failure'] = (reply, url) => {
    const error = serverError(reply, { url, model, redact, now: now() })
    return error.code === 'chat/wrong-url' && known.has(url) ? lostBehindProxy(error) : error
  }

  return {
    address,
    failure,
    async request(request) {
      try {
        const fetch = options.fetch ?? globalThis.fetch
        const reply = await exchange({ ...request, headers: address.headers, redact, fetch })
        hasAnswered = true
        return reply
      } catch (error) {
        throw await explained(error, request)
      }
    },
    read(reply, url) {
      if (reply.status >= 300) throw failure(reply, url)
      const body = parseJson(reply.text) ?? assembleStream(reply.text)
      if (body === undefined) {
        if (/^\s*</.test(reply.text)) throw failure(reply, url)
        const shown = showAddress(url)
        const what = isStream(reply.text) ? 'of an unrequested stream' : 'that are not valid JSON'
        const isEmpty = reply.text.trim() === ''
        throw new ChatError({
          code: 'chat/broken-response',
          message: isEmpty
            ? `The reply from ${shown} was empty, with status ${reply.status}`
            : `The reply from ${shown} was cut off: ${reply.text.length} characters ${what}`,
          details: { url: shown, characters: reply.text.length },
          isRetryable: true,
        })
      }
      // Some gateways answer every request with 200 and put the error in the body.
      if (isFailure(asObject(body).error)) {
        throw failure({ ...reply, text: JSON.stringify(body), status: statusOfErrorBody(body) }, url)
      }
      known.add(url)
      return body
    },
    patiently(attempt, { call, signal, onWait, onlyWhenBusy = false, mostAttempts }) {
      const tell = (wait: WaitNotice) => {
        options.onWait?.(wait)
        onWait?.(wait)
      }
      const once = onlyWhenBusy ? () => attempt().catch(unlessBusy) : attempt
      const policy =
        mostAttempts === undefined
          ? retry
          : { ...retry, attempts: Math.min(mostAttempts, retry.attempts ?? mostAttempts) }
      return withRetries(once, policy, { call, random, now, sleep, signal, onWait: tell })
    },
  }
}

const lostBehindProxy = ({ message, details, cause }: ChatError) =>
  new ChatError({
    code: 'chat/server-fault',
    message,
    hint: 'This address has answered before: a proxy may have lost the server behind it.',
    details,
    isRetryable: true,
    cause,
  })

/** Some servers report in every reply that there was no error. */
const isFailure = (error: unknown): boolean =>
  Boolean(error) && (typeof error !== 'object' || Object.keys(error as object).length > 0)

function unlessBusy(error: unknown): never {
  throw error instanceof ChatError && !isBusy(error) ? withoutRetry(error) : error
}
