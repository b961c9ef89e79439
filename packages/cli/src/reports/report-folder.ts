/** The reports of a folder. Each is computed on request, in a thread, one at a time, and again after its file has changed. */
import { stat } from 'node:fs/promises'
import { sep } from 'node:path'
import { Worker } from 'node:worker_threads'
import { ConfigurationError } from '@memagent/core'
import { whyUnreadable } from '@memagent/core/node'
import type { ReportSource } from '@memagent/server'
import { findReports } from './find-reports.ts'
import type { ThreadReply } from './report-thread.ts'

/** How many computed reports to keep. */
const mostKept = 8
/** Heap of the thread; a file that needs more is refused. */
const megabytes = 1024

/** @throws ConfigurationError if there is no such folder */
export async function reportFolder(folder: string): Promise<ReportSource> {
  await requireFolder(folder)
  const { RequestError } = await import('@memagent/server')
  const kept = new Map<string, Promise<ThreadReply>>()
  let last: Promise<unknown> = Promise.resolve()

  function computed(key: string, path: string): Promise<ThreadReply> {
    const known = kept.get(key)
    kept.delete(key)
    const reply = known ?? last.then(() => compute(path))
    if (!known) last = reply
    kept.set(key, reply)
    // Evicts the least recently used one.
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
    return reply
  }

  return {
    async list() {
      return (await findReports(folder)).map(({ path: _, ...summary }) => summary)
    },
    async read(id) {
      const found = (await findReports(folder)).find((one) => one.id === id)
      if (!found) return undefined
      const { path, ...summary } = found
      const reply = await computed(`${id} ${found.bytes} ${found.modifiedMs}`, path)
      if ('report' in reply) return { ...summary, ...reply.report }
      throw new RequestError({
        status: 422,
        code: 'server/unreadable-report',
        message: reply.problem.replaceAll(`${folder}${sep}`, ''),
      })
    },
  }
}

/** Never rejects. */
function compute(path: string): Promise<ThreadReply> {
  const isSource = import.meta.url.endsWith('.ts')
  const thread = new Worker(
    new URL(isSource ? './report-thread.ts' : './report-thread.js', import.meta.url),
    {
      name: 'memagent-report',
      execArgv: isSource ? ['--conditions=@memagent/source'] : [],
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: megabytes },
    },
  )
  // A server that stops need not wait for it.
  thread.unref()
  return new Promise((resolve) => {
    thread.once('message', resolve)
    thread.once('error', ({ message }) => resolve({ problem: `It cannot be shown: ${message}.` }))
    thread.once('exit', () => resolve({ problem: 'It cannot be shown: its thread ended.' }))
  })
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((cause: unknown) => {
    throw noFolder(`Cannot read ${folder}: ${whyUnreadable(cause)}.`)
  })
  if (!found.isDirectory()) throw noFolder(`${folder} is no folder.`)
}

const noFolder = (message: string) =>
  new ConfigurationError({
    code: 'cli/no-reports',
    message,
    hint: '--reports names a folder with files that `memagent bench run` or `memagent train` wrote.',
  })
