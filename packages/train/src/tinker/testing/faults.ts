/** Faults that a test can order from the test server. */
import type { ServerResponse } from 'node:http'

export type Fault =
  /** Replies with this instead of executing the request. */
  | {
      readonly kind: 'status'
      readonly status: number
      /** Sent as JSON; a string is sent as plain text. */
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>> | undefined
    }
  /** Breaks the connection before anything is done. */
  | { readonly kind: 'reset' }
  /** Executes the request and breaks the connection before the reply. */
  | { readonly kind: 'lose-answer' }
  /** Never answers. */
  | { readonly kind: 'hang' }

/** A call as recorded for tests. */
export interface ServerCall {
  readonly method: string
  readonly path: string
  /** The path's last part. */
  readonly name: string
  /** Earlier calls of this name. */
  readonly index: number
  /** Undefined if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>> | undefined
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
}

export type Faults = (call: ServerCall) => Fault | undefined

/** Faults for one kind of call, in call order; undefined is none. */
export const faultsOf =
  (name: string, faults: readonly (Fault | undefined)[]): Faults =>
  (call) =>
    call.name === name ? faults[call.index] : undefined

/** A status with an error message like the server's own. */
export const status = (code: number, headers?: Readonly<Record<string, string>>): Fault => ({
  kind: 'status',
  status: code,
  headers,
})

export const tryAgain = (queueState = 'active'): Fault => ({
  kind: 'status',
  status: 200,
  body: { type: 'try_again', request_id: '0', queue_state: queueState },
})

/** Plays a fault that replaces the answer. */
export function playFault(fault: Exclude<Fault, { kind: 'lose-answer' }>, response: ServerResponse): void {
  if (fault.kind === 'hang') return
  if (fault.kind === 'reset') {
    response.destroy()
    return
  }
  const { status, body = { detail: `fault ${status}` }, headers } = fault
  const isText = typeof body === 'string'
  response.writeHead(status, {
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/json',
    ...headers,
  })
  response.end(isText ? body : JSON.stringify(body))
}
