/**
 * The credentials of a request: the API key or, if the server wants one, a short-lived token exchanged for the key and
 * renewed in time.
 */
import { ConfigurationError, showAddress } from '@memagent/core'

export interface Credentials {
  /** The header's current value; undefined if the server needs none. */
  current(): Promise<string | undefined>
}

export interface ServerAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey: string | undefined
}

/** Address of the official service, unless `TINKER_BASE_URL` names another. */
export const officialBaseUrl = 'https://tinker.thinkingmachines.dev/services/tinker-prod'

/**
 * Address and key, from the options, or else from `TINKER_BASE_URL` and `TINKER_API_KEY`.
 * @throws ConfigurationError for an invalid URL, or a key that cannot be sent
 */
export function resolveAddress(
  options: { readonly baseUrl?: string | undefined; readonly apiKey?: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
  auth: 'api-key' | 'none',
): ServerAddress {
  const baseUrl = (options.baseUrl ?? environment.TINKER_BASE_URL ?? officialBaseUrl).replace(/\/+$/, '')
  const apiKey = options.apiKey ?? environment.TINKER_API_KEY
  if (!URL.canParse(baseUrl) || !/^https?:$/.test(new URL(baseUrl).protocol)) {
    throw new ConfigurationError({
      code: 'tinker/base-url',
      message: `"${showAddress(baseUrl)}" is not the URL of a Tinker server.`,
      hint: 'It looks like http://127.0.0.1:8000; paths are appended to it.',
    })
  }
  const { username, password, search, hash } = new URL(baseUrl)
  if (username !== '' || password !== '' || search !== '' || hash !== '') {
    throw new ConfigurationError({
      code: 'tinker/base-url',
      message: `The URL ${showAddress(baseUrl)} of a Tinker server holds a user name, a password or a query.`,
      hint: 'Paths are appended to it, and the key is sent by itself: TINKER_API_KEY.',
    })
  }
  if (auth === 'api-key' && !apiKey) {
    throw new ConfigurationError({
      code: 'tinker/no-api-key',
      message: `The server at ${baseUrl} requires an API key, and none is set.`,
      hint: 'Set TINKER_API_KEY.',
    })
  }
  if (auth === 'api-key' && !/^(tml|eyJ)/.test(apiKey!)) {
    throw new ConfigurationError({
      code: 'tinker/api-key-form',
      message: 'The API key does not look like a Tinker key: those begin with "tml-".',
      hint: 'Check TINKER_API_KEY.',
    })
  }
  return { baseUrl, apiKey: auth === 'none' ? undefined : apiKey }
}

export const keyCredentials = (apiKey: string | undefined): Credentials => ({ current: async () => apiKey })

/** Renew when less than this is left; the first such request renews, others share its promise. */
const renewBeforeMs = 5 * 60_000

/** @param exchange exchanges the API key for a fresh token */
export function tokenCredentials(exchange: () => Promise<string>, now: () => number): Credentials {
  let token: string | undefined
  let expiresAt = 0
  let renewal: Promise<void> | undefined
  const renew = async () => {
    token = await exchange()
    expiresAt = expiryOf(token) ?? now() + 2 * renewBeforeMs
  }
  return {
    async current() {
      if (token === undefined || expiresAt - now() < renewBeforeMs) {
        renewal ??= renew().finally(() => {
          renewal = undefined
        })
        // A token valid for another minute will do for this request, whether or not its renewal succeeds.
        if (token !== undefined && expiresAt - now() > 60_000) renewal.catch(() => undefined)
        else await renewal
      }
      return token
    },
  }
}

/** The `exp` claim, in milliseconds since 1970; undefined if the token has none. */
function expiryOf(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const exp = (claims as { exp?: unknown }).exp
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}
