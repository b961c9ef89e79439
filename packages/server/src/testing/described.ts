/** Checks that replies match `/openapi.json`. */
import { z } from 'zod'
import { errorFormOf } from '../openapi/error-forms.ts'
import type { Route } from '../openapi/route.ts'
import { eventsOf } from './events.ts'

export interface DescribedReply {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

/** Schemas as clients read them: undescribed fields are rejected. */
const strict = new Map<z.ZodType, z.ZodType>()

function strictOf(schema: z.ZodType): z.ZodType {
  const known = strict.get(schema)
  if (known) return known
  const made = z.fromJSONSchema(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as never)
  strict.set(schema, made)
  return made
}

/** @throws Error for a reply whose status, fields or events are not described */
export function requireDescribed(
  routes: readonly Route[],
  method: string,
  target: string,
  { status, headers, body }: DescribedReply,
): void {
  const path = target.replace(/\?.*/s, '')
  const route = routes.find(
    (one) =>
      one.method === method.toLowerCase() &&
      new RegExp(`^${one.path.replace(/:\w+(\{[^}]*\})?/g, '[^/]+')}$`).test(path),
  )
  if (!route) return
  const { json, events = {} } = route.replies[status] ?? {}
  const requireLike = (schema: z.ZodType | undefined, data: unknown, what: string) => {
    const parsed = schema && strictOf(schema).safeParse(data)
    if (parsed?.success) return
    const why = parsed ? z.prettifyError(parsed.error) : 'that is not described'
    throw new Error(`${method} ${path} replied ${what}: ${why}`)
  }
  const type = headers.get('content-type') ?? ''
  if (type.startsWith('application/json'))
    requireLike(json ?? (status >= 400 ? errorFormOf(path).body : undefined), body, String(status))
  else if (type.startsWith('text/event-stream'))
    for (const { event, data } of eventsOf(String(body))) requireLike(events[event], data, event)
}
