/** Maps an index to a question: each occurs once per epoch, in an order drawn from the seed. */
import { TaskError } from '@memagent/core'
import { createRandom } from './random.ts'
import { shuffledRange } from './ruler/draw.ts'

/** Caches the order of the last epoch used. The returned function throws TaskError for an invalid index. */
export function createQuestionOrder(name: string, count: number): (seed: number, index: number) => number {
  let drawn: { readonly key: string; readonly order: Int32Array } | undefined
  return (seed, index) => {
    if (!Number.isSafeInteger(index) || index < 0) {
      throw new TaskError({
        code: 'task/bad-index',
        message: `an index is a whole number of at least 0, got ${index}`,
      })
    }
    const epoch = Math.floor(index / count)
    const key = `${seed}/${epoch}`
    if (drawn?.key !== key) {
      drawn = { key, order: shuffledRange(createRandom(name, 'order', seed, epoch), count) }
    }
    return drawn.order[index % count]!
  }
}
