/** What a reply to any request may be: never a failure of the server, and always in the form of the route's protocol. */

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** @returns what is wrong with it; undefined: nothing */
export function fault(path: string, { status, headers, body }: Reply): string | undefined {
  if (status >= 500) return `status ${status}: ${body.slice(0, 300)}`
  const type = headers['content-type'] ?? ''
  if (type.startsWith('text/event-stream')) return streamFault(path, body)
  if (status < 400 && others.test(type)) return undefined
  // Node's HTTP parser refuses by itself, without a body; HEAD and preflight replies have none.
  if (body === '') return undefined
  if (!type.startsWith('application/json')) return `status ${status} as ${type || 'nothing'}`
  const reply: unknown = parsed(body)
  if (reply === undefined) return `no JSON: ${body.slice(0, 100)}`
  return status >= 400 ? errorFault(path, reply as ErrorBody) : undefined
}

interface ErrorBody {
  readonly type?: unknown
  readonly error?: { readonly type?: unknown; readonly message?: unknown; readonly code?: unknown }
}

const isAnthropic = (path: string) => /^\/v1\/messages(\/|$)/.test(routeOf(path))

/** The path alone, normalized. */
const routeOf = (path: string): string =>
  URL.canParse(path, 'http://localhost') ? new URL(path, 'http://localhost').pathname : path

function errorFault(path: string, { type, error }: ErrorBody): string | undefined {
  if (typeof error?.message !== 'string' || error.message === '') return 'an error without a message'
  if (typeof (error.type ?? error.code ?? undefined) === 'undefined') return 'an error without a type or code'
  if (isAnthropic(path) && type !== 'error') return 'an error not of the form of its protocol'
  return undefined
}

/** Types of other replies, as described for some routes. */
const others = /^(text\/plain|text\/html|application\/x-ndjson|application\/octet-stream)\b/

/** How successful streams end, by the start of their routes. */
const ends: readonly (readonly [string, RegExp])[] = [
  ['chat', /^data: \[DONE\]$/],
  ['responses', /^data: \{"type":"response\.(completed|incomplete)"/],
  ['messages', /^data: \{"type":"message_stop"/],
]

function streamFault(path: string, body: string): string | undefined {
  const last = body.trim().split('\n').at(-1)!
  const end = ends.find(([part]) => path.startsWith(`/v1/${part}`))?.[1]
  return !end || end.test(last) ? undefined : `a stream that ends with ${last.slice(0, 200)}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
