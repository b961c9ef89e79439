/** Serves the tools over standard input and output, until the client goes away or a signal comes. */
import { createRequire } from 'node:module'
import type { Store } from '@memagent/store'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { Command } from 'commander'
import { AllowedFolders } from './allowed-folders.ts'
import { optionsGiven } from './commands.ts'
import { Jobs } from './jobs.ts'
import { StoredRuns } from './stored-runs.ts'
import { createMcpServer } from './tools.ts'

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string }

export interface ServeOptions {
  readonly store: Store
  readonly roots: readonly string[]
  /** Its options are those of the readings. */
  readonly command: Command
  readonly waitMs: number
}

/** @throws UsageError for a root that is no folder */
export async function serve({ store, roots, command, waitMs }: ServeOptions): Promise<void> {
  const folders = await AllowedFolders.open(roots)
  const jobs = new Jobs()
  const tools = {
    version,
    folders,
    runs: new StoredRuns(store, folders),
    jobs,
    options: optionsGiven(command),
    waitMs,
  }
  const handle = serveStdio(() => createMcpServer(tools))
  await untilGone()
  await jobs.close()
  await handle.close()
}

function untilGone(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
    process.stdin.once('end', () => resolve())
    process.stdin.once('close', () => resolve())
  })
}
