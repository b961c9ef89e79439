import type { Report } from '@memagent/web'
import { expect, it } from 'vitest'
import { RequestError } from '../request-error.ts'
import { apiOf, noter, servedModel } from '../testing/served.ts'
import type { ReportSource } from './report-source.ts'

const summary = { id: 'ab12', name: 'nano.jsonl', kind: 'benchmark', bytes: 10, modifiedMs: 1 } as const
const report: Report = { ...summary, of: 'nano', blocks: [{ type: 'heading', level: 2, text: 'Accuracy' }] }
const source: ReportSource = {
  list: async () => [summary],
  async read(id) {
    if (id !== 'broken') return id === summary.id ? report : undefined
    throw new RequestError({ status: 422, code: 'server/unreadable-report', message: 'line 3 is no record' })
  },
}
const open = (reports?: ReportSource) => apiOf([servedModel(noter)], { reports })

it('lists reports and gives one by its id', async () => {
  const api = open(source)
  expect((await api.get('/api/reports')).body).toEqual({ isSet: true, reports: [summary] })
  expect((await api.get('/api/reports/ab12')).body).toEqual(report)
  expect((await api.get('/api/reports/broken')).body.error.message).toBe('line 3 is no record')
})

it('knows ids and nothing else', async () => {
  for (const id of ['none', '..%2f..%2fetc%2fpasswd', 'nano.jsonl', '%00']) {
    const { status, body } = await open(source).get(`/api/reports/${id}`)
    expect([id, status, body.error.code]).toEqual([id, 404, 'server/no-report'])
  }
})

it('says where it was told of none', async () => {
  expect((await open().get('/api/reports')).body).toEqual({ isSet: false, reports: [] })
  expect((await open().get('/api/reports/ab12')).status).toBe(404)
})
