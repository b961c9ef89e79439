/** Serves the tools over standard input and output, until the client leaves or a signal arrives. */
import { createLocalRunService, createMcpServer, type ToolSources, WantedRuns } from '@memagent/server'
import type { Store } from '@memagent/store'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { version } from '../program.ts'
import type { IsGiven, SessionFlags } from '../sessions/session-settings.ts'
import { untilSignal } from '../signals.ts'
import { AllowedFolders } from './allowed-folders.ts'
import { FolderFiles } from './folder-files.ts'
import { FolderRuns } from './folder-runs.ts'
import { Jobs } from './jobs.ts'
import { SessionJobs } from './session-jobs.ts'
import type { SharedModel } from './shared-model.ts'
import { StoredRuns } from './stored-runs.ts'

export interface ServeOptions {
  readonly store: Store
  readonly roots: readonly string[]
  /** The upload folder of a server with the same store. */
  readonly uploads: string
  /** All options of the readings, whether given or configured. */
  readonly flags: SessionFlags
  readonly isGiven: IsGiven
  readonly model: SharedModel
  readonly waitMs: number
  readonly onFailure: (error: unknown) => void
}

/** @throws UsageError for a root that is not a folder */
export async function serve({ store, roots, uploads, model, ...options }: ServeOptions): Promise<void> {
  const { flags, isGiven, waitMs, onFailure } = options
  const folders = await AllowedFolders.open(roots)
  const stored = new StoredRuns(store, folders)
  const loadModel = async () => void (await model.load())
  const files = new FolderFiles(folders, uploads)
  const service = createLocalRunService({ models: model.served, store, uploads: files, onFailure })
  const runs = new FolderRuns({ store, stored, service, loadModel, flags })
  const jobs = new Jobs()
  const sessions = new SessionJobs({ jobs, runs: stored, flags, isGiven, openModel: model.borrow, waitMs })
  const wanted = new WantedRuns()
  const tools = { version, sources: sourcesIn(folders), sessions, runs, wanted, waitMs, onFailure }
  keepOutputClean()
  const handle = serveStdio(() => createMcpServer(tools))
  await untilGone()
  const closed = Promise.all([service.close(), jobs.close()])
  // Only after the jobs were told to stop: they end interrupted, not failed.
  model.stopOpening()
  await closed
  await handle.close()
  await model.close()
}

/** Paths in the open folders only. */
const sourcesIn = (folders: AllowedFolders): ToolSources => ({
  shape: {
    paths: z
      .array(z.string().min(1))
      .min(1)
      .describe('files or folders, absolute or from a folder that is open; "." for all of it'),
  },
  instructions: `Files in these folders can be read: ${folders.names.join(', ')}.`,
  async read({ paths }) {
    const { findFiles } = await import('@memagent/documents')
    const named: string[] = []
    for (const path of paths as readonly string[]) named.push(await folders.resolve(path))
    return { files: (await findFiles(named, {})).map(({ path }) => path) }
  },
})

/** Output of the user's own modules would break the protocol. */
function keepOutputClean(): void {
  for (const name of ['log', 'info', 'debug'] as const) console[name] = console.error
}

function untilGone(): Promise<void> {
  return new Promise((resolve) => {
    void untilSignal().then(resolve)
    process.stdin.once('end', () => resolve())
    process.stdin.once('close', () => resolve())
  })
}
