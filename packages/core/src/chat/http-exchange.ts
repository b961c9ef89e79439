/**
 * One HTTP exchange over `fetch`: time-outs, aborts and network faults become typed errors, and the body is read whole,
 * up to a limit. It knows nothing about chat; callers judge the status.
 */
import { ChatError, ChatTimeoutError } from '../errors.ts'
import { timerMs, untilAborted } from '../waiting.ts'
import { hideAddresses, showAddress } from './address-text.ts'
import { networkError } from './network-error.ts'

export type Fetch = typeof globalThis.fetch

export interface HttpRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** From sending the request to the last byte of the reply. */
  readonly timeoutMs: number
  /** Longest pause within the body once it has begun. */
  readonly idleTimeoutMs?: number | undefined
  readonly signal?: AbortSignal | undefined
  readonly fetch: Fetch
  /** Removes secrets from error messages. @default shows addresses as `hideAddresses` does */
  readonly redact?: ((text: string) => string) | undefined
}

export interface HttpReply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** More than any genuine reply, less than would exhaust memory. */
const maxBytes = 64 * 1024 * 1024

/** @throws ChatTimeoutError; ChatError for network faults (`isRetryable` set); an abort throws the signal's reason */
export async function exchange(request: HttpRequest): Promise<HttpReply> {
  const { signal, timeoutMs, idleTimeoutMs } = request
  signal?.throwIfAborted()
  const controller = new AbortController()
  const onAbort = () => controller.abort(signal?.reason)
  signal?.addEventListener('abort', onAbort, { once: true })
  const timer = setTimeout(
    () => controller.abort(timeoutError(request, timeoutMs, false)),
    timerMs(timeoutMs),
  )
  let idleTimer: NodeJS.Timeout | undefined
  const restartIdleTimer = () => {
    if (idleTimeoutMs === undefined) return
    clearTimeout(idleTimer)
    idleTimer = setTimeout(
      () => controller.abort(timeoutError(request, idleTimeoutMs, true)),
      timerMs(idleTimeoutMs),
    )
  }
  try {
    const response = await untilAborted(
      request.fetch(request.url, {
        method: request.method,
        headers: {
          accept: 'application/json',
          ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
          ...request.headers,
        },
        ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
        // Following a redirect would carry the document, and headers with keys, to wherever it points.
        redirect: 'manual',
        signal: controller.signal,
      }),
      controller.signal,
    )
    restartIdleTimer()
    const text = await untilAborted(readBody(response, request.url, restartIdleTimer), controller.signal)
    // Browsers reveal nothing about a redirect, not even its status.
    const status = response.type === 'opaqueredirect' ? 302 : response.status
    return { status, headers: response.headers, text }
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason
    if (error instanceof ChatError) throw error
    throw networkError(error, request.url, request.redact ?? hideAddresses)
  } finally {
    clearTimeout(timer)
    clearTimeout(idleTimer)
    signal?.removeEventListener('abort', onAbort)
    // Frees the socket of a reply that nobody reads to the end; does nothing to a finished one.
    controller.abort()
  }
}

async function readBody(response: Response, url: string, onPart: () => void): Promise<string> {
  if (response.body === null) return ''
  const decoder = new TextDecoder()
  let text = ''
  let size = 0
  for await (const part of response.body) {
    onPart()
    size += part.byteLength
    if (size > maxBytes) {
      throw new ChatError({
        code: 'chat/oversized-response',
        message: `The server at ${showAddress(url)} answered with more than ${maxBytes} bytes`,
      })
    }
    text += decoder.decode(part, { stream: true })
  }
  return text + decoder.decode()
}

function timeoutError(request: HttpRequest, limitMs: number, isIdle: boolean): ChatTimeoutError {
  const url = showAddress(request.url)
  return new ChatTimeoutError({
    code: 'chat/timeout',
    message: isIdle
      ? `The server at ${url} began to answer and then was silent for ${limitMs} ms`
      : `The server at ${url} did not answer within ${limitMs} ms`,
    hint: 'Is the server overloaded or still loading the model? Raise the time-out, or lower the concurrency.',
    details: { url, timeoutMs: limitMs },
    isRetryable: true,
  })
}
