import type { Run } from '@memagent/web'
import type { ServerContext } from '@modelcontextprotocol/server'

/** Undefined if the client did not ask for progress. */
export function progressTo({
  mcpReq,
}: ServerContext): ((run: Pick<Run, 'steps' | 'bytes' | 'sizeBytes'>) => void) | undefined {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return undefined
  let last = -1
  return ({ steps, bytes = 0, sizeBytes }) => {
    // The protocol requires progress to increase.
    if (bytes <= last) return
    last = bytes
    const params = {
      progressToken,
      progress: bytes,
      message: `${steps} ${steps === 1 ? 'chunk' : 'chunks'} read`,
      ...(sizeBytes !== undefined && { total: sizeBytes }),
    }
    void mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined)
  }
}
