/**
 * The base URL, key and headers of a server, checked on input: a bad one must fail clearly, and secrets in them must never be
 * printed.
 */
import { ConfigurationError } from '../errors.ts'
import { hideAddresses, showAddress } from './address-text.ts'
import { checkHeaders } from './headers.ts'
import { createRedactor } from './redactor.ts'

export interface ServerCredentials {
  /** Sent as a bearer token, never printed. */
  readonly apiKey?: string | undefined
  /** Extra headers of every request; their values are never printed. An `authorization` header replaces the key's. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

export interface ServerAddress {
  /** Ends with a slash. */
  readonly base: string
  /** The base without /v1, where servers have their native endpoints. */
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
  /** The full URL of a path below the base (or the root), with the base URL's query: for sending, never for showing. */
  url(path: string, from?: 'base' | 'root'): string
  /** The text without key, header values and the base URL's query, and with addresses in their printable form. */
  redact(text: string): string
}

const example = 'A base URL looks like http://localhost:8000/v1'

/** @throws ConfigurationError */
export function parseServerAddress(baseUrl: string, credentials: ServerCredentials = {}): ServerAddress {
  if (!URL.canParse(baseUrl)) {
    // No cause, which would contain the URL.
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `"${showAddress(baseUrl)}" is not a URL`,
      hint: example,
    })
  }
  const parsed = new URL(baseUrl)
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `A base URL begins with http:// or https://, not as "${showAddress(baseUrl)}" does`,
      hint: example,
    })
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `The base URL of ${parsed.host} holds a user name or password`,
      hint: 'Pass the key separately, or the header that the server expects (--header "Authorization: Basic ...").',
    })
  }
  const key = credentials.apiKey?.trim()
  if (key !== undefined && !/^[\x21-\x7E]*$/.test(key)) {
    throw new ConfigurationError({
      code: 'chat/api-key',
      message:
        'The API key contains characters that a key cannot have (spaces, line breaks or letters beyond ASCII)',
    })
  }
  const headers = checkHeaders(credentials.headers ?? {})
  const hide = createRedactor({ key, headers, query: parsed.search })
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const base = `${parsed.origin}${path}/`
  const root = `${parsed.origin}${path.replace(/\/v1$/, '')}/`
  return {
    base,
    root,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    url: (below, from = 'base') => `${from === 'base' ? base : root}${below}${parsed.search}`,
    redact: (text) => hide(hideAddresses(text)),
  }
}
