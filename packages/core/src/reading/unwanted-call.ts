/** Calls that may turn out to be made in vain. */
import type { WaitNotice } from '../chat/chat.ts'

/**
 * Makes the call unless it is unwanted already. A call in flight may finish, so that its cost is known; it is aborted only while
 * it waits to be retried. Its waits are reported as long as it is wanted.
 * @throws the reason of `unwanted`
 */
export async function callUnlessUnwanted<Result>(
  unwanted: AbortSignal,
  abort: AbortSignal,
  onWait: ((wait: WaitNotice) => void) | undefined,
  call: (abort: AbortSignal, onWait: (wait: WaitNotice) => void) => Promise<Result>,
): Promise<Result> {
  unwanted.throwIfAborted()
  const leaving = new AbortController()
  let waitEndMs = 0
  const leaveIfWaiting = () => {
    if (performance.now() < waitEndMs) leaving.abort(unwanted.reason)
  }
  unwanted.addEventListener('abort', leaveIfWaiting)
  try {
    return await call(AbortSignal.any([abort, leaving.signal]), (wait) => {
      waitEndMs = performance.now() + 1000 * wait.seconds
      if (unwanted.aborted) leaving.abort(unwanted.reason)
      else onWait?.(wait)
    })
  } finally {
    unwanted.removeEventListener('abort', leaveIfWaiting)
  }
}
