/** Sessions over HTTP: listed, shown, removed. */
import { idOf, type Route, route } from '../openapi/route.ts'
import type { SessionService } from '../runs/session-service.ts'
import { ownerOf } from '../safety/keys.ts'
import { sessionList, wholeSession } from './schemas.ts'

export const sessionRoutes = (sessions: SessionService): readonly Route[] => [
  route(
    'get',
    '/api/sessions',
    {
      summary: 'Sessions, the one that was read into last first',
      replies: { 200: { description: 'The sessions', json: sessionList } },
    },
    async (c) => c.json(await sessions.list(ownerOf(c))),
  ),
  route(
    'get',
    '/api/sessions/:name',
    {
      summary: 'A session with its memory, readings and documents',
      replies: { 200: { description: 'The session', json: wholeSession } },
      errors: [404],
    },
    async (c) => c.json(await sessions.find(ownerOf(c), idOf(c, 'name'))),
  ),
  route(
    'delete',
    '/api/sessions/:name',
    {
      summary: 'Erases a session with its runs',
      replies: { 204: { description: 'It is erased' } },
      errors: [404, 409],
    },
    async (c) => {
      await sessions.remove(ownerOf(c), idOf(c, 'name'))
      return c.body(null, 204)
    },
  ),
]
