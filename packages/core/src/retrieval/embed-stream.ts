/** Vectors of the texts of a stream, in order. Reads no further ahead than the requests in flight. */
import { concurrently } from '../chat/concurrently.ts'

export interface EmbedStreamOptions<Item> {
  readonly textOf: (item: Item) => string
  readonly embed: (texts: readonly string[], signal: AbortSignal) => Promise<readonly Float32Array[]>
  readonly batch: number
  readonly concurrency: number
  readonly signal: AbortSignal
}

export interface Embedded<Item> {
  readonly item: Item
  readonly vector: Float32Array
}

/**
 * Leaves out items of only white space, which endpoints reject. @throws what `embed` throws, after aborting the other requests
 */
export async function* embedStream<Item>(
  items: AsyncIterable<Item>,
  { textOf, embed, batch, concurrency, signal }: EmbedStreamOptions<Item>,
): AsyncGenerator<Embedded<Item>> {
  const stopping = new AbortController()
  const abort = AbortSignal.any([signal, stopping.signal])
  const work = async (batch: readonly Item[]): Promise<Embedded<Item>[]> => {
    const vectors = await embed(batch.map(textOf), abort)
    return batch.map((item, i) => ({ item, vector: vectors[i]! }))
  }
  const batches = inBatches(items, batch, textOf)
  for await (const results of concurrently(batches, concurrency, work, () => stopping.abort())) {
    yield* results
  }
}

async function* inBatches<Item>(
  items: AsyncIterable<Item>,
  size: number,
  textOf: (item: Item) => string,
): AsyncGenerator<readonly Item[]> {
  let batch: Item[] = []
  for await (const item of items) {
    if (textOf(item).trim() === '') continue
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
