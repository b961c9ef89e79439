/** Asks a stream for its next item while the present one is being used; never more than one ahead. */
export async function* prefetch<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  // A failure belongs to the item after the present one; it is thrown when its turn comes.
  const ask = () => {
    const next = iterator.next()
    next.catch(() => undefined)
    return next
  }
  let next = ask()
  try {
    for (;;) {
      const item = await next
      if (item.done) return
      next = ask()
      yield item.value
    }
  } finally {
    await iterator.return?.()
  }
}
