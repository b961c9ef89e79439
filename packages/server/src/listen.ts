/** Listens, and stops gracefully. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { ConfigurationError } from '@memagent/core'
import type { Hono } from 'hono'
import { type AppOptions, createAppWithRuns } from './app.ts'
import { checkListenOptions } from './check-options.ts'
import { loadTracing } from './operations/load-tracing.ts'
import { stopping } from './request-error.ts'
import { isLoopback, loopbackHosts } from './safety/host-check.ts'

export interface ListenOptions extends Omit<AppOptions, 'signal' | 'hosts'> {
  /** Names that clients reach the server by, without ports, besides this machine's own and the address. */
  readonly hosts?: readonly string[] | undefined
  /** @default 127.0.0.1 */
  readonly address?: string | undefined
  /** 0 for any free port. @default 8642 */
  readonly port?: number | undefined
  /** How long a client may take to send. @default 20 s for the head, 15 minutes in all, as large files need */
  readonly sending?: SendingLimits | undefined
}

export interface SendingLimits {
  readonly headMs: number
  readonly requestMs: number
}

export interface RunningServer {
  /** `http://127.0.0.1:8642` */
  readonly url: string
  /** Ends readings, which can continue later if they are kept, then the connections. Idempotent. */
  stop(): Promise<void>
}

export const defaultPort = 8642

/** @throws ConfigurationError if an option is wrong, the address is not this machine's own and no keys are required, or cannot be used */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { address = '127.0.0.1', port = defaultPort, findKey } = options
  checkListenOptions(options)
  if (!isLoopback(address) && !findKey) throw needsKeys(address)
  const ending = new AbortController()
  const shown = address.includes(':') ? `[${address}]` : address
  const hosts = [...loopbackHosts, shown, ...(options.hosts ?? [])]
  const { app, runs } = createAppWithRuns({
    tracing: await loadTracing(),
    ...options,
    hosts,
    signal: ending.signal,
  })
  const sending = options.sending ?? { headMs: 20_000, requestMs: 900_000 }
  // Runs resume before the first request, whose client may follow one, but only once the address is known to be free.
  let open: (() => void) | undefined
  const isOpen = new Promise<void>((resolve) => {
    open = resolve
  })
  const server = serverFor(async (...request) => isOpen.then(() => app.fetch(...request)), sending)
  const busy = watchRequests(server)
  const bound = await started(server, address, port)
  try {
    await runs?.goOn()
    open?.()
  } catch (error) {
    await Promise.all([stop(server, ending, () => 0), runs?.close()])
    throw error
  }
  let stopped: Promise<void> | undefined
  return {
    url: `http://${shown}:${bound}`,
    stop() {
      stopped ??= Promise.all([stop(server, ending, busy), runs?.close()]).then(() => undefined)
      return stopped
    },
  }
}

function serverFor(fetch: Hono['fetch'], { headMs, requestMs }: SendingLimits): Server {
  const serverOptions = {
    headersTimeout: headMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(5000, headMs),
  }
  return createAdaptorServer({ fetch, serverOptions }) as Server
}

/** Connections waiting to be accepted: each turn of the event loop accepts one, and turns are slow while much is read. */
const backlog = 4096

/** @returns the port */
function started(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(host, port, cause)))
    server.listen({ host, port, backlog }, () => resolve((server.address() as AddressInfo).port))
  })
}

/** @returns a function that counts requests under way */
function watchRequests(server: Server): () => number {
  let count = 0
  server.on('request', (_, response) => {
    count += 1
    response.once('close', () => {
      count -= 1
    })
  })
  return () => count
}

/** How long to wait for requests that end once readings are ended; others are cut off. */
const patienceMs = 5000

function stop(server: Server, ending: AbortController, busy: () => number): Promise<void> {
  ending.abort(stopping())
  const lastMs = performance.now() + patienceMs
  return new Promise((resolve) => {
    // Idle keep-alive connections would delay the end by seconds.
    const cutting = setInterval(() => {
      if (busy() === 0 || performance.now() > lastMs) server.closeAllConnections()
    }, 20)
    server.close(() => {
      clearInterval(cutting)
      resolve()
    })
  })
}

const needsKeys = (address: string) =>
  new ConfigurationError({
    code: 'server/needs-keys',
    message: `At the address ${address}, others can reach the server, and no keys are required.`,
    hint: 'Make a key (memagent keys add NAME), or listen on 127.0.0.1.',
  })

const hints: Readonly<Record<string, string>> = {
  EADDRINUSE: 'Choose another port (--port), or stop what uses it.',
  EACCES: 'Choose another port (--port): this one is kept for privileged programs.',
}

const cannotListen = (address: string, port: number, cause: NodeJS.ErrnoException) =>
  new ConfigurationError({
    code: 'server/cannot-listen',
    message: `The server cannot listen on ${address}:${port}: ${cause.message}`,
    hint:
      hints[cause.code ?? ''] ??
      `Give an address of this machine (--address), such as 127.0.0.1; ${address} is none.`,
    cause,
  })
