/** Computes one report in a thread: the intervals of a large record take seconds, in which a server must respond. */
import { parentPort, workerData } from 'node:worker_threads'
import { type ShownReport, shownReport } from '@memagent/bench'
import { MemAgentError } from '@memagent/core'

export type ThreadReply = { readonly report: ShownReport } | { readonly problem: string }

async function reply(path: string): Promise<ThreadReply> {
  try {
    return { report: await shownReport(path) }
  } catch (error) {
    return { problem: MemAgentError.isInstance(error) ? error.message : `It cannot be shown: ${error}` }
  }
}

parentPort!.postMessage(await reply(workerData))
