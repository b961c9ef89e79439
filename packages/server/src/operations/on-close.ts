/** The end of a request, whatever becomes of it. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** Undefined without a socket. */
export const outgoingOf = ({ env }: Context): ServerResponse | undefined =>
  (env as { readonly outgoing?: ServerResponse } | undefined)?.outgoing

/** @param work is called when the reply is sent or the client has gone away; at once without a socket, which would tell */
export function onClose(c: Context, work: () => void): void {
  const outgoing = outgoingOf(c)
  if (!outgoing || outgoing.closed) work()
  else outgoing.once('close', work)
}
