/** Reports over HTTP, read-only: requests name an id of the list, never a path. */
import { report, reportList } from '@memagent/web'
import { idOf, type Route, route } from '../openapi/route.ts'
import { RequestError } from '../request-error.ts'
import type { ReportSource } from './report-source.ts'

/** @param source undefined if the server was started without reports, which the list says */
export const reportRoutes = (source: ReportSource | undefined): readonly Route[] => [
  route('get', '/api/reports', {
    summary: 'Recorded benchmarks and logs of trainings',
    replies: { 200: { description: 'The reports', json: reportList } },
    answer: async (c) => c.json({ isSet: source !== undefined, reports: source ? await source.list() : [] }),
  }),
  route('get', '/api/reports/:id', {
    summary: 'A report',
    replies: { 200: { description: 'The report', json: report } },
    errors: [404, 422],
    answer: async (c) => {
      const found = await source?.read(idOf(c))
      if (!found) throw noReport()
      return c.json(found)
    },
  }),
]

const noReport = () =>
  new RequestError({
    status: 404,
    code: 'server/no-report',
    message: 'There is no such report here.',
    hint: 'GET /api/reports lists them.',
  })
