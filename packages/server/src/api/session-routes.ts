/** Sessions over HTTP: read into, ask, list, show, remove. */
import { run, sessionList, sessionReadReply, wholeSession } from '@memagent/web'
import { idOf, type Route, route } from '../openapi/route.ts'
import type { SessionService } from '../runs/session-service.ts'
import { ownerOf } from '../safety/keys.ts'
import { sessionAskBody, sessionReadBody } from './schemas.ts'

export const sessionRoutes = (sessions: SessionService): readonly Route[] => [
  route('get', '/api/sessions', {
    summary: 'Sessions, most recently updated first',
    replies: { 200: { description: 'The sessions', json: sessionList } },
    answer: async (c) => c.json(await sessions.list(ownerOf(c))),
  }),
  route('get', '/api/sessions/:name', {
    summary: 'A session with its memory, readings and documents',
    replies: { 200: { description: 'The session', json: wholeSession } },
    errors: [404],
    answer: async (c) => c.json(await sessions.find(ownerOf(c), idOf(c, 'name'))),
  }),
  route('post', '/api/sessions/:name/read', {
    summary: 'Reads what is new into a session; the first time begins it',
    body: sessionReadBody,
    replies: {
      200: { description: 'Nothing is new', json: sessionReadReply },
      201: { description: 'A run reads what is new', json: sessionReadReply },
    },
    errors: [404, 409, 422],
    answer: async (c, { body }) => {
      const read = await sessions.read(ownerOf(c), idOf(c, 'name'), body)
      return read.run ? c.json(read, 201, { location: `/api/runs/${read.run.id}` }) : c.json(read)
    },
  }),
  route('post', '/api/sessions/:name/ask', {
    summary: 'Asks the memory of a session, which stays as it is',
    body: sessionAskBody,
    replies: { 201: { description: 'The run that answers', json: run } },
    errors: [404, 409],
    answer: async (c, { body }) => {
      const run = await sessions.ask(ownerOf(c), idOf(c, 'name'), body)
      return c.json(run, 201, { location: `/api/runs/${run.id}` })
    },
  }),
  route('delete', '/api/sessions/:name', {
    summary: 'Erases a session with its runs',
    replies: { 204: { description: 'It is erased' } },
    errors: [404, 409],
    answer: async (c) => {
      await sessions.remove(ownerOf(c), idOf(c, 'name'))
      return c.body(null, 204)
    },
  }),
]
