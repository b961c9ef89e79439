/**
 * A server of the Tinker protocol for tests: on the loopback interface, with a real (tiny) model, so gradients and
 * log-probabilities are real. It answers as recorded from SkyRL; the test decides how it computes and what goes wrong. Not
 * for serving models.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Faults, playFault, type ServerCall } from './faults.ts'
import { type Answer, FutureStore } from './future-store.ts'
import { decodeRequest, encodeLossResult, encodeSampleResult } from './protobuf-server.ts'
import { createRoutes, isTokenOf, type Route } from './routes.ts'
import { type ServerBehaviour, skyrlBehaviour } from './server-behaviour.ts'
import { ServerEngine } from './server-engine.ts'

export interface ProtocolServer {
  readonly baseUrl: string
  /** All calls so far, in the order of their arrival. */
  readonly calls: readonly ServerCall[]
  /** Calls by the last part of their path. */
  callsOf(name: string): ServerCall[]
  /** The largest number of samples in flight. */
  readonly peakSamples: number
  /** Forgets all results and numbers, like a restarted server that keeps them in memory. */
  forgetFutures(): void
  setFaults(faults: Faults | undefined): void
  close(): Promise<void>
}

export async function startProtocolServer(
  options: Partial<ServerBehaviour> & { readonly faults?: Faults | undefined } = {},
): Promise<ProtocolServer> {
  const { faults: firstFaults, ...changes } = options
  const behaviour: ServerBehaviour = { ...skyrlBehaviour, ...changes }
  let faults = firstFaults
  const engine = new ServerEngine(behaviour)
  const futures = new FutureStore(behaviour)
  const routes = createRoutes(behaviour, engine, futures)
  const calls: ServerCall[] = []
  const counts = new Map<string, number>()

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const call = await readCall(request, counts)
    calls.push(call)
    const fault = faults?.(call)
    if (fault && fault.kind !== 'lose-answer') return playFault(fault, response)
    const answer = authorize(call, behaviour) ?? (await answerTo(call, routes, futures))
    if (fault) {
      response.destroy()
      return
    }
    send(response, call, answer)
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      console.error(error)
      response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' })
      response.end('Internal Server Error')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    calls,
    callsOf: (name) => calls.filter((call) => call.name === name),
    get peakSamples() {
      return futures.peakOpen
    },
    forgetFutures: () => futures.forget(),
    setFaults(next) {
      faults = next
      counts.clear()
    },
    async close() {
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
      await futures.idle()
      await engine.release()
    },
  }
}

async function readCall(request: IncomingMessage, counts: Map<string, number>): Promise<ServerCall> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  const bytes = Buffer.concat(parts)
  const path = request.url ?? ''
  const name = path.slice(path.lastIndexOf('/') + 1)
  const index = counts.get(name) ?? 0
  counts.set(name, index + 1)
  const { headers, method = 'GET' } = request
  return { method, path, name, index, bytes, headers, body: bodyOf(bytes, headers['content-type']) }
}

function bodyOf(bytes: Buffer, contentType: string | undefined): Record<string, unknown> | undefined {
  if (contentType === 'application/json') return JSON.parse(bytes.toString('utf8'))
  if (contentType !== 'application/x-protobuf') return undefined
  const { isForward, input, ...ids } = decodeRequest(bytes)
  return { ...ids, [isForward ? 'forward_input' : 'forward_backward_input']: input }
}

function authorize(call: ServerCall, { apiKey, usesTokens }: ServerBehaviour): Answer | undefined {
  if (apiKey === undefined) return undefined
  const given = call.headers['x-api-key']
  const takesKey = !usesTokens || call.name === 'config' || call.name === 'token'
  return (takesKey ? given === apiKey : isTokenOf(apiKey, String(given)))
    ? undefined
    : { status: 401, body: { detail: 'Invalid API key' } }
}

async function answerTo(
  call: ServerCall,
  routes: ReadonlyMap<string, Route>,
  futures: FutureStore,
): Promise<Answer> {
  if (call.name === 'retrieve_future') return futures.poll(call.body ?? {})
  const route =
    routes.get(call.path) ?? [...routes].find(([path]) => new RegExp(`^${path}$`).test(call.path))?.[1]
  return route ? route(call) : { status: 404, body: { detail: 'Not Found' } }
}

function send(response: ServerResponse, call: ServerCall, { status, body }: Answer): void {
  const isText = typeof body === 'string'
  if (status === 200 && !isText && String(call.headers.accept).includes('application/x-protobuf')) {
    const encoded = encodeResult(body as Record<string, unknown>)
    if (encoded) {
      response.writeHead(200, { 'content-type': 'application/x-protobuf' })
      response.end(encoded)
      return
    }
  }
  response.writeHead(status, { 'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json' })
  response.end(isText ? body : JSON.stringify(body))
}

function encodeResult(body: Record<string, unknown>): Uint8Array | undefined {
  if ('loss_fn_outputs' in body) return encodeLossResult(body as never)
  if ('sequences' in body) return encodeSampleResult(body as never)
  return undefined
}
