/**
 * Classifies an HTTP reply that is not a result: wrong address, wrong model, refused key, no quota, prompt too long, rate
 * limit, or the server's own fault. Every kind has a code, a hint, and whether a retry makes sense.
 */
import { ChatError, ChatTimeoutError, OverlongPromptError, RateLimitedError } from '../errors.ts'
import { showAddress } from './address-text.ts'
import { askedWaitMs } from './asked-wait.ts'
import type { HttpReply } from './http-exchange.ts'
import { asCount, asNumber, asObject, asString, parseJson } from './json-fields.ts'
import { type OverlongNumbers, readOverlongMessage } from './overlong-prompt.ts'
import { redirectError } from './redirect-error.ts'
import { saysTlsExpected, tlsExpected } from './wrong-protocol.ts'

export interface FailedCall {
  readonly url: string
  readonly model: string
  /** Removes secrets from anything that people see. */
  readonly redact: (text: string) => string
  readonly now: number
}

interface ServerMessage {
  readonly whole: string
  /** The start of the message, which decides the kind of error. */
  readonly message: string
  readonly code: string
  readonly param: string | undefined
  readonly numbers: OverlongNumbers
}

/** A request that alone exceeds what an account may send in a minute, in words of OpenAI, Groq and GitHub; mostly with 429. */
const allowsNoSuchRequest = /\brequest (?:body )?too large for\b/i

/** The error for a reply that has none of the expected fields, whatever its status. */
export function serverError(reply: HttpReply, failed: FailedCall): ChatError {
  const isHtml = /^\s*<(?:!doctype|html|head|body)/i.test(reply.text)
  const { whole, message, code, param, numbers } = readMessage(reply, isHtml)
  // Redacted before it is cut: a secret cut in half would not be recognized.
  const said = message === '' ? '' : `: ${failed.redact(whole).slice(0, 1000)}`
  const { status } = reply
  if (status === 400 && failed.url.startsWith('http:') && saysTlsExpected(reply.text))
    return tlsExpected(failed.url)
  if (status >= 300 && status < 400) return redirectError(reply, failed)
  const call = { ...failed, url: showAddress(failed.url) }
  const details = {
    url: call.url,
    status,
    model: call.model,
    ...(code === '' ? {} : { serverCode: failed.redact(code) }),
  }

  const overlong = isHtml ? undefined : readOverlongMessage(`${message} ${code}`)
  if (overlong !== undefined && status !== 429) {
    return new OverlongPromptError({
      code: 'chat/overlong-prompt',
      message: `The prompt does not fit the window of ${call.model}${said}`,
      hint: 'Serve the model with a larger window, or lower the window budget of the run (chunk, memory, output).',
      details: { ...details, ...withoutUndefined(overlong), ...withoutUndefined(numbers) },
    })
  }
  if (!isHtml && allowsNoSuchRequest.test(message)) {
    return new OverlongPromptError({
      code: 'chat/overlong-prompt',
      message: `The request is larger than any that the server at ${call.url} takes (${status})${said}`,
      hint: 'Waiting will not help: lower the window budget of the run (chunk, memory, output), or use an account with a higher limit.',
      details: { ...details, ...withoutUndefined(numbers) },
    })
  }
  if (isUnknownModel(status, message, code)) {
    return new ChatError({
      code: 'chat/unknown-model',
      message: `The server at ${call.url} does not know the model "${call.model}"${said}`,
      hint: 'Use a name that the server lists.',
      details,
    })
  }
  if (status === 401 || status === 403) {
    return new ChatError({
      code: 'chat/key-refused',
      message: `The server at ${call.url} refused the key (${status})${said}`,
      hint: 'Check MEMAGENT_API_KEY or OPENAI_API_KEY, and that the key belongs to this server and may use this model.',
      details,
    })
  }
  if (
    status === 402 ||
    /insufficient_quota|insufficient balance/i.test(`${code} ${message}`) ||
    // Sent for an account without credit; with a stated wait it is a rate limit.
    (/exceeded your current quota/i.test(message) && askedWaitMs(reply, call.now) === undefined)
  ) {
    return new ChatError({
      code: 'chat/quota-exhausted',
      message: `The account of this key has no quota left (${status})${said}`,
      hint: 'Waiting will not help: add credit, or use another key or server.',
      details,
    })
  }
  if (status === 429) {
    return new RateLimitedError({
      code: 'chat/rate-limited',
      message: `The server at ${call.url} limits the rate of requests (429)${said}`,
      hint: 'Lower the concurrency.',
      details: { ...details, ...retryDetail(reply, call.now) },
      isRetryable: true,
    })
  }
  if (status === 408 || status === 504) {
    return new ChatTimeoutError({
      code: 'chat/timeout',
      message: `The server at ${call.url} gave up waiting (${status})${said}`,
      details: { ...details, ...retryDetail(reply, call.now) },
      isRetryable: true,
    })
  }
  if (status >= 500 || status === 409) {
    return new ChatError({
      code: 'chat/server-fault',
      message: `The server at ${call.url} failed (${status})${isHtml ? '' : said}`,
      hint: "The server's log tells why.",
      details: { ...details, ...retryDetail(reply, call.now) },
      isRetryable: true,
    })
  }
  if (isHtml || status === 404 || status === 405) {
    return new ChatError({
      code: 'chat/wrong-url',
      message: isHtml
        ? `${call.url} returned a web page (${status}) instead of an API's JSON`
        : `${call.url} does not exist (${status})${said}`,
      hint: `Check the base URL: for most servers it ends in /v1, such as ${suggestBaseUrl(call.url)}`,
      details,
    })
  }
  const named = param === undefined ? undefined : call.redact(param)
  return new ChatError({
    code: named === undefined ? 'chat/rejected' : 'chat/rejected-parameter',
    message: `The server at ${call.url} rejected the request (${status})${said}`,
    hint:
      named === undefined
        ? undefined
        : `The server objects to "${named}": leave that setting out for this model.`,
    details: { ...details, ...(named === undefined ? {} : { param: named }) },
  })
}

/** True when the server wants `max_completion_tokens` instead of `max_tokens`, as OpenAI's reasoning models do. */
export function wantsMaxCompletionTokens(reply: HttpReply): boolean {
  if (reply.status !== 400) return false
  const { message, code } = readMessage(reply, false)
  return (
    /max_tokens/.test(message) &&
    /max_completion_tokens/.test(message) &&
    readOverlongMessage(`${message} ${code}`) === undefined
  )
}

/** True when the server does not take a `seed`, like Gemini's and Mistral's. */
export function refusesSeed(reply: HttpReply): boolean {
  if (reply.status !== 400 && reply.status !== 422) return false
  const { message, param } = readMessage(reply, false)
  return param === 'seed' || /\bseed\b/.test(message)
}

/** True when the server gives no log-probabilities of this model, like OpenAI's of its reasoning models. */
export function refusesLogprobs(reply: HttpReply): boolean {
  if (![400, 403, 422].includes(reply.status)) return false
  const { message, param } = readMessage(reply, false)
  return param === 'logprobs' || /\blogprobs\b/i.test(message)
}

export function readMessage(reply: HttpReply, isHtml: boolean): ServerMessage {
  const body = asObject(parseJson(reply.text))
  const error = typeof body.error === 'object' && body.error !== null ? asObject(body.error) : body
  const detail = error.detail
  const message =
    asString(error.message) ??
    asString(body.error) ??
    asString(detail) ??
    (detail === undefined ? undefined : JSON.stringify(detail)) ??
    (isHtml ? '' : reply.text)
  const code = [error.code, error.type].filter((part) => typeof part === 'string').join(' ')
  return {
    whole: message.trim(),
    message: message.trim().slice(0, 1000),
    code,
    param: asString(error.param),
    numbers: { promptTokens: asCount(error.n_prompt_tokens), contextWindow: asCount(error.n_ctx) },
  }
}

function isUnknownModel(status: number, message: string, code: string): boolean {
  if (/model_not_found/.test(code)) return true
  if (status !== 404 && status !== 400) return false
  return /\bmodel\b[\s\S]{0,200}?(?:not found|does not exist|not exist|is not loaded|not available|no such)/i.test(
    message,
  )
}

function retryDetail(reply: HttpReply, now: number): { retryAfterMs?: number } {
  const after = askedWaitMs(reply, now)
  return after === undefined ? {} : { retryAfterMs: after }
}

/** The status inside the error object of a server that answers everything with 200. */
export function statusOfErrorBody(body: unknown): number {
  const code = asNumber(asObject(asObject(body).error).code)
  return code !== undefined && code >= 400 && code < 600 ? code : 500
}

function suggestBaseUrl(url: string): string {
  const { origin } = new URL(url)
  return `${origin}/v1`
}

function withoutUndefined(numbers: OverlongNumbers): Record<string, number> {
  return Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== undefined))
}
