/** What `/openapi.json` promises clients. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openedApis } from '../testing/opened-apis.ts'

const apis = openedApis(beforeEach, afterEach)

/** The page is for people, and MCP describes itself. */
const undescribed = ['GET /', 'GET /assets/:name', 'ALL /mcp']

it('is a valid document of OpenAPI 3.1', async () => {
  const { body, headers } = await apis.open().get('/openapi.json')
  expect(headers.get('content-type')).toBe('application/json')
  expect(await new Validator().validate(body)).toMatchObject({ valid: true })
  expect(body.openapi).toMatch(/^3\.1/)
})

it('has every route of the server, and no other', async () => {
  const { app, get } = apis.open()
  const { body } = await get('/openapi.json')
  const described = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const registered = app.routes
    .filter(({ method, path }) => !(method === 'ALL' && /\/\*$/.test(path)) && method !== 'TRACE')
    .map(({ method, path }) => `${method} ${path}`)
    .filter((one) => !undescribed.includes(one) && !/^ALL \/$/.test(one))
    .map((one) => one.replace(/:(\w+)(\{[^}]*\})?/g, '{$1}'))
  expect([...new Set(registered)].sort()).toEqual(described.sort())
  expect(described.length).toBeGreaterThan(20)
})

it('says what each takes, what it gives, and which need a key', async () => {
  const findKey = async () => undefined
  const { body } = await apis.open(undefined, { findKey }).get('/openapi.json')
  expect(body.security).toEqual([{ bearer: [] }, { apiKey: [] }])
  const open = Object.entries<Record<string, { security?: [] }>>(body.paths)
    .filter(([, methods]) => Object.values(methods).some(({ security }) => security?.length === 0))
    .map(([path]) => path)
  expect(open).toEqual(['/healthz', '/readyz', '/openapi.json'])
  const { post } = body.paths['/api/runs/{id}/ask']
  expect(post).toMatchObject({
    operationId: 'postApiRunsByIdAsk',
    parameters: [{ name: 'id', in: 'path', required: true }],
    requestBody: { content: { 'application/json': { schema: { required: ['question'] } } } },
    responses: {
      201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Run' } } } },
      409: { content: { 'application/json': { schema: { $ref: '#/components/schemas/ApiError' } } } },
      default: expect.anything(),
    },
  })
  expect(body.components.schemas).toHaveProperty('RunResult')
  const { parameters } = body.paths['/api/runs/{id}/events'].get
  expect(parameters.map((one: { name: string }) => one.name)).toEqual(['id', 'after', 'last-event-id'])
  // A text may stand for the list of its parts.
  const chat = body.paths['/v1/chat/completions'].post.requestBody.content['application/json'].schema
  expect(chat.properties.messages.items.properties.content.anyOf[0]).toEqual({ type: 'string' })
  expect(JSON.stringify(body)).not.toContain('orText')
})

it('describes the events of a run', async () => {
  const { body } = await apis.open().get('/openapi.json')
  const { content } = body.paths['/api/runs/{id}/events'].get.responses[200]
  expect(content['text/event-stream']['x-events']).toMatchObject({
    step: { $ref: '#/components/schemas/Step' },
    end: { $ref: '#/components/schemas/Run' },
  })
})
