/** A route with its description: the server registers it, and `/openapi.json` documents it. */
import type { Context, Hono } from 'hono'
import type { z } from 'zod'
import { jsonOf, parseBody } from '../gateway/parse-body.ts'

export interface RouteReply {
  readonly description: string
  readonly json?: z.ZodType
  /** Other media types of the reply. */
  readonly types?: readonly string[]
  /** The data of server-sent events, by event name. */
  readonly events?: Readonly<Record<string, z.ZodType>>
}

export interface RouteDescription<Query = z.ZodObject, Headers = z.ZodObject, Body = z.ZodType> {
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  /** Names in lower case. */
  readonly headers?: Headers
  /** Parsed from JSON. */
  readonly body?: Body
  /** Parts of a multipart body, which the route parses itself. */
  readonly form?: z.ZodObject
  readonly replies: Readonly<Record<number, RouteReply>>
  /** Statuses of refusals, besides those that any route may have. */
  readonly errors?: readonly number[]
  /** No key is needed. @default false */
  readonly isOpen?: boolean
}

export interface Route extends RouteDescription {
  readonly method: 'get' | 'post' | 'delete'
  /** `/api/runs/:id` */
  readonly path: string
  readonly answer: (c: Context) => Response | Promise<Response>
}

/** The checked parts of a request. */
export interface Given<Query, Headers, Body> {
  readonly query: z.infer<Query>
  readonly headers: z.infer<Headers>
  readonly body: z.infer<Body>
}

/** @param declared its `answer` is called once query, headers and body match the description */
export function route<Query extends z.ZodObject, Headers extends z.ZodObject, Body extends z.ZodType>(
  method: Route['method'],
  path: string,
  declared: RouteDescription<Query, Headers, Body> & {
    readonly answer: (c: Context, given: Given<Query, Headers, Body>) => Response | Promise<Response>
  },
): Route {
  const { query, headers, body, answer } = declared
  return {
    ...declared,
    method,
    path,
    answer: async (c) =>
      answer(c, {
        query: (query && parseBody(query, c.req.query())) as z.infer<Query>,
        headers: (headers && parseBody(headers, c.req.header())) as z.infer<Headers>,
        body: (body && parseBody(body, await jsonOf(c.req.raw))) as z.infer<Body>,
      }),
  }
}

/** The part of the path that names what a request is about. */
export const idOf = (c: Context, name = 'id'): string => c.req.param(name) ?? ''

export function register(app: Hono, routes: readonly Route[]): void {
  for (const { method, path, answer } of routes) app.on(method.toUpperCase(), path, answer)
}
