/**
 * Asks a stream for its next item while the present one is being used; never more than one ahead. Neither an abort nor
 * the end of the reading waits for a source that has nothing to give, such as a log that never ends.
 */
export async function* prefetch<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let isWaiting = false
  // A failure belongs to the item after the present one; it is thrown when its turn comes.
  const ask = () => {
    isWaiting = true
    const next = iterator.next().finally(() => {
      isWaiting = false
    })
    next.catch(() => undefined)
    return next
  }
  let next = ask()
  try {
    for (;;) {
      const item = await untilAborted(next, signal)
      if (item.done) return
      next = ask()
      yield item.value
    }
  } finally {
    const closed = iterator.return?.()
    if (isWaiting) closed?.catch(() => undefined)
    else await closed
  }
}

/** The promise, or the signal's reason if that comes first. (`Promise.race` would hold every item until the end.) */
function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason)
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
