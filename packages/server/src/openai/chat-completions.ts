/** `POST /v1/chat/completions`. */
import { randomUUID } from 'node:crypto'
import { WorkflowError } from '@memagent/core'
import type { RunStore } from '@memagent/store'
import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Admission } from '../admission/admission.ts'
import { RequestError } from '../errors.ts'
import { type Plan, planOf } from '../gateway/plan.ts'
import { readConversation } from '../gateway/read-conversation.ts'
import type { ServedModel } from '../served-model.ts'
import { type Completion, chatBody, directCompletion, type Head, readCompletion } from './chat-body.ts'
import { type ChatRequest, parseChatRequest } from './chat-request.ts'
import { reasoningOf, sendDelta, sendEnd, sendStart } from './chat-stream.ts'
import { errorReply } from './error-body.ts'

/** How often a stream says that it is alive. */
const keepAliveMs = 15_000

export interface ChatCompletionsOptions {
  readonly models: readonly ServedModel[]
  /** Who reads when; conversations that fit the window do not wait. */
  readonly admission: Admission
  readonly store?: RunStore | undefined
  /** Ends all requests. */
  readonly signal: AbortSignal
  /** Is told of every failure. */
  readonly onFailure: (error: unknown) => void
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** @param client whose request it is, for fairness */
export async function chatCompletions(
  c: Context,
  client: string,
  options: ChatCompletionsOptions,
): Promise<Response> {
  const request = parseChatRequest(await jsonOf(c.req.raw))
  const served = options.models.find(({ id }) => id === request.model)
  if (!served) throw unknownModel(request.model, options.models)
  const plan = await planOf(request, served)
  const signal = AbortSignal.any([c.req.raw.signal, options.signal])
  const head: Head = {
    id: `chatcmpl-${randomUUID()}`,
    created: Math.floor(options.now() / 1000),
    model: served.id,
  }
  const place = plan.kind === 'reading' ? options.admission.enter(client, signal) : undefined
  const work = async (onReasoning: (text: string) => Promise<void>): Promise<Completion> => {
    try {
      await place?.turn
      return await complete(plan, request, served, { store: options.store, signal, onReasoning })
    } finally {
      place?.leave()
    }
  }
  if (!request.streams) return c.json(chatBody(head, await work(async () => undefined)))
  return streamSSE(c, async (stream) => {
    const reply = { send: (data: unknown) => stream.writeSSE({ data: JSON.stringify(data) }) }
    const keepAlive = setInterval(() => void stream.write(': keep-alive\n\n'), keepAliveMs)
    try {
      await sendStart(reply, head)
      const completion = await work((text) => sendDelta(reply, head, { reasoning_content: text }))
      await sendEnd(reply, head, completion, request.includesUsage)
      await stream.writeSSE({ data: '[DONE]' })
    } catch (error) {
      if (c.req.raw.signal.aborted) return
      const { status, body } = errorReply(error)
      if (status >= 500) options.onFailure(error)
      await reply.send(body)
    } finally {
      clearInterval(keepAlive)
    }
  })
}

interface CompleteOptions {
  readonly store?: RunStore | undefined
  readonly signal: AbortSignal
  readonly onReasoning: (text: string) => Promise<void>
}

async function complete(
  plan: Plan,
  { maxTokens, sampling }: ChatRequest,
  served: ServedModel,
  { store, signal, onReasoning }: CompleteOptions,
): Promise<Completion> {
  if (plan.kind === 'direct') {
    const { model, profile } = served
    const most = maxTokens ?? profile.budget.output
    return directCompletion(await model.generate(plan.messages, { ...sampling, maxTokens: most, signal }))
  }
  for await (const event of readConversation(plan, served, { sampling, maxTokens, store, signal })) {
    const reasoning = reasoningOf(event)
    if (reasoning !== undefined) await onReasoning(reasoning)
    if (event.type === 'answer') return readCompletion(event, plan)
  }
  throw new WorkflowError({ code: 'workflow/no-answer', message: 'The reading ended without an answer.' })
}

async function jsonOf(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  // A page of another site can send other kinds without asking first.
  if (!/^application\/json\b/i.test(type)) {
    throw new RequestError({
      status: 415,
      code: 'server/not-json',
      message: 'The body must be JSON (Content-Type: application/json).',
    })
  }
  try {
    return await request.json()
  } catch (cause) {
    throw new RequestError({
      status: 400,
      code: 'server/not-json',
      message: 'The body is not valid JSON.',
      cause,
    })
  }
}

const unknownModel = (name: string, models: readonly ServedModel[]) =>
  new RequestError({
    status: 404,
    code: 'model_not_found',
    message: `There is no model ${JSON.stringify(name)} here; there is ${models.map(({ id }) => id).join(', ')}.`,
    param: 'model',
  })
