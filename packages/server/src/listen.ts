/** Listens, and stops gracefully. */
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { ConfigurationError } from '@memagent/core'
import { type AppOptions, createAppWithRuns } from './app.ts'
import { stopping } from './errors.ts'
import { isLoopback, loopbackHosts } from './safety/host-check.ts'

export interface ListenOptions extends Omit<AppOptions, 'signal' | 'hosts'> {
  /** Names that clients reach the server by, without ports, besides this machine's own and the address. */
  readonly hosts?: readonly string[] | undefined
  /** @default 127.0.0.1 */
  readonly address?: string | undefined
  /** 0: any that is free. @default 8642 */
  readonly port?: number | undefined
}

export interface RunningServer {
  /** `http://127.0.0.1:8642` */
  readonly url: string
  /** Ends readings, which can go on later where they are kept, and then the connections. Idempotent. */
  stop(): Promise<void>
}

export const defaultPort = 8642

/** @throws ConfigurationError where the address is not this machine's own and no keys are required, or it cannot be used */
export async function listen(options: ListenOptions): Promise<RunningServer> {
  const { address = '127.0.0.1', port = defaultPort, findKey } = options
  if (!isLoopback(address) && !findKey) throw needsKeys(address)
  const ending = new AbortController()
  const shown = address.includes(':') ? `[${address}]` : address
  const hosts = [...loopbackHosts, shown, ...(options.hosts ?? [])]
  const { app, runs } = createAppWithRuns({ ...options, hosts, signal: ending.signal })
  // Before the first request: who follows a run finds it under way.
  await runs?.goOn()
  const { server, bound } = await started({ fetch: app.fetch, hostname: address, port })
  let stopped: Promise<void> | undefined
  return {
    url: `http://${shown}:${bound}`,
    stop() {
      stopped ??= Promise.all([stop(server, ending), runs?.close()]).then(() => undefined)
      return stopped
    },
  }
}

function started(options: Parameters<typeof serve>[0]): Promise<{ server: Server; bound: number }> {
  return new Promise((resolve, reject) => {
    const server = serve(options, ({ port }) => resolve({ server, bound: port })) as Server
    server.once('error', (cause) => reject(cannotListen(options.hostname ?? '', options.port ?? 0, cause)))
  })
}

/** Requests that end by themselves once readings are ended are waited for, others are cut off. */
const patienceMs = 5000

function stop(server: Server, ending: AbortController): Promise<void> {
  ending.abort(stopping())
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), patienceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

const needsKeys = (address: string) =>
  new ConfigurationError({
    code: 'server/needs-keys',
    message: `At the address ${address}, others can reach the server, and no keys are required.`,
    hint: 'Make a key (memagent keys add NAME), or listen on 127.0.0.1.',
  })

const cannotListen = (address: string, port: number, cause: Error) =>
  new ConfigurationError({
    code: 'server/cannot-listen',
    message: `The server cannot listen on ${address}:${port}: ${cause.message}`,
    hint: 'Choose another port (--port), or stop what uses it.',
    cause,
  })
