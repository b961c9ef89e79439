/**
 * Processes the items of a stream concurrently and yields the results in order. Reads no further ahead than that.
 * @param stop aborts running work when one fails or the reader stops early; it is awaited
 */
export async function* concurrently<Item, Result>(
  items: AsyncIterable<Item> | Iterable<Item>,
  places: number,
  work: (item: Item) => Promise<Result>,
  stop: () => void,
): AsyncGenerator<Result> {
  const underWay: Promise<Result>[] = []
  let isDone = false
  try {
    for await (const item of items) {
      const result = work(item)
      // A failure is thrown when its turn comes.
      result.catch(() => undefined)
      underWay.push(result)
      if (underWay.length >= places) yield await underWay.shift()!
    }
    while (underWay.length > 0) yield await underWay.shift()!
    isDone = true
  } finally {
    if (!isDone) {
      stop()
      await Promise.allSettled(underWay)
    }
  }
}
