/** The end of a request, however it ends. */
import type { ServerResponse } from 'node:http'
import type { Context } from 'hono'

/** Undefined without a socket. */
export const outgoingOf = ({ env }: Context): ServerResponse | undefined =>
  (env as { readonly outgoing?: ServerResponse } | undefined)?.outgoing

/** @param work called when the reply is sent or the client is gone; without a socket, which would tell, at once */
export function onClose(c: Context, work: () => void): void {
  const outgoing = outgoingOf(c)
  if (!outgoing || outgoing.closed) work()
  else outgoing.once('close', work)
}
