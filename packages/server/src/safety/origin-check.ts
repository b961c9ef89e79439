/**
 * Refuses requests that a page of another site makes a browser send. Browsers ask before sending JSON there, but not before
 * forms, files and requests without a body (cross-site request forgery). They name the page's origin in all of them; other
 * programs name none.
 */
import type { MiddlewareHandler } from 'hono'
import { RequestError } from '../request-error.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** @param origins of pages that may call the server, besides its own */
export function originCheck(origins: readonly string[]): MiddlewareHandler {
  const known = new Set(origins)
  return async (c, next) => {
    const origin = c.req.header('origin')
    const isAllowed = origin === undefined || known.has(origin) || hostOf(origin) === c.req.header('host')
    if (!isAllowed && !safeMethods.has(c.req.method)) throw foreign(origin)
    await next()
  }
}

const hostOf = (origin: string): string | undefined =>
  URL.canParse(origin) ? new URL(origin).host : undefined

const foreign = (origin: string) =>
  new RequestError({
    status: 403,
    code: 'server/foreign-origin',
    message: `Pages of ${JSON.stringify(origin.slice(0, 100))} may not call this server.`,
    hint: 'Start it with --origin and the origin of the page.',
  })
