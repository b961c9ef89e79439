/** A proxy, used where `NODE_USE_ENV_PROXY` is set, that is absent or refuses the connection: no fault of the model server. */
import { ChatError } from '../errors.ts'
import { showAddress } from './address-text.ts'

/** How `fetch` and `node:https` word it; only the words tell, as the codes stand for other faults, too. */
const refused = /Proxy response \((\d{3})\) !== 200|Failed to establish tunnel to .*: HTTP\/[\d.]+ (\d{3})/

/** @param text the messages of what was thrown and its causes */
export function proxyError(text: string, address: string, cause: unknown): ChatError | undefined {
  const found = refused.exec(text)
  if (!found) return undefined
  const status = Number(found[1] ?? found[2])
  const url = showAddress(address)
  return new ChatError({
    code: 'chat/proxy',
    message: `The proxy between here and ${url} refused to connect to it (HTTP ${status})`,
    hint:
      status === 407
        ? 'It wants a name and a password: HTTPS_PROXY has them between // and @, before the host.'
        : 'If the server can be reached without the proxy that HTTPS_PROXY or HTTP_PROXY names, name its host in NO_PROXY.',
    details: { url, status },
    isRetryable: status >= 500,
    cause,
  })
}

/** Where a connection was tried, as the system tells it. */
export interface Tried {
  /** Of a host that was looked up. */
  readonly hostname?: unknown
  readonly address?: unknown
  readonly port?: unknown
}

/** What was tried instead of the server, which only a proxy makes happen; undefined if it was the server. */
export function absentProxy({ hostname, address, port }: Tried, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const server = new URL(url)
  if (typeof hostname === 'string') return hostname === server.hostname ? undefined : hostname
  if (typeof port !== 'number') return undefined
  const expected = Number(server.port) || (server.protocol === 'https:' ? 443 : 80)
  return port === expected ? undefined : `${address}:${port}`
}
