/** `/mcp`: the tools over streamable HTTP, for clients of both generations of the protocol. */
import { randomUUID } from 'node:crypto'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { type Context, Hono } from 'hono'
import { z } from 'zod'
import { utf8Of } from '../gateway/parse-body.ts'
import { onClose, outgoingOf } from '../operations/on-close.ts'
import { badRequest } from '../request-error.ts'
import type { RunService } from '../runs/run-service.ts'
import { clientOf, ownerOf } from '../safety/keys.ts'
import { refusalOf } from '../store-refusals.ts'
import { version } from '../version.ts'
import { CancelledCalls } from './cancelled-calls.ts'
import { OwnSessions, type OwnSessionsOptions } from './own-sessions.ts'
import { RunWaits } from './run-waits.ts'
import { OwnRuns } from './tool-runs.ts'
import { createMcpServer, type ToolSources } from './tools.ts'
import { WantedRuns } from './wanted-runs.ts'

export interface McpOptions {
  /** How long a call waits for its reading. @default 45 s, since clients end calls after a minute */
  readonly waitMs?: number | undefined
  /** @default there are no tools for sessions */
  readonly sessions?: OwnSessionsOptions['sessions'] | undefined
  /** Aborts when the server is about to stop. */
  readonly signal: AbortSignal
  readonly onFailure: (error: unknown) => void
}

/** Uploads of the key, and text; neither paths nor addresses. */
const sources: ToolSources = {
  shape: {
    files: z
      .array(z.string().min(1))
      .max(1000)
      .default([])
      .describe('ids of files that were uploaded to this server (POST /v1/files)'),
    text: z
      .string()
      .regex(/\S/, 'There is nothing but white space in the text.')
      .optional()
      .describe('a text to read, after the files'),
  },
  instructions:
    'Documents are files that were uploaded to this server (POST /v1/files), by their ids, or a text in the call.',
  read: async (given) => given as { readonly files: readonly string[]; readonly text?: string },
}

/** The parts of a message that matter here; the library does the protocol's own checks. */
const message = z.object({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string().optional(),
  params: z.object({ requestId: z.unknown() }).optional().catch(undefined),
})

const sessionHeader = 'mcp-session-id'
/** Ids of clients are short; they are held as long as the call takes. */
const longestId = 1000

export function mcpRoutes(
  runs: RunService,
  { waitMs = 45_000, sessions, signal, onFailure }: McpOptions,
): Hono {
  const routes = new Hono()
  const wanted = new WantedRuns()
  const calls = new CancelledCalls()
  routes.all('/mcp', async (c: Context) => {
    const body = c.req.method === 'POST' ? parsed(await utf8Of(c.req.raw)) : undefined
    const { id, method, params } = message.safeParse(body).data ?? {}
    if (typeof id === 'string' && id.length > longestId)
      throw badRequest('id', `may have at most ${longestId} characters.`)
    const session = c.req.header(sessionHeader)
    const key = `${clientOf(c)}\0${session ?? ''}`
    if (session !== undefined && method === 'notifications/cancelled') calls.cancel(key, params?.requestId)
    const call = session === undefined || id === undefined ? undefined : calls.begin(key, id)
    const end = () => call?.end()
    // Even if the request is refused.
    if (outgoingOf(c)) onClose(c, end)
    const handler = createMcpHandler(() => {
      const own = new OwnRuns(runs, ownerOf(c), (run) => c.set('run', run))
      const waiting = { runs: own, wanted, waitMs }
      const owned = { runs, owner: ownerOf(c), waits: new RunWaits(waiting) }
      return createMcpServer({
        ...{ ...waiting, version, sources, onFailure, inOtherWords: refusalOf },
        sessions: sessions && new OwnSessions({ ...owned, sessions }),
      })
    })
    const { url, headers, signal: gone } = c.req.raw
    // A subscription never ends by itself.
    if (method === 'subscriptions/listen') {
      const close = () => void handler.close()
      onAbort(signal, close)
      onAbort(gone, () => signal.removeEventListener('abort', close))
    }
    const request = new Request(url, {
      method: c.req.method,
      headers,
      signal: AbortSignal.any(call ? [gone, call.signal] : [gone]),
    })
    const response = await handler
      .fetch(request, { parsedBody: body })
      .finally(outgoingOf(c) ? undefined : end)
    if (method === 'initialize' && response.ok) response.headers.set(sessionHeader, randomUUID())
    return response
  })
  return routes
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The library reports it in the form of the protocol.
    return undefined
  }
}

function onAbort(signal: AbortSignal, work: () => void): void {
  if (signal.aborted) work()
  else signal.addEventListener('abort', work, { once: true })
}
