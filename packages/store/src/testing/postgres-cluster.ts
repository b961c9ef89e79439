/** A Postgres for tests, in a temporary folder; it ends with the process that started it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { type FoundPostgres, findPostgres } from './find-postgres.ts'

export interface Cluster {
  /** Over a socket, which trusts every user: `postgres://postgres@%2Ffolder/`; append the name of a database. */
  readonly address: string
  /** On the loopback interface, which asks for passwords. */
  readonly port: number
  /** Idempotent. */
  stop(): Promise<void>
}

/** Stops Postgres and removes its folder when this shell's input closes, even if the process that started it was killed. */
const keeper = `"$1/postgres" -D "$2/data" >"$2/log" 2>&1 & server=$!
  read -r _; kill -QUIT $server; wait $server; rm -rf "$2"/*`

/** @throws Error with the output of Postgres */
export async function startCluster(): Promise<Cluster> {
  const found = findPostgres()
  if ('missing' in found) throw new Error(found.missing)
  const { programs, user } = found
  // The socket needs a short path, which another user may enter.
  const folder = await mkdtemp('/tmp/memagent-postgres-')
  if (user) await chown(folder, user.uid, user.gid)
  const port = await freePort()
  const options = [
    '-A',
    'trust',
    '-U',
    'postgres',
    '-E',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
    '--no-instructions',
  ]
  await run(found, 'initdb', ['-D', join(folder, 'data'), ...options])
  const settings = [
    `unix_socket_directories = '${folder}'`,
    `listen_addresses = '127.0.0.1'`,
    `port = ${port}`,
    'fsync = off',
    'max_connections = 200',
  ]
  await writeFile(join(folder, 'data', 'postgresql.auto.conf'), settings.join('\n'))
  const rules = ['local all all trust', 'host all all 127.0.0.1/32 scram-sha-256']
  await writeFile(join(folder, 'data', 'pg_hba.conf'), rules.join('\n'))
  const shell = spawn('sh', ['-c', keeper, 'sh', programs, folder], {
    ...user,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const stop = async () => {
    shell.ref()
    shell.stdin!.end()
    if (shell.exitCode === null && shell.signalCode === null) await once(shell, 'exit')
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilReady(folder, shell)
  } catch (error) {
    await stop()
    throw error
  }
  shell.unref()
  ;(shell.stdin as unknown as { unref(): void }).unref()
  return { address: `postgres://postgres@${encodeURIComponent(folder)}:${port}/`, port, stop }
}

async function untilReady(folder: string, shell: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1200 && shell.exitCode === null; attempt++) {
    const status = await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8').catch(() => '')
    if (/^ready/m.test(status)) return
    await setTimeout(25)
  }
  throw new Error(`Postgres did not start: ${await readFile(join(folder, 'log'), 'utf8').catch(String)}`)
}

async function run(
  { programs, user }: FoundPostgres,
  program: string,
  args: readonly string[],
): Promise<void> {
  const child = spawn(join(programs, program), args, {
    ...user,
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (data) => {
    said += data
  })
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${said}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { readonly port: number }
  server.close()
  return port
}
