/** Bodies of requests are held until their replies are sent: limits their total size. */
import type { MiddlewareHandler } from 'hono'
import { onClose } from '../operations/on-close.ts'
import { RequestError } from '../request-error.ts'
import { clientOf } from './keys.ts'

/**
 * @param mostBytes of all clients; one client may hold half of them
 * @param mostOfOne of one body: a longer one is refused later, and not told to come again
 */
export function limitHeldBodies(mostBytes: number, mostOfOne: number): MiddlewareHandler {
  const bytesOf = new Map<string, number>()
  let all = 0
  const add = (client: string, bytes: number) => {
    const own = (bytesOf.get(client) ?? 0) + bytes
    if (own > mostBytes / 2) throw full('server/client-busy', 'your requests', mostBytes / 2)
    if (all + bytes > mostBytes) throw full('server/busy', 'requests', mostBytes)
    all += bytes
    if (own > 0) bytesOf.set(client, own)
    else bytesOf.delete(client)
  }
  return async (c, next) => {
    const length = Number(c.req.header('content-length') ?? 0)
    if (length > mostOfOne) return next()
    const client = clientOf(c)
    let held = 0
    let isOver = false
    const hold = (bytes: number) => {
      if (isOver) return
      add(client, bytes)
      held += bytes
    }
    if (c.req.header('transfer-encoding') !== undefined) {
      // Its length is not declared.
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(bytes, controller) {
          hold(bytes.length)
          controller.enqueue(bytes)
        },
      })
      const body = c.req.raw.body?.pipeThrough(counting)
      c.req.raw = new Request(c.req.raw, { body, duplex: 'half' } as RequestInit)
    } else hold(length)
    onClose(c, () => {
      isOver = true
      add(client, -held)
    })
    return next()
  }
}

const mebibyte = 2 ** 20

const full = (code: string, whose: string, mostBytes: number) =>
  new RequestError({
    status: 429,
    code,
    message: `The bodies of ${whose} that are under way have ${Number((mostBytes / mebibyte).toPrecision(3))} MiB already, or would have more with this one.`,
    retryAfterSeconds: 5,
  })
