/** Handles a request of any protocol: parses, plans, admits and answers it, whole or as a stream. */
import type { RunStore } from '@memagent/store'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { z } from 'zod'
import type { Admission } from '../admission/admission.ts'
import { failureOf } from '../failure.ts'
import type { Uploads } from '../files/uploads.ts'
import { outgoingOf } from '../operations/on-close.ts'
import type { Operations } from '../operations/operations.ts'
import { RequestError } from '../request-error.ts'
import { clientOf, ownerOf } from '../safety/keys.ts'
import type { ServedModel } from '../served-model.ts'
import { answer } from './answer.ts'
import { openTurns } from './attached-files.ts'
import type { Completion } from './completion.ts'
import { planOf } from './plan.ts'
import type { Protocol, ProtocolRequest, Reply } from './protocol.ts'

/** How often a stream sends a keep-alive. */
const keepAliveMs = 15_000
/** Keep-alives that a client leaves untaken, a quarter of an hour of them: its reading waits for it, and others for its place. */
const mostUntaken = 60

export interface GatewayOptions {
  readonly models: readonly ServedModel[]
  /** Decides who reads when; conversations that fit the window do not wait. */
  readonly admission: Admission
  readonly operations: Operations
  readonly store?: RunStore | undefined
  /** Files that clients uploaded. */
  readonly files?: Uploads | undefined
  /** Ends all requests. */
  readonly signal: AbortSignal
  /** Called for every failure. */
  readonly onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

type Work = (onReasoning: (text: string) => Promise<void>) => Promise<Completion>

/** @throws RequestError, and like `answer`, until a stream has begun */
export async function respond<Body extends z.ZodType, Request extends ProtocolRequest>(
  c: Context,
  body: z.infer<Body>,
  protocol: Protocol<Body, Request>,
  options: GatewayOptions,
): Promise<Response> {
  const { admission, operations, store, onFailure, now } = options
  const request = protocol.requestOf(body)
  const { served, turns, remarks, signal } = await opened(c, request, options)
  const plan = await planOf(request, turns, served, signal)
  for (const { message } of plan.remarks ?? []) remarks.add(message)
  const place = plan.kind === 'reading' ? admission.enter(clientOf(c), signal) : undefined
  const kept = request.isPrivate ? undefined : store
  const work: Work = async (onReasoning) => {
    try {
      await place?.turn
      const { sampling } = request
      const asked = { owner: ownerOf(c), route: c.req.path }
      const direct = { ...asked, sampling, store: kept, signal, onReasoning }
      if (!place) return withRemarks(await answer(plan, request, served, direct), remarks)
      const reading = { model: served.id, workflow: served.workflow.name }
      const completion = await operations.reading(reading, (span) =>
        answer(plan, request, served, {
          ...direct,
          onRun: (id) => c.set('run', id),
          onEvent: (event) => operations.readingEvent(event, span),
        }),
      )
      return withRemarks(completion, remarks)
    } finally {
      place?.leave()
    }
  }
  const reply = protocol.replyTo(request, Math.floor(now() / 1000))
  if (request.streams) return streamed(c, reply, work, { keepAlive: protocol.keepAlive, onFailure })
  return c.json(reply.whole(await work(async () => undefined)))
}

/** The model for a request, its files, and the signal that ends it. @throws RequestError 404 */
export async function opened(
  c: Context,
  request: Pick<ProtocolRequest, 'model' | 'turns' | 'turnsField'>,
  { models, files, signal }: Pick<GatewayOptions, 'models' | 'files' | 'signal'>,
) {
  const served = models.find(({ id }) => id === request.model)
  if (!served) throw unknownModel(request.model, models)
  const turns = await openTurns(request, ownerOf(c), files)
  return { served, ...turns, signal: AbortSignal.any([c.req.raw.signal, signal]) }
}

/** Adds what could not be read of files to the answer. */
const withRemarks = (completion: Completion, remarks: ReadonlySet<string>): Completion =>
  remarks.size === 0
    ? completion
    : { ...completion, memagent: { ...completion.memagent, remarks: [...remarks] } }

function streamed(
  c: Context,
  reply: Reply,
  work: Work,
  { keepAlive, onFailure }: { keepAlive: string; onFailure: GatewayOptions['onFailure'] },
): Response {
  // Keeps proxies from buffering.
  c.header('x-accel-buffering', 'no')
  return streamSSE(c, async (events) => {
    const stream = reply.stream(async (data, event) => {
      await events.writeSSE({
        data: typeof data === 'string' ? data : JSON.stringify(data),
        ...(event !== undefined && { event }),
      })
    })
    let untaken = 0
    const timer = setInterval(() => {
      untaken += 1
      if (untaken > mostUntaken) outgoingOf(c)?.destroy()
      void events.write(keepAlive).then(() => {
        untaken = 0
      })
    }, keepAliveMs)
    try {
      await stream.start()
      await stream.end(await work((text) => stream.reasoning(text)))
    } catch (error) {
      if (c.req.raw.signal.aborted) return
      if (failureOf(error).status >= 500) onFailure(error)
      await stream.fail(error)
    } finally {
      clearInterval(timer)
    }
  })
}

const unknownModel = (name: string, models: readonly ServedModel[]) =>
  new RequestError({
    status: 404,
    code: 'model_not_found',
    message: `There is no model ${JSON.stringify(name)} here; there is ${models.map(({ id }) => id).join(', ')}.`,
    param: 'model',
  })
