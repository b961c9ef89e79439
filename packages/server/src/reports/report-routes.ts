/** Reports over HTTP, to be read alone: requests name an id of the list, never a path. */
import { Hono } from 'hono'
import { RequestError } from '../errors.ts'
import type { ReportSource } from './report-source.ts'

/** @param source undefined: the server was told of none, which the list says */
export function reportRoutes(source: ReportSource | undefined): Hono {
  const routes = new Hono()
  routes.get('/api/reports', async (c) =>
    c.json({ isSet: source !== undefined, reports: source ? await source.list() : [] }),
  )
  routes.get('/api/reports/:id', async (c) => {
    const report = await source?.read(c.req.param('id'))
    if (!report) throw noReport()
    return c.json(report)
  })
  return routes
}

const noReport = () =>
  new RequestError({
    status: 404,
    code: 'server/no-report',
    message: 'There is no such report here.',
    hint: 'GET /api/reports lists them.',
  })
