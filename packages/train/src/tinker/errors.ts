/** Errors of a Tinker server, one class per kind of remedy. */
import { MemAgentError, type MemAgentErrorOptions } from '@memagent/core'

/** Any error about a server that speaks the Tinker protocol; the subclasses say more. */
export class TinkerError extends MemAgentError {}

/** The server refused a request, or could not be reached: `details.status`, `details.path`, `details.detail`. */
export class TinkerHttpError extends TinkerError {}

/** The server accepted the request and failed. `details.category` is `user` when repeating it is pointless. */
export class TinkerRequestError extends TinkerError {}

/** The result of a request is lost, so the state of the weights is unknown. */
export class TinkerResultLostError extends TinkerError {}

/** A response that violates the protocol. */
export class TinkerProtocolError extends TinkerError {}

/** The server does not compute what its profile says: it must not be used for training. `details.check` names what differs. */
export class TinkerConformanceError extends TinkerError {}

export const protocolError = (
  message: string,
  details: MemAgentErrorOptions['details'] = {},
): TinkerProtocolError =>
  new TinkerProtocolError({
    code: 'tinker/protocol',
    message,
    hint: 'Is this a Tinker server, and is its profile the right one?',
    details,
  })

/** Repeats a request that changes no weights, if its result was lost or the server failed on its own. */
export async function repeatingHarmless<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      const isWorthIt =
        error instanceof TinkerResultLostError || (error instanceof TinkerRequestError && error.isRetryable)
      if (!isWorthIt || attempt === 3) throw error
    }
  }
}
