/** A proxy between a store and its Postgres that cuts connections on demand. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

/** Cuts before the request arrives, or after it arrived and before the reply does. */
export type Cut = 'before' | 'after' | undefined

export interface CuttingProxy {
  readonly port: number
  /** Called with everything that a client sends. */
  cut: (sent: string) => Cut
  /** Refuses every connection. */
  isAway: boolean
  close(): Promise<void>
}

/** @param port of the server, on the loopback interface */
export async function createCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (proxy.isAway) return client.destroy()
    const upstream = connect(port, '127.0.0.1')
    const ends = [client, upstream]
    const end = () => {
      for (const socket of ends) socket.destroy()
    }
    let isSilent = false
    for (const socket of ends) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    upstream.on('data', (data) => {
      if (isSilent) end()
      else client.write(data)
    })
    client.on('data', (data) => {
      const cut = proxy.cut(data.toString('latin1'))
      if (cut === 'before') return end()
      isSilent ||= cut === 'after'
      upstream.write(data)
    })
    return client
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const proxy: CuttingProxy = {
    port: (server.address() as AddressInfo).port,
    cut: () => undefined,
    isAway: false,
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
  return proxy
}
