/** http:// where the server expects TLS, or the reverse: reported as such, since the raw errors say something else. */
import { ChatError } from '../errors.ts'
import { showAddress, withProtocol } from './address-text.ts'

export function tlsExpected(url: string): ChatError {
  const { host } = new URL(url)
  return new ChatError({
    code: 'chat/wrong-protocol',
    message: `The base URL begins with http://, but the server at ${host} expects TLS`,
    hint: `Begin the base URL with ${withProtocol(url, 'https')}`,
    details: { url: showAddress(url) },
  })
}

export function noTls(url: string, cause: unknown): ChatError {
  const { host } = new URL(url)
  return new ChatError({
    code: 'chat/wrong-protocol',
    message: `The base URL begins with https://, but the server at ${host} does not speak TLS`,
    hint: `Begin the base URL with ${withProtocol(url, 'http')} if that server speaks plain HTTP, as most local ones do.`,
    details: { url: showAddress(url) },
    cause,
  })
}

/** How web servers answer plain HTTP on their TLS port (nginx, Go, Apache). */
export const saysTlsExpected = (text: string): boolean =>
  /plain HTTP request was sent to HTTPS port|HTTP request to an HTTPS server|speaking plain HTTP to an SSL-enabled/i.test(
    text,
  )
