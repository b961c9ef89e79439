/** Runs over HTTP: begin, list, follow, stop, resume, ask again, remove. */
import { runOfQuestion } from '@memagent/store'
import {
  estimate,
  makeRunPage,
  packPage,
  type Run,
  run,
  runList,
  runPage,
  runPageHtml,
  step,
} from '@memagent/web'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import { idOf, type Route, route } from '../openapi/route.ts'
import { sayWhich } from '../runs/run-errors.ts'
import type { RunService } from '../runs/run-service.ts'
import { ownerOf } from '../safety/keys.ts'
import { followReply } from './follow-reply.ts'
import { askBody, followHeaders, followQuery, listQuery, pageQuery, startBody } from './schemas.ts'

/** @param onFailure called for errors after a stream has begun */
export const runRoutes = (runs: RunService, onFailure: (error: unknown) => void): readonly Route[] => [
  route('post', '/api/runs', {
    summary: 'Begins a reading, which goes on without the client',
    body: startBody,
    replies: { 201: { description: 'The run', json: run } },
    errors: [404, 422],
    answer: async (c, { body }) => begun(c, await runs.start(ownerOf(c), body)),
  }),
  route('post', '/api/estimate', {
    summary: 'What a reading would take, before it is begun: no model is asked, and nothing kept',
    body: startBody,
    replies: { 200: { description: 'The estimate', json: estimate } },
    errors: [404, 422],
    answer: async (c, { body }) => c.json(await runs.estimate(ownerOf(c), body, c.req.raw.signal)),
  }),
  route('get', '/api/runs', {
    summary: 'Runs, the newest first',
    query: listQuery,
    replies: { 200: { description: 'A page of runs, without results', json: runList } },
    answer: async (c, { query }) => c.json(await runs.list(ownerOf(c), query)),
  }),
  route('get', '/api/runs/:id', {
    summary: 'A run with its result',
    replies: { 200: { description: 'The run', json: run } },
    errors: [404],
    answer: async (c) => c.json(await runs.find(ownerOf(c), idOf(c))),
  }),
  route('delete', '/api/runs/:id', {
    summary: 'Erases a run',
    replies: { 204: { description: 'It is erased' } },
    errors: [404, 409],
    answer: async (c) => {
      await runs.remove(ownerOf(c), idOf(c))
      return c.body(null, 204)
    },
  }),
  route('post', '/api/runs/:id/cancel', {
    summary: 'Stops a run until it is resumed',
    replies: { 200: { description: 'The run', json: run } },
    errors: [404, 409],
    answer: async (c) => c.json(await runs.cancel(ownerOf(c), idOf(c))),
  }),
  route('post', '/api/runs/:id/resume', {
    summary: 'Goes on with a run that was cancelled, or failed',
    replies: { 200: { description: 'The run', json: run } },
    errors: [404, 409],
    answer: async (c) => c.json(await runs.resume(ownerOf(c), idOf(c))),
  }),
  route('post', '/api/runs/:id/ask', {
    summary: 'Asks the memory of a run something else: nothing is read again',
    body: askBody,
    replies: { 201: { description: 'A run of its own', json: run } },
    errors: [404, 409],
    answer: async (c, { body }) => begun(c, await runs.ask(ownerOf(c), idOf(c), body)),
  }),
  route('get', '/api/runs/:id/page', {
    summary: 'All steps of a run with their memories, for a page that shows them',
    query: pageQuery,
    replies: { 200: { description: 'The run as the page takes it', json: runPage } },
    errors: [404],
    answer: async (c, { query }) => c.json(packPage(await pageOf(runs, c, query.question))),
  }),
  route('get', '/api/runs/:id/page.html', {
    summary: 'The same as one file to keep',
    query: pageQuery,
    replies: { 200: { description: 'The file', types: ['text/html'] } },
    errors: [404],
    answer: async (c, { query }) => {
      const page = await pageOf(runs, c, query.question)
      // A file to keep: nothing of it may run in this server's name.
      c.header('content-disposition', `attachment; filename="${page.run.id}.html"`)
      return c.body((await runPageHtml(page)).join(''), 200, { 'content-type': 'text/html; charset=utf-8' })
    },
  }),
  route('get', '/api/runs/:id/export', {
    summary: 'All of a run, for `memagent runs import`',
    replies: { 200: { description: 'JSON lines', types: ['application/x-ndjson'] } },
    errors: [404],
    answer: async (c) => {
      const { id } = await runs.load(ownerOf(c), idOf(c))
      const lines = runs.store.exportRun(id)
      // Errors are reported before the stream begins.
      const first = await lines.next()
      c.header('content-type', 'application/x-ndjson')
      c.header('content-disposition', `attachment; filename="${id}.jsonl"`)
      return stream(c, async (out) => {
        for (let next = first; !next.done && !out.aborted; next = await lines.next())
          await out.write(`${next.value}\n`)
      })
    },
  }),
  route('get', '/api/runs/:id/events', {
    summary: 'Follows a run: every step once, in order, until it is not read any more',
    description:
      'A `step` has an id, after which a follower goes on; a `state` comes whenever that is another one; after an `end` nothing comes. Lines that begin with a colon say that the server is there.',
    query: followQuery,
    headers: followHeaders,
    replies: { 200: { description: 'Server-sent events', events: { step, state: run, end: run } } },
    errors: [404],
    answer: async (c, { query, headers }) => {
      const gone = new AbortController()
      const signal = AbortSignal.any([c.req.raw.signal, gone.signal])
      const after = headers['last-event-id'] || query.after || undefined
      const events = runs.follow(ownerOf(c), idOf(c), { after, signal })
      // Errors in the request are reported before the stream begins.
      const first = await events.next()
      return followReply(c, { first, events, onGone: () => gone.abort(), onFailure })
    },
  }),
]

const begun = (c: Context, one: Run): Response => c.json(one, 201, { location: `/api/runs/${one.id}` })

async function pageOf(runs: RunService, c: Context, question: number | undefined) {
  const { id, questions } = await runs.load(ownerOf(c), idOf(c))
  if (questions && question === undefined) throw sayWhich('question', 'a page')
  return makeRunPage(question === undefined ? runs.store : runOfQuestion(runs.store, question), id)
}
