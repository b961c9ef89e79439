/** Routes for monitoring: whether the server lives, whether it takes requests, and its metrics. */
import { z } from 'zod'
import { type Route, route } from '../openapi/route.ts'
import type { Operations } from './operations.ts'

const status = (value: string) => z.object({ status: z.literal(value) })

/** Routes without a key. @param stopping aborts when the server stops */
export const openRoutes = (stopping: AbortSignal): readonly Route[] => [
  route('get', '/healthz', {
    summary: 'Whether it lives',
    isOpen: true,
    replies: { 200: { description: 'It does', json: status('ok') } },
    answer: (c) => c.json({ status: 'ok' }),
  }),
  route('get', '/readyz', {
    summary: 'Whether it takes requests',
    isOpen: true,
    replies: {
      200: { description: 'It does', json: status('ok') },
      503: { description: 'It is stopping', json: status('stopping') },
    },
    answer: (c) => (stopping.aborted ? c.json({ status: 'stopping' }, 503) : c.json({ status: 'ok' })),
  }),
]

const prometheusText = 'text/plain; version=0.0.4; charset=utf-8'

export const operationRoutes = (operations: Operations): readonly Route[] => [
  route('get', '/metrics', {
    summary: 'Numbers for Prometheus',
    replies: { 200: { description: 'The numbers', types: [prometheusText] } },
    answer: (c) => c.text(operations.metrics(), 200, { 'content-type': prometheusText }),
  }),
]
