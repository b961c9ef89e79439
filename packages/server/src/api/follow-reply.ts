/** The events of a run as a stream for browsers and curl. */
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import { failureOf } from '../failure.ts'
import type { RunEvent } from '../runs/follow-run.ts'

export interface Following {
  readonly first: IteratorResult<RunEvent>
  readonly events: AsyncGenerator<RunEvent>
  readonly onGone: () => void
  readonly onFailure: (error: unknown) => void
}

/** One event at a time: the next is fetched once the client has taken the last. */
export function followReply(c: Context, { first, events, onGone, onFailure }: Following): Response {
  // Keeps proxies from buffering.
  c.header('x-accel-buffering', 'no')
  return streamSSE(c, async (sse) => {
    sse.onAbort(onGone)
    try {
      for (let next = first; !next.done && !sse.aborted; next = await events.next()) {
        const event = next.value
        if (event.type === 'idle') await sse.write(': still here\n\n')
        else if (event.type === 'step') {
          const { position: id, step } = event
          await sse.writeSSE({ event: 'step', id, data: JSON.stringify(step) })
        } else await sse.writeSSE({ event: event.type, data: JSON.stringify(event.run) })
      }
    } catch (error) {
      // The stream ends without `end`: a client that comes back is told why, with a status.
      if (failureOf(error).status >= 500) onFailure(error)
    } finally {
      await events.return(undefined)
    }
  })
}
