/** The routes of the server, each behind its checks: what is not listed as open needs a key where there are keys. */
import type { RunStore } from '@memagent/store'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import { secureHeaders } from 'hono/secure-headers'
import { Admission } from './admission/admission.ts'
import { errorReply as anthropicErrorReply } from './anthropic/error-body.ts'
import { messages, versionCheck } from './anthropic/messages.ts'
import { RequestError } from './errors.ts'
import { type ErrorReply, failureOf } from './failure.ts'
import { type GatewayOptions, respond } from './gateway/respond.ts'
import { chatCompletions } from './openai/chat-completions.ts'
import { errorReply } from './openai/error-body.ts'
import { modelBody, modelsBody } from './openai/models.ts'
import { responses } from './responses/responses.ts'
import { hostCheck, loopbackHosts } from './safety/host-check.ts'
import { type ClientKey, requireKey } from './safety/keys.ts'
import type { ServedModel } from './served-model.ts'

export interface AppOptions {
  readonly models: readonly ServedModel[]
  /** Keeps runs. @default nothing is kept */
  readonly store?: RunStore | undefined
  /** The key with this hash. @default no key is needed: for this machine alone */
  readonly findKey?: ((hash: string) => Promise<ClientKey | undefined>) | undefined
  /** Names that clients reach the server by, without ports. @default those of this machine for itself */
  readonly hosts?: readonly string[] | undefined
  /** Origins of pages that may call the API. @default none */
  readonly origins?: readonly string[] | undefined
  /** Readings at a time. @default 4 */
  readonly readings?: number | undefined
  /** Bytes of a request. @default 64 MiB */
  readonly mostBytes?: number | undefined
  /** Ends all requests, with its reason: the server is about to stop. */
  readonly signal?: AbortSignal | undefined
  /** Failures of this server or of the model's. @default nothing is logged */
  readonly onFailure?: ((error: unknown) => void) | undefined
  /** Milliseconds since 1970. @default Date.now */
  readonly now?: (() => number) | undefined
}

const mebibyte = 2 ** 20

export function createApp(options: AppOptions): Hono {
  const { models, store, hosts = loopbackHosts, origins = [], readings = 4, now = Date.now } = options
  const { signal = new AbortController().signal, onFailure = () => undefined, findKey } = options
  const admission = new Admission({ places: readings })
  const gateway: GatewayOptions = { models, admission, store, signal, onFailure, now }
  const startedSeconds = Math.floor(now() / 1000)
  const app = new Hono()

  app.onError((error, c) => {
    if (c.req.raw.signal.aborted) return new Response(null, { status: 499 })
    if (failureOf(error).status >= 500) onFailure(error)
    const { status, headers, body } = errorReplyFor(c.req.path)(error)
    return c.json(body, status as 500, headers)
  })
  app.notFound((c) => c.json(errorReplyFor(c.req.path)(noRoute(c.req.method, c.req.path)).body, 404))

  app.use(hostCheck(hosts))
  app.use(secureHeaders({ contentSecurityPolicy: { defaultSrc: ["'none'"] }, referrerPolicy: 'no-referrer' }))
  app.use(async (c, next) => {
    await next()
    c.header('cache-control', 'no-store')
  })
  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', (c) => (signal.aborted ? c.json({ status: 'stopping' }, 503) : c.json({ status: 'ok' })))

  if (origins.length > 0) app.use(cors({ origin: [...origins], maxAge: 600 }))
  if (findKey) app.use(requireKey(findKey))
  app.use(
    bodyLimit({ maxSize: options.mostBytes ?? 64 * mebibyte, onError: () => Promise.reject(tooLarge()) }),
  )

  app.get('/v1/models', (c) => c.json(modelsBody(models, startedSeconds)))
  app.get('/v1/models/:id{.+}', (c) => c.json(modelBody(c.req.param('id'), models, startedSeconds)))
  app.post('/v1/chat/completions', (c) => respond(c, chatCompletions, gateway))
  app.post('/v1/responses', (c) => respond(c, responses, gateway))
  app.post('/v1/messages', versionCheck, (c) => respond(c, messages, gateway))
  return app
}

/** In the form of the protocol whose route it is. */
const errorReplyFor = (path: string): ((error: unknown) => ErrorReply) =>
  /^\/v1\/messages(\/|$)/.test(path) ? anthropicErrorReply : errorReply

const noRoute = (method: string, path: string) =>
  new RequestError({ status: 404, code: 'server/no-route', message: `There is no ${method} ${path} here.` })

const tooLarge = () =>
  new RequestError({ status: 413, code: 'server/too-large', message: 'The request is too large.' })
