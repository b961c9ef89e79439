/** Sessions over HTTP: listed, shown, removed. */
import { Hono } from 'hono'
import type { SessionService } from '../runs/session-service.ts'
import { ownerOf } from '../safety/keys.ts'

export function sessionRoutes(sessions: SessionService): Hono {
  const routes = new Hono()
  routes.get('/api/sessions', async (c) => c.json(await sessions.list(ownerOf(c))))
  routes.get('/api/sessions/:name', async (c) => c.json(await sessions.find(ownerOf(c), c.req.param('name'))))
  routes.delete('/api/sessions/:name', async (c) => {
    await sessions.remove(ownerOf(c), c.req.param('name'))
    return c.body(null, 204)
  })
  return routes
}
