/** Refusals of `/mcp` before the protocol takes over. */
import { type ErrorReply, failureOf, retryAfter } from '../failure.ts'

export function errorReply(error: unknown): ErrorReply {
  const failure = failureOf(error)
  const { status, message, code } = failure
  const body = { jsonrpc: '2.0', error: { code: -32000, message, data: { code } }, id: null }
  return { status, headers: retryAfter(failure), body }
}
