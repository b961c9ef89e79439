/** Gives the tests one Postgres, which starts when the first of them asks for it, and ends with the run. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Cluster, startCluster } from '../packages/store/src/testing/postgres-cluster.ts'

export async function setup(): Promise<() => Promise<void>> {
  // Vitest runs this for the whole run and again for each project.
  if (process.env.MEMAGENT_TEST_POSTGRES) return async () => undefined
  let started: Promise<Cluster> | undefined
  const server = createServer(async (_, response) => {
    try {
      started ??= startCluster()
      const { address, port } = await started
      response.end(JSON.stringify({ address, port }))
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  server.unref()
  process.env.MEMAGENT_TEST_POSTGRES = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return async () => {
    server.closeAllConnections()
    server.close()
    await (await started?.catch(() => undefined))?.stop()
  }
}
