/**
 * A `fetch` for slow models. Node's own gives up when a reply has not begun after five minutes, whatever the time-out of
 * the call, and a 7B model on a CPU takes longer than that. This one waits until its signal aborts.
 * It does only what model servers need: no redirects, a proxy only where Node is told to use one, and compression only where a
 * server compresses unasked.
 */
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { ConfigurationError } from '../errors.ts'
import type { Fetch } from './http-exchange.ts'

/** Creates a `fetch` to pass as the `fetch` option of server models. */
export function createPatientFetch(): Fetch {
  return async (input, init = {}) => {
    if (input instanceof Request || (init.body != null && typeof init.body !== 'string')) {
      throw new ConfigurationError({
        code: 'chat/patient-fetch',
        message: 'The patient fetch takes only a URL and a text body',
      })
    }
    const { method = 'GET', body, signal } = init
    const url = new URL(input)
    const headers = Object.fromEntries(new Headers(init.headers))
    const send = url.protocol === 'https:' ? httpsRequest : httpRequest
    const message = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = send(url, {
        method,
        headers: {
          ...headers,
          'accept-encoding': 'identity',
          ...(body == null ? {} : { 'content-length': String(Buffer.byteLength(body as string)) }),
        },
        ...(signal == null ? {} : { signal }),
      })
      request.on('response', resolve)
      request.on('error', reject)
      request.end(body ?? undefined)
    })
    const status = message.statusCode ?? 500
    const hasBody = status !== 204 && status !== 304
    return new Response(hasBody ? (Readable.toWeb(decoded(message)) as ReadableStream<Uint8Array>) : null, {
      status,
      headers: Object.entries(message.headers).flatMap(([name, value]) =>
        value === undefined
          ? []
          : [[name, Array.isArray(value) ? value.join(', ') : value] as [string, string]],
      ),
    })
  }
}

const decoders = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

function decoded(message: IncomingMessage): Readable {
  const encoding = message.headers['content-encoding']?.toLowerCase() ?? ''
  const decode = Object.hasOwn(decoders, encoding) ? decoders[encoding as keyof typeof decoders] : undefined
  // An error reaches whoever reads the decoder.
  return decode ? pipeline(message, decode(), () => undefined) : message
}
