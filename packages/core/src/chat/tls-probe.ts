/** Finds out whether a server that was called over plain HTTP expects TLS: the broken connection alone does not say. */
import { ChatError } from '../errors.ts'
import { withProtocol } from './address-text.ts'
import { exchange, type Fetch } from './http-exchange.ts'

const probeTimeoutMs = 3000

/** True for a connection that broke as it does when a server expects TLS and gets plain HTTP. */
export function mayBeTls({ code, details }: ChatError, url: string): boolean {
  const { networkCode } = details
  return (
    url.startsWith('http:') &&
    code === 'chat/connection' &&
    typeof networkCode === 'string' &&
    /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET|HPE_)/.test(networkCode)
  )
}

/** Calls the same port over TLS, without key, headers and path. A refused certificate or handshake is TLS, too. */
export async function speaksTls(
  url: string,
  fetch: Fetch,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const probe = { method: 'GET', headers: {}, timeoutMs: probeTimeoutMs, signal, fetch } as const
  try {
    await exchange({ ...probe, url: `${withProtocol(url, 'https')}/` })
    return true
  } catch (error) {
    signal?.throwIfAborted()
    return error instanceof ChatError && error.code === 'chat/certificate'
  }
}
