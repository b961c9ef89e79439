import { untilAborted } from '../waiting.ts'

/**
 * Requests a stream's next item while the current one is being used, never more than one ahead. It does so in the next turn of
 * the event loop, so that a request made with the current item is sent first. Neither an abort nor the end of the reading waits
 * for a source that has no item to give, such as an endless log.
 */
export async function* prefetch<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<T>> | undefined
  let isWaiting = false
  const ask = () => {
    if (next) return next
    isWaiting = true
    next = iterator.next().finally(() => {
      isWaiting = false
    })
    // A failure belongs to the next item, and is thrown when that is due.
    next.catch(() => undefined)
    return next
  }
  let timer: ReturnType<typeof setTimeout> | undefined
  try {
    for (;;) {
      clearTimeout(timer)
      const item = await untilAborted(ask(), signal)
      if (item.done) return
      next = undefined
      timer = setTimeout(ask)
      yield item.value
    }
  } finally {
    clearTimeout(timer)
    const closed = iterator.return?.()
    if (isWaiting) closed?.catch(() => undefined)
    else await closed
  }
}
