/** Asks the server. */
import { access } from './access.svelte.ts'

/** The server refused, or could not be reached. */
export class ApiFailure extends Error {
  /** Of the response; 0 if there was none. */
  readonly status: number
  readonly hint: string | undefined
  /** When to try again, if the server says so. Milliseconds. */
  readonly retryAfterMs: number | undefined

  constructor(status: number, message: string, hint?: string, retryAfterMs?: number) {
    super(message)
    this.status = status
    this.hint = hint
    this.retryAfterMs = retryAfterMs
  }
}

interface Request {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
}

/** @param path relative to the page @throws ApiFailure; the signal's reason */
export async function ask(path: string, { method, body, headers, signal }: Request = {}): Promise<Response> {
  const response = await fetch(path, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers: {
      ...access.headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw signal.reason
    throw unreachable(error)
  })
  if (!response.ok) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    throw failureOf(response.status, await response.text().catch(() => ''), 1000 * seconds)
  }
  return response
}

/** The body of the reply. @throws ApiFailure */
export async function askJson<Body>(path: string, request: Request = {}): Promise<Body> {
  const response = await ask(path, request)
  return (await response.json()) as Body
}

/** @param body an error of the API, or anything else @param retryMs NaN if the server does not say */
export function failureOf(status: number, body: string, retryMs = Number.NaN): ApiFailure {
  if (status === 401) access.isRefused = true
  const { message, hint } = errorIn(body)
  const retryAfterMs = Number.isFinite(retryMs) ? retryMs : undefined
  return new ApiFailure(status, message ?? `The server replied with status ${status}.`, hint, retryAfterMs)
}

/** For people: what went wrong, and what to do. */
export function failureText(error: unknown): string {
  if (error instanceof ApiFailure) return [error.message, error.hint].filter(Boolean).join(' ')
  return error instanceof Error ? error.message : String(error)
}

const unreachable = (cause: unknown): ApiFailure => {
  const failure = new ApiFailure(0, 'The server cannot be reached.', 'Is it still running?')
  failure.cause = cause
  return failure
}

function errorIn(body: string): { message?: string; hint?: string } {
  try {
    return (JSON.parse(body) as { error?: { message?: string; hint?: string } }).error ?? {}
  } catch {
    return {}
  }
}

/** Saves the server's reply as a file. @throws ApiFailure */
export async function download(path: string, name: string): Promise<void> {
  const blob = await (await ask(path)).blob()
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
