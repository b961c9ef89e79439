/** Runs over HTTP: begun, listed, followed, stopped, gone on with, asked again, removed. */
import { runOfQuestion } from '@memagent/store'
import { makeRunPage, packPage, runPageHtml } from '@memagent/web'
import { type Context, Hono } from 'hono'
import { stream, streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { jsonOf, parseBody } from '../gateway/parse-body.ts'
import type { RunEvent } from '../runs/follow-run.ts'
import type { RunService } from '../runs/run-service.ts'
import { ownerOf } from '../safety/keys.ts'
import { askBody, listQuery, startBody } from './schemas.ts'

export const pageQuery = z.object({
  question: z.coerce.number().int().positive().optional().describe('Of several, from 1'),
})

/** @param onFailure told of what goes wrong once a stream has begun */
export function runRoutes(runs: RunService, onFailure: (error: unknown) => void): Hono {
  const routes = new Hono()
  const idOf = (c: Context) => c.req.param('id') ?? ''
  routes.post('/api/runs', async (c) => {
    const run = await runs.start(ownerOf(c), parseBody(startBody, await jsonOf(c.req.raw)))
    return c.json(run, 201, { location: `/api/runs/${run.id}` })
  })
  routes.get('/api/runs', async (c) =>
    c.json(await runs.list(ownerOf(c), parseBody(listQuery, c.req.query()))),
  )
  routes.get('/api/runs/:id', async (c) => c.json(await runs.find(ownerOf(c), idOf(c))))
  routes.delete('/api/runs/:id', async (c) => {
    await runs.remove(ownerOf(c), idOf(c))
    return c.body(null, 204)
  })
  routes.post('/api/runs/:id/cancel', async (c) => c.json(await runs.cancel(ownerOf(c), idOf(c))))
  routes.post('/api/runs/:id/resume', async (c) => c.json(await runs.resume(ownerOf(c), idOf(c))))
  routes.post('/api/runs/:id/ask', async (c) => {
    const run = await runs.ask(ownerOf(c), idOf(c), parseBody(askBody, await jsonOf(c.req.raw)))
    return c.json(run, 201, { location: `/api/runs/${run.id}` })
  })
  const pageOf = async (c: Context) => {
    const { id } = await runs.load(ownerOf(c), idOf(c))
    const { question } = parseBody(pageQuery, c.req.query())
    const store = question === undefined ? runs.store : runOfQuestion(runs.store, question)
    return makeRunPage(store, id)
  }
  routes.get('/api/runs/:id/page', async (c) => c.json(packPage(await pageOf(c))))
  routes.get('/api/runs/:id/page.html', async (c) => {
    const page = await pageOf(c)
    // A file to keep: in this server's name, nothing of it runs.
    c.header('content-disposition', `attachment; filename="${page.run.id}.html"`)
    return c.body((await runPageHtml(page)).join(''), 200, { 'content-type': 'text/html; charset=utf-8' })
  })
  routes.get('/api/runs/:id/export', async (c) => {
    const { id } = await runs.load(ownerOf(c), idOf(c))
    c.header('content-type', 'application/x-ndjson')
    c.header('content-disposition', `attachment; filename="${id}.jsonl"`)
    return stream(c, async (lines) => {
      for await (const line of runs.store.exportRun(id)) {
        if (lines.aborted) return
        await lines.write(`${line}\n`)
      }
    })
  })
  routes.get('/api/runs/:id/events', async (c) => {
    const after = c.req.header('last-event-id') || c.req.query('after') || undefined
    const gone = new AbortController()
    const signal = AbortSignal.any([c.req.raw.signal, gone.signal])
    const events = runs.follow(ownerOf(c), idOf(c), { after, signal })
    // What is wrong with the request is told before the stream begins.
    const first = await events.next()
    return followed(c, { first, events, onGone: () => gone.abort(), onFailure })
  })
  return routes
}

interface Following {
  readonly first: IteratorResult<RunEvent>
  readonly events: AsyncGenerator<RunEvent>
  readonly onGone: () => void
  readonly onFailure: (error: unknown) => void
}

/** One event after the other: the next is fetched when the client has taken the last. */
function followed(c: Context, { first, events, onGone, onFailure }: Following): Response {
  // Proxies must not wait for more.
  c.header('x-accel-buffering', 'no')
  return streamSSE(
    c,
    async (sse) => {
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
      } finally {
        await events.return(undefined)
      }
    },
    async (error) => onFailure(error),
  )
}
