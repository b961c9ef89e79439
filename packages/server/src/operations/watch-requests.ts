/** Times every request until its last byte, and reports it. */
import type { Context, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { outgoingOf } from './on-close.ts'
import type { Operations } from './operations.ts'

/** Must be the first handler, so that refused requests are reported, too. */
export function watchRequests(operations: Operations): MiddlewareHandler {
  return async (c, next) => {
    const startMs = performance.now()
    const method = methods.has(c.req.method) ? c.req.method : 'other'
    const route = routeOf(c)
    const span = operations.tracing.start(
      `${method} ${route}`,
      'server',
      { 'http.request.method': method, 'http.route': route },
      c.req.raw.headers,
    )
    let location = ''
    const ended = (status: number) => {
      const run = (c.get('run') as string | undefined) ?? runOf(c.req.path) ?? runOf(location)
      span.set({ 'http.response.status_code': status, 'memagent.run': run })
      if (status >= 500) span.fail(String(status))
      span.end()
      const client = c.get('client') as string | undefined
      operations.requestEnded({ method, route, status, ms: performance.now() - startMs, client, run })
    }
    const outgoing = outgoingOf(c)
    // The client may go away before there is a response.
    outgoing?.once('close', () => ended(outgoing.writableFinished ? c.res.status : 499))
    await span.within(next)
    location = c.res.headers.get('location') ?? ''
    // Without a socket there is no last byte.
    if (!outgoing) ended(c.res.status)
  }
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Middleware matches every path, even after the route that answers. */
function routeOf(c: Context): string {
  return matchedRoutes(c).findLast(({ path }) => path !== '/*' && path !== '*')?.path ?? 'none'
}

const runOf = (path: string): string | undefined => /^\/api\/runs\/([0-9a-f]+)(?:\/|$)/.exec(path)?.[1]
