/** `/openapi.json`: all routes of a server with their requests and replies, as OpenAPI 3.1. */
import type { z } from 'zod'
import { version } from '../version.ts'
import { errorFormOf } from './error-forms.ts'
import type { Route, RouteReply } from './route.ts'
import { DocumentSchemas } from './schemas.ts'

const statuses: Readonly<Record<number, string>> = {
  400: 'The request is wrong, in the field that is named.',
  401: 'A valid key is needed.',
  403: 'The server is not known by this host name, or a reading reached a limit of its operator.',
  404: 'There is no such thing, or it is of another key.',
  409: 'Not in the state that it is in.',
  413: 'The request is too large.',
  415: 'The body is of another type, or compressed.',
  422: 'A file cannot be read.',
  429: 'Too much at once: Retry-After says when to come again.',
  502: "The model's server failed.",
  503: 'The server is stopping, or cannot use its store now.',
  504: "The model's server did not answer in time.",
}

/** Statuses of every route, and of all but the open ones. */
const always = [403]
const guarded = [401, 429, 503]

/** @param needsKey whether keys are needed */
export function openapiDocument(routes: readonly Route[], needsKey: boolean): object {
  const schemas = new DocumentSchemas()
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}')
    paths[path] = { ...paths[path], [route.method]: operationOf(route, path, schemas) }
  }
  return {
    openapi: '3.1.1',
    info: {
      title: 'memagent serve',
      version,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      description:
        "Answers about texts of any length. `/v1` speaks OpenAI's and Anthropic's protocols; `/api` has runs and sessions. Times in `/api` are milliseconds since 1970. MCP at `/mcp` describes itself.",
    },
    servers: [{ url: '/' }],
    security: needsKey ? [{ bearer: [] }, { apiKey: [] }] : [],
    paths,
    components: {
      schemas: schemas.named,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' },
      },
    },
  }
}

function operationOf(route: Route, path: string, schemas: DocumentSchemas): object {
  const { method, summary, description, query, headers, body, form, replies, errors = [], isOpen } = route
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const parameters = [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: text })),
    ...(query ? parametersOf(query, 'query', schemas) : []),
    ...(headers ? parametersOf(headers, 'header', schemas) : []),
  ]
  const content = {
    ...(body && { 'application/json': { schema: schemas.of(body, 'input') } }),
    ...(form && { 'multipart/form-data': { schema: schemas.of(form, 'input') } }),
  }
  const refusals = new Set([
    ...always,
    ...(isOpen ? [] : guarded),
    ...(query || headers || body || form ? [400] : []),
    ...(body || form ? [413, 415] : []),
    ...errors,
  ])
  return {
    operationId: nameOf(method, path),
    tags: [tagOf(path)],
    summary,
    ...(description && { description }),
    ...(isOpen && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...((body || form) && { requestBody: { required: true, content } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(replies).map(([status, reply]) => [status, replyOf(Number(status), reply, schemas)]),
      ),
      ...Object.fromEntries(
        [...refusals].map((status) => [status, refusalOf(statuses[status]!, path, schemas)]),
      ),
      default: refusalOf('Another failure.', path, schemas),
    },
  }
}

function parametersOf(fields: z.ZodObject, place: 'query' | 'header', schemas: DocumentSchemas): object[] {
  const { properties = {}, required = [] } = schemas.of(fields, 'input') as {
    readonly properties?: Readonly<Record<string, { readonly description?: string }>>
    readonly required?: readonly string[]
  }
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    ...{ name, in: place, required: required.includes(name), schema },
    ...(description && { description }),
  }))
}

function replyOf(
  status: number,
  { description, json, types = [], events }: RouteReply,
  schemas: DocumentSchemas,
) {
  const content = {
    ...(json && { 'application/json': { schema: schemas.of(json, 'output') } }),
    ...Object.fromEntries(types.map((type) => [type, { schema: text }])),
    ...(events && { 'text/event-stream': { schema: text, 'x-events': eventsOf(events, schemas) } }),
  }
  const place = { description: 'Its path', schema: text }
  return {
    description,
    ...(status === 201 && { headers: { Location: place } }),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

const text = { type: 'string' }

/** OpenAPI 3.1 cannot describe them. */
const eventsOf = (events: NonNullable<RouteReply['events']>, schemas: DocumentSchemas) =>
  Object.fromEntries(Object.entries(events).map(([name, data]) => [name, schemas.of(data, 'output')]))

const refusalOf = (description: string, path: string, schemas: DocumentSchemas) => ({
  description,
  content: { 'application/json': { schema: schemas.of(errorFormOf(path).body, 'output') } },
})

/** `getApiRunsByIdEvents`, for generated clients. */
const nameOf = (method: string, path: string): string =>
  method +
  path
    .split(/[/_.]/)
    .map((part) => part.replace(/^\{(\w)(\w*)\}$/, (_, first, rest) => `by${first.toUpperCase()}${rest}`))
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

const tagOf = (path: string): string => {
  const [, first = '', second = ''] = path.split('/')
  return first === 'api' || first === 'v1' ? second : 'operations'
}
