/** Invented words. */
import type { Random } from '@memagent/tasks'
import type { Prose } from './prose-passages.ts'

/** Joins the beginning of one word to the end of another: a sequence of tokens that never occurs. */
export function inventWord(prose: Prose, random: Random): string {
  const [first, second] = [random.pick(prose.words), random.pick(prose.words)]
  const beginning = first.slice(0, 1 + random.int(first.length))
  return beginning + second.slice(random.int(second.length))
}
