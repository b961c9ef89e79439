/** Maps an index to a question: each occurs once per epoch, in an order drawn from the seed. */
import { createRandom } from './random.ts'
import { shuffledRange } from './ruler/draw.ts'

/** Caches the order of the last epoch used. */
export function createQuestionOrder(name: string, count: number): (seed: number, index: number) => number {
  let drawn: { readonly key: string; readonly order: Int32Array } | undefined
  return (seed, index) => {
    const epoch = Math.floor(index / count)
    const key = `${seed}/${epoch}`
    if (drawn?.key !== key) {
      drawn = { key, order: shuffledRange(createRandom(name, 'order', seed, epoch), count) }
    }
    return drawn.order[index % count]!
  }
}
