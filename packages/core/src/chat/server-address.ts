/** The base URL and key of a server, checked at the door: a bad one must fail clearly and must never print the key. */
import { ConfigurationError } from '../errors.ts'

export interface ServerAddress {
  /** With a slash at the end. */
  readonly base: string
  /** The base without /v1, where servers keep their native endpoints. */
  readonly root: string
  readonly headers: Readonly<Record<string, string>>
  /** The full URL of a path below the base (or the root), query of the base URL kept. */
  url(path: string, from?: 'base' | 'root'): string
  /** The text without the key or what looks like one. */
  redact(text: string): string
}

/** @throws ConfigurationError */
export function parseServerAddress(baseUrl: string, apiKey: string | undefined): ServerAddress {
  let parsed: URL
  try {
    parsed = new URL(baseUrl)
  } catch (cause) {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `"${baseUrl}" is not a URL`,
      hint: 'A base URL looks like http://localhost:8000/v1',
      cause,
    })
  }
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `A base URL begins with http:// or https://, not with ${parsed.protocol}`,
      hint: 'A base URL looks like http://localhost:8000/v1',
    })
  }
  if (parsed.username !== '' || parsed.password !== '') {
    throw new ConfigurationError({
      code: 'chat/base-url',
      message: `The base URL of ${parsed.host} holds a user name or password`,
      hint: 'Give the key separately.',
    })
  }
  const key = apiKey?.trim()
  if (key !== undefined && !/^[\x21-\x7E]*$/.test(key)) {
    throw new ConfigurationError({
      code: 'chat/api-key',
      message:
        'The API key holds characters that a key cannot have (spaces, line breaks or letters beyond ASCII)',
    })
  }
  const path = parsed.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  const base = `${parsed.origin}${path}/`
  const root = `${parsed.origin}${path.replace(/\/v1$/, '')}/`
  return {
    base,
    root,
    headers: key === undefined || key === '' ? {} : { authorization: `Bearer ${key}` },
    url: (below, from = 'base') => `${from === 'base' ? base : root}${below}${parsed.search}`,
    redact(text) {
      const hidden = key === undefined || key.length < 4 ? text : text.replaceAll(key, '[key]')
      // Servers echo keys in part, such as sk-ab***yz.
      return hidden.replace(/\b(?:sk|key|hf|gsk|xai)[-_][\w*.-]{6,}/g, '[key]')
    },
  }
}
