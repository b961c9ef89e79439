/** The ways in which a stub server can fail, in a given order or decided by a function. */
import type { ServerResponse } from 'node:http'

export type Fault =
  /** Any status, with the body and headers given. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string | undefined
      readonly code?: string | undefined
      readonly param?: string | undefined
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  /** 429; `retryAfter` is the header's value: seconds or an HTTP date. */
  | {
      readonly kind: 'rate-limit'
      readonly retryAfter?: string | undefined
      readonly retryAfterMs?: number | undefined
    }
  /** Half of the reply, then the connection is reset. */
  | { readonly kind: 'reset' }
  /** Reset before the first byte of a reply. */
  | { readonly kind: 'refuse' }
  /** Never replies. */
  | { readonly kind: 'hang' }
  /** Begins to reply and then goes silent. */
  | { readonly kind: 'stall' }
  /** A complete HTTP reply whose JSON stops in the middle. */
  | { readonly kind: 'truncated-json' }
  /** A web page, as from a wrong port or a proxy. */
  | { readonly kind: 'html'; readonly status?: number | undefined }
  /** Redirects to another address, where nothing listens. */
  | {
      readonly kind: 'redirect'
      readonly location?: string | undefined
      readonly status?: number | undefined
    }
  /** The reply as server-sent events, although none were requested; `isCut` omits its end. */
  | { readonly kind: 'event-stream'; readonly isCut?: boolean | undefined }
  /** Repeats address and headers of the request in its error, as careless servers and proxies do. */
  | { readonly kind: 'echo'; readonly status?: number | undefined }
  /** No choices at all. */
  | { readonly kind: 'no-choices' }
  /** A choice with an empty text. */
  | { readonly kind: 'empty-text' }
  /** Rejects the prompt for its length, in this server's words. */
  | { readonly kind: 'context-length'; readonly message?: string | undefined }
  /** Sees only the last `tokens` tokens of the prompt and reports just their number (Ollama). */
  | { readonly kind: 'cut-prompt'; readonly tokens: number }

/** Faults that replace the reply; the server handles the others, which change it. */
export function isAnswerFault(fault: Fault): boolean {
  return fault.kind === 'empty-text' || fault.kind === 'cut-prompt'
}

/** Plays a fault on a response. @param answer the reply that would have been sent */
export function playFault(fault: Fault, response: ServerResponse, answer: string): void {
  const json = { 'content-type': 'application/json' }
  switch (fault.kind) {
    case 'status': {
      const { status, message = `fault ${status}`, code = null, param = null } = fault
      response.writeHead(status, { ...json, ...fault.headers })
      response.end(JSON.stringify({ error: { message, type: 'stub', code, param } }))
      return
    }
    case 'rate-limit':
      response.writeHead(429, {
        ...json,
        ...(fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter }),
        ...(fault.retryAfterMs === undefined ? {} : { 'retry-after-ms': String(fault.retryAfterMs) }),
      })
      response.end(JSON.stringify({ error: { message: 'Rate limit reached', code: 'rate_limit_exceeded' } }))
      return
    case 'reset':
      response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(answer)) })
      response.write(answer.slice(0, answer.length >> 1), () => response.socket?.resetAndDestroy())
      return
    case 'refuse':
      response.socket?.resetAndDestroy()
      return
    case 'hang':
      return
    case 'stall':
      response.writeHead(200, { ...json, 'content-length': String(Buffer.byteLength(answer)) })
      response.write(answer.slice(0, answer.length >> 1))
      return
    case 'truncated-json':
      response.writeHead(200, json)
      response.end(answer.slice(0, answer.length >> 1))
      return
    case 'html':
      response.writeHead(fault.status ?? 200, { 'content-type': 'text/html' })
      response.end('<!DOCTYPE html><html><body>It works!</body></html>')
      return
    case 'redirect':
      response.writeHead(
        fault.status ?? 307,
        fault.location === undefined ? {} : { location: fault.location },
      )
      response.end()
      return
    case 'event-stream':
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(eventsOf(answer, fault.isCut ?? false))
      return
    case 'echo': {
      const { url, headers, rawHeaders } = response.req
      const message = `Cannot serve ${url} at http://${headers.host}${url} with ${rawHeaders.join(': ')}`
      response.writeHead(fault.status ?? 400, json)
      response.end(JSON.stringify({ error: { message, code: url, param: url, type: headers.authorization } }))
      return
    }
    case 'no-choices':
      response.writeHead(200, json)
      response.end(JSON.stringify({ id: 'stub', object: 'chat.completion', choices: [] }))
      return
    case 'context-length': {
      const message =
        fault.message ??
        "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens."
      response.writeHead(400, json)
      response.end(JSON.stringify({ error: { message, code: 'context_length_exceeded' } }))
      return
    }
    case 'empty-text':
    case 'cut-prompt':
      response.writeHead(200, json)
      response.end(answer)
      return
    default:
      fault satisfies never
  }
}

/** A completion as a server streams it: one word per event, the finish reason, the usage, and the end mark. */
function eventsOf(answer: string, isCut: boolean): string {
  const { choices, usage, ...rest } = JSON.parse(answer)
  const { message, finish_reason, logprobs } = choices[0]
  const words: string[] = message.content.match(/\s*\S+|\s+$/g) ?? []
  const chunk = (choice: object | undefined, more: object = {}) =>
    `data: ${JSON.stringify({ ...rest, ...more, choices: choice === undefined ? [] : [{ index: 0, ...choice }] })}\n\n`
  const { content, ...first } = message
  const events = [
    chunk({ delta: first, finish_reason: null }),
    ': keep-alive\n\n',
    ...words.map((word, i) =>
      chunk({
        delta: { content: word },
        finish_reason: null,
        ...(logprobs === null ? {} : { logprobs: { content: [logprobs.content[i]] } }),
      }),
    ),
    chunk({ delta: {}, finish_reason }),
    chunk(undefined, { usage }),
    'data: [DONE]\n\n',
  ]
  return events.slice(0, isCut ? -3 : undefined).join('')
}
