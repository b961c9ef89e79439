/** `/v1`: protocols of other vendors. */
import type { z } from 'zod'
import { countReply, createTokenCounts } from '../anthropic/count-tokens.ts'
import { messages, messagesHeaders } from '../anthropic/messages.ts'
import { countBody } from '../anthropic/messages-request.ts'
import { chatCompletions } from '../openai/chat-completions.ts'
import { modelBody, modelReply, modelsBody, modelsReply } from '../openai/models.ts'
import { idOf, type Route, route } from '../openapi/route.ts'
import { responses } from '../responses/responses.ts'
import type { Protocol, ProtocolRequest } from './protocol.ts'
import { type GatewayOptions, respond } from './respond.ts'

export function gatewayRoutes(gateway: GatewayOptions): readonly Route[] {
  const { models, now } = gateway
  const startedSeconds = Math.floor(now() / 1000)
  const countTokens = createTokenCounts(gateway)
  return [
    route('get', '/v1/models', {
      summary: 'All models',
      replies: { 200: { description: 'The models', json: modelsReply } },
      answer: (c) => c.json(modelsBody(models, startedSeconds)),
    }),
    route('get', '/v1/models/:id{.+}', {
      summary: 'One model',
      replies: { 200: { description: 'The model', json: modelReply } },
      errors: [404],
      answer: (c) => c.json(modelBody(idOf(c), models, startedSeconds)),
    }),
    answering('/v1/chat/completions', "An answer, by OpenAI's protocol", chatCompletions, gateway),
    answering('/v1/responses', "An answer, by OpenAI's newer protocol", responses, gateway),
    answering('/v1/messages', "An answer, by Anthropic's protocol", messages, gateway, messagesHeaders),
    route('post', '/v1/messages/count_tokens', {
      summary: 'How long a conversation is, as the model counts it',
      headers: messagesHeaders,
      body: countBody,
      replies: { 200: { description: 'Its tokens', json: countReply } },
      errors: [404],
      answer: (c, { body }) => countTokens(c, body),
    }),
  ]
}

function answering<Body extends z.ZodType, Request extends ProtocolRequest>(
  path: string,
  summary: string,
  protocol: Protocol<Body, Request>,
  gateway: GatewayOptions,
  headers?: z.ZodObject,
): Route {
  const { body, reply } = protocol
  const description = 'Whole, or in a stream of events'
  return route('post', path, {
    ...{ summary, body },
    ...(headers && { headers }),
    replies: { 200: { description, json: reply, types: ['text/event-stream'] } },
    errors: [404, 502, 504],
    answer: (c, given) => respond(c, given.body, protocol, gateway),
  })
}
