/**
 * HTTP exchanges with a Tinker server, single or repeated until one succeeds. Repeating is safe because the server recognizes
 * requests by the numbers they carry. Results of futures are polled elsewhere.
 */
import { askedWaitMs, createRedactor, redactedCause, showAddress } from '@memagent/core'
import type { z } from 'zod'
import type { Credentials } from './credentials.ts'
import type { TinkerEffects } from './effects.ts'
import { protocolError, TinkerHttpError } from './errors.ts'

/** A body as sent over the wire, kept to be sent again byte for byte. */
export interface RequestBody {
  readonly content: string | Uint8Array<ArrayBuffer>
  readonly contentType: 'application/json' | 'application/x-protobuf'
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly contentType: string
  readonly bytes: Uint8Array
}

export interface SendOptions {
  /** @default 'POST' with a body and 'GET' without */
  readonly method?: 'GET' | 'POST' | 'DELETE' | undefined
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

export interface PostOptions {
  /** Retry on a conflict. Never for training calls, where it means that a number was used twice. */
  readonly retriesConflicts?: boolean | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
  /** Statuses that the caller handles: thrown at once. */
  readonly gives?: readonly number[] | undefined
}

export interface TransportOptions {
  readonly baseUrl: string
  readonly credentials: Credentials
  readonly effects: TinkerEffects
  /** Limit of one exchange, in milliseconds. @default 120_000 */
  readonly timeoutMs?: number | undefined
  /** How long to repeat a request, in milliseconds. @default 300_000 */
  readonly patienceMs?: number | undefined
}

export const jsonBody = (value: unknown): RequestBody => ({
  content: JSON.stringify(value),
  contentType: 'application/json',
})

export class Transport {
  readonly baseUrl: string
  readonly effects: TinkerEffects
  /** Replaced once when the server turns out to want tokens. */
  credentials: Credentials
  readonly #timeoutMs: number
  readonly #patienceMs: number

  constructor(options: TransportOptions) {
    this.baseUrl = options.baseUrl
    this.effects = options.effects
    this.credentials = options.credentials
    this.#timeoutMs = options.timeoutMs ?? 120_000
    this.#patienceMs = options.patienceMs ?? 300_000
  }

  /** Makes one exchange, whatever its status. @throws TinkerHttpError if there is no reply; an abort throws its reason */
  async send(path: string, body: RequestBody | undefined, options: SendOptions): Promise<Reply> {
    const { signal } = options
    signal?.throwIfAborted()
    const key = await this.credentials.current()
    const redact = createRedactor({ key, headers: {}, query: '' })
    const timeout = AbortSignal.timeout(options.timeoutMs)
    try {
      const response = await this.effects.fetch(`${this.baseUrl}${path}`, {
        method: options.method ?? (body ? 'POST' : 'GET'),
        headers: {
          accept: 'application/json',
          ...(body ? { 'content-type': body.contentType } : {}),
          ...(key === undefined ? {} : { 'x-api-key': key }),
          ...options.headers,
        },
        ...(body ? { body: body.content } : {}),
        // A redirect would send the key to its target.
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      })
      const { status, headers } = response
      const bytes = new Uint8Array(await response.arrayBuffer())
      const contentType = headers.get('content-type') ?? ''
      // An error response may quote the request.
      const told = status < 300 ? bytes : Buffer.from(redact(Buffer.from(bytes).toString('utf8')))
      return { status, headers, contentType, bytes: told }
    } catch (thrown) {
      signal?.throwIfAborted()
      const cause = redactedCause(thrown, redact)
      throw this.#unanswered(path, timeout.aborted ? options.timeoutMs : undefined, cause)
    }
  }

  /**
   * Sends until there is an answer of the expected form. Repeats on 408, 425, 429, 5xx and broken connections, after the pause
   * that the server asks for or after growing ones.
   * @throws TinkerHttpError if repeating does not help, TinkerProtocolError for another form
   */
  async post<Schema extends z.ZodType>(
    path: string,
    body: RequestBody | undefined,
    schema: Schema,
    options: PostOptions = {},
  ): Promise<z.output<Schema>> {
    const { now, random, sleep } = this.effects
    const start = now()
    for (let attempt = 0; ; attempt++) {
      const reply = await this.send(path, body, { timeoutMs: this.#timeoutMs, ...options }).catch(
        (error: unknown) => {
          if (error instanceof TinkerHttpError && error.isRetryable) return error
          throw error
        },
      )
      let failure: TinkerHttpError
      let askedMs: number | undefined
      if (reply instanceof TinkerHttpError) failure = reply
      else {
        if (reply.status >= 200 && reply.status < 300) return parseReply(reply, schema, path)
        askedMs = askedWaitMs({ ...reply, text: textOf(reply) }, now())
        failure = statusError(this.baseUrl, path, reply, options.retriesConflicts ?? false, askedMs)
        if (options.gives?.includes(reply.status)) throw failure
      }
      // Short pauses at first, for a server that hiccups; longer ones for a server that restarts.
      const growing = attempt < 10 ? Math.min(0.5 * 2 ** attempt, 10) : 30
      const pauseMs =
        askedMs !== undefined && askedMs <= 60_000 ? askedMs : growing * 1000 * (1 - 0.25 * random())
      if (!failure.isRetryable || now() - start + pauseMs > this.#patienceMs) throw failure
      await sleep(pauseMs, options.signal)
    }
  }

  #unanswered(path: string, timeoutMs: number | undefined, cause: unknown): TinkerHttpError {
    const url = `${this.baseUrl}${path}`
    const reason = timeoutMs === undefined ? causeOf(cause) : `no answer within ${timeoutMs} ms`
    return new TinkerHttpError({
      code: timeoutMs === undefined ? 'tinker/connection' : 'tinker/timeout',
      message: `The request to ${url} failed: ${reason}.`,
      hint: 'Is the server running, and is its address right (TINKER_BASE_URL)?',
      details: { path },
      isRetryable: true,
      cause,
    })
  }
}

/** @throws TinkerProtocolError if the reply is not JSON, or not of this form */
function parseReply<Schema extends z.ZodType>(reply: Reply, schema: Schema, path: string): z.output<Schema> {
  const parsed = schema.safeParse(jsonOf(reply))
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  throw protocolError(`The answer to ${path} violates the protocol: ${describeIssue(issue)}.`, {
    path,
    answer: textOf(reply).slice(0, 300),
  })
}

const describeIssue = ({ path, message }: { path: PropertyKey[]; message: string }): string =>
  path.length === 0 ? message : `${path.join('.')}: ${message}`

/** Undefined if the body is not JSON. */
export function jsonOf(reply: Reply): unknown {
  try {
    return JSON.parse(textOf(reply))
  } catch {
    return undefined
  }
}

const textOf = (reply: Reply): string => Buffer.from(reply.bytes).toString('utf8')

/** The server's error message: FastAPI's `detail` as a string or a list, other JSON, or a proxy's plain text. */
export function detailOf(reply: Reply): string {
  const body = jsonOf(reply)
  const said = typeof body === 'object' && body !== null ? body : {}
  const detail = 'detail' in said ? said.detail : 'error' in said ? said.error : undefined
  if (typeof detail === 'string') return detail
  if (Array.isArray(detail)) {
    return detail
      .map((item: { loc?: unknown; msg?: unknown }) =>
        Array.isArray(item?.loc) ? `${item.loc.join('.')}: ${String(item.msg)}` : JSON.stringify(item),
      )
      .join('; ')
  }
  return textOf(reply).trim().slice(0, 300) || 'no explanation'
}

const hints: Readonly<Record<number, string>> = {
  401: 'Check TINKER_API_KEY.',
  402: "The account's balance or its payment needs attention.",
  403: 'The key is valid but lacks permission for this.',
  404: 'Has the server restarted, or has the session ended? Resume from the last saved state.',
  409: 'A number or a name was used twice. Does another process use this session?',
}

function redirectHint({ headers }: Reply, url: string): string {
  const location = headers.get('location') ?? ''
  const target = location !== '' && URL.canParse(location, url) ? new URL(location, url) : undefined
  const to =
    target === undefined ? 'It redirects without saying where' : `It redirects to ${showAddress(target)}`
  return `${to}, which was not followed. If that is the server, use its address (TINKER_BASE_URL).`
}

export function statusError(
  baseUrl: string,
  path: string,
  reply: Reply,
  retriesConflicts: boolean,
  askedMs?: number,
): TinkerHttpError {
  const { status } = reply
  const transient = status === 408 || status === 425 || status === 429 || status >= 500
  const told = reply.headers.get('x-should-retry')
  const isConflict = status === 409
  // Never repeat a training call after a conflict, even if the server asks.
  const isRetryable =
    isConflict && !retriesConflicts
      ? false
      : told === 'true' || (told !== 'false' && (transient || isConflict))
  return new TinkerHttpError({
    code: `tinker/status-${status}`,
    message: `${baseUrl}${path} answered ${status}: ${detailOf(reply)}`,
    hint: status >= 300 && status < 400 ? redirectHint(reply, `${baseUrl}${path}`) : hints[status],
    details: {
      path,
      status,
      detail: detailOf(reply),
      ...(askedMs === undefined ? {} : { retryAfterMs: askedMs }),
    },
    isRetryable,
  })
}

/** The pause that a refusing server asked for; undefined if there is none or it exceeds a minute. */
export function retryAfterMsOf({ details }: TinkerHttpError): number | undefined {
  const asked = details.retryAfterMs
  return typeof asked === 'number' && asked <= 60_000 ? asked : undefined
}

/** `fetch` hides what happened in a chain of causes. */
function causeOf(error: unknown): string {
  let current: unknown = error
  let said = 'the connection was lost'
  for (let depth = 0; depth < 5 && current instanceof Error; depth++) {
    said = current.message || said
    const { code } = current as { code?: unknown }
    if (typeof code === 'string') return `${said} (${code})`
    current = current.cause ?? (current instanceof AggregateError ? current.errors[0] : undefined)
  }
  return said
}
