/** The routes of the server, each behind its checks: if there are keys, every route not listed as open needs one. */
import type { Store } from '@memagent/store'
import { appFolder } from '@memagent/web'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { Admission } from './admission/admission.ts'
import { modelsRoute } from './api/models-route.ts'
import { runRoutes } from './api/run-routes.ts'
import { sessionRoutes } from './api/session-routes.ts'
import { checkAppOptions } from './check-options.ts'
import { failureOf } from './failure.ts'
import { fileRoutes } from './files/file-routes.ts'
import { Uploads } from './files/uploads.ts'
import { gatewayRoutes } from './gateway/gateway-routes.ts'
import type { GatewayOptions } from './gateway/respond.ts'
import { mcpRoutes } from './mcp/mcp-routes.ts'
import { errorFormOf } from './openapi/error-forms.ts'
import { openapiRoute } from './openapi/openapi-route.ts'
import { type Route, register } from './openapi/route.ts'
import { openRoutes, operationRoutes } from './operations/operation-routes.ts'
import { Operations, type RequestLine } from './operations/operations.ts'
import type { Tracing } from './operations/tracing.ts'
import { watchRequests } from './operations/watch-requests.ts'
import { pageRoutes } from './page/page-routes.ts'
import { reportRoutes } from './reports/report-routes.ts'
import type { ReportSource } from './reports/report-source.ts'
import { nothingKept, RequestError } from './request-error.ts'
import { RunService } from './runs/run-service.ts'
import { SessionService } from './runs/session-service.ts'
import { Allowances } from './safety/allowances.ts'
import { limitHeldBodies } from './safety/held-bodies.ts'
import { hostCheck, loopbackHosts } from './safety/host-check.ts'
import { type ClientKey, requireKey } from './safety/keys.ts'
import { originCheck } from './safety/origin-check.ts'
import { safeHeaders } from './safety/safe-headers.ts'
import { checkModels, type ServedModel } from './served-model.ts'

export interface AppOptions {
  readonly models: readonly ServedModel[]
  /** Keeps runs. @default nothing is kept, and there is no run API */
  readonly store?: Store | undefined
  /** The folder for uploaded files, created on demand. @default no uploads, and no run API */
  readonly uploads?: string | undefined
  /** Bytes of an uploaded file. @default 1 GiB */
  readonly mostFileBytes?: number | undefined
  /** Finds the key with this hash. @default no key is needed: for this machine alone */
  readonly findKey?: ((hash: string) => Promise<ClientKey | undefined>) | undefined
  /** Their limits apply to resumed runs before a key is used. @default none */
  readonly knownKeys?: readonly ClientKey[] | undefined
  /** Names that clients reach the server by, without ports. @default those of this machine for itself */
  readonly hosts?: readonly string[] | undefined
  /** Origins of pages that may call the API. @default none */
  readonly origins?: readonly string[] | undefined
  /** Readings at a time. @default 4 */
  readonly readings?: number | undefined
  /**
   * Bytes of a request. Those under way may have eight times as many, half of them one client's (only behind `listen`).
   * @default 64 MiB
   */
  readonly mostBytes?: number | undefined
  /** How long an MCP tool call waits for its reading. @default 45 s */
  readonly mcpWaitMs?: number | undefined
  /** Ends all requests, with its reason, when the server is about to stop. */
  readonly signal?: AbortSignal | undefined
  /** Called for failures of this server or the model's. @default nothing is logged */
  readonly onFailure?: ((error: unknown) => void) | undefined
  /** Called when a request has ended, without texts, questions and keys. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined
  /** Recorded benchmarks and trainings. @default none */
  readonly reports?: ReportSource | undefined
  /** @default none */
  readonly tracing?: Tracing | undefined
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined
}

const mebibyte = 2 ** 20

/** Number of bodies of the largest size that may be under way. */
const mostHeld = 8

export interface App {
  readonly app: Hono
  /** Undefined without a store. */
  readonly runs: RunService | undefined
  /** The routes that `/openapi.json` describes. */
  readonly routes: readonly Route[]
}

export const createApp = (options: AppOptions): Hono => createAppWithRuns(options).app

/** For callers that resume runs and end them. */
export function createAppWithRuns(options: AppOptions): App {
  checkModels(options.models)
  checkAppOptions(options)
  const { store, hosts = loopbackHosts, origins = [], readings = 4, now = Date.now } = options
  const { signal = new AbortController().signal, onFailure = () => undefined, findKey } = options
  const allowances = new Allowances()
  for (const key of options.knownKeys ?? []) allowances.learn(key)
  const admission = new Admission({ places: readings, placesOf: (client) => allowances.readingsOf(client) })
  const operations = new Operations({ ...options, admission, onFailure })
  const models = options.models.map((served) => ({
    ...served,
    model: operations.watched(served.id, served.model),
  }))
  const files =
    options.uploads === undefined
      ? undefined
      : new Uploads(options.uploads, options.mostFileBytes ?? 1024 * mebibyte, now)
  const gateway: GatewayOptions = { models, admission, operations, store, files, signal, onFailure, now }
  const surroundings = store && files && { models, store, uploads: files, operations }
  const runs = surroundings && new RunService({ ...surroundings, admission, onFailure, now })
  const app = new Hono()

  app.onError((error, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
    if (failureOf(error).status >= 500) onFailure(error)
    const { status, headers, body } = errorFormOf(c.req.path).reply(error)
    return c.json(body, status as 500, headers)
  })
  app.notFound((c) => c.json(errorFormOf(c.req.path).reply(noRoute(c.req.method, c.req.path)).body, 404))

  app.use(watchRequests(operations))
  app.use(async (c, next) => {
    await next()
    // Nobody reads, and so ends, the stream of a HEAD request.
    if (c.req.method === 'HEAD') await c.res.body?.cancel()
  })
  app.use(hostCheck(hosts))
  app.use(originCheck(origins))
  app.on('TRACE', '*', (c) => Promise.reject(noRoute(c.req.method, c.req.path)))
  // Before the middleware below: the page has its own headers, and is open.
  if (runs) app.route('/', pageRoutes(appFolder))
  app.use(secureHeaders({ ...safeHeaders, contentSecurityPolicy: { defaultSrc: ["'none'"] } }))
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  const open = openRoutes(signal)
  register(app, [...open, openapiRoute(() => [...open, ...guarded], findKey !== undefined)])

  if (origins.length > 0) app.use(cors({ origin: [...origins], maxAge: 600 }))
  if (findKey) app.use(requireKey(findKey, (key) => allowances.countRequest(key)))
  const { mostBytes = 64 * mebibyte } = options
  const limited = bodyLimit({
    maxSize: mostBytes,
    onError: () => Promise.reject(tooLarge(mostBytes, runs !== undefined)),
  })
  const held = limitHeldBodies(mostHeld * mostBytes, mostBytes)
  // Files have their own limit, and are not held.
  for (const limit of [held, limited])
    app.use((c, next) => (c.req.path === filesPath ? next() : limit(c, next)))

  const sessions = surroundings && runs && new SessionService(surroundings, runs)
  const guarded = [...operationRoutes(operations), ...gatewayRoutes(gateway), modelsRoute(models)]
  guarded.push(...reportRoutes(options.reports))
  if (surroundings && runs) {
    const files = surroundings.uploads
    const isRead = (id: string) => runs.reads(id)
    guarded.push(...fileRoutes(files, isRead), ...runRoutes(runs, onFailure))
    if (sessions) guarded.push(...sessionRoutes(sessions))
  }
  register(app, guarded)
  if (runs) app.route('/', mcpRoutes(runs, { waitMs: options.mcpWaitMs, sessions, signal, onFailure }))
  else for (const path of [filesPath, '/api/*', '/mcp']) app.all(path, () => Promise.reject(nothingKept()))
  return { app, runs, routes: [...open, ...guarded] }
}

const filesPath = '/v1/files'

const noRoute = (method: string, path: string) =>
  new RequestError({ status: 404, code: 'server/no-route', message: `There is no ${method} ${path} here.` })

function tooLarge(mostBytes: number, takesFiles: boolean): RequestError {
  const limit =
    mostBytes % mebibyte === 0 ? `${mostBytes / mebibyte} MiB` : `${mostBytes.toLocaleString('en')} bytes`
  return new RequestError({
    status: 413,
    code: 'server/too-large',
    message: `The request is too large: it may have ${limit}.`,
    hint: takesFiles
      ? `Upload larger texts (POST ${filesPath}), and name them by their ids.`
      : 'Files may be larger, which a server with a store takes: this one was started without.',
  })
}
