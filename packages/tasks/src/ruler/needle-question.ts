/** RULER's two wordings of the question for needles: for one value, or for several. */
import type { Sample } from '../task.ts'

/** @param type of the values: number, word, uuid */
export function needleQuestion(
  keys: readonly string[],
  type: string,
  valueCount: number,
): Required<Pick<Sample, 'question' | 'query'>> {
  const list = keys.length > 1 ? `${keys.slice(0, -1).join(', ')}, and ${keys.at(-1)}` : keys[0]!
  const query = `special magic ${valueCount === 1 ? type : `${type}s`} for ${list}`
  return {
    question: `What ${valueCount === 1 ? 'is' : 'are all'} the ${query} mentioned in the provided text?`,
    query,
  }
}
