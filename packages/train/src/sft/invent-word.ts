/** Invented words. */
import type { Random } from '@memagent/tasks'
import type { Prose } from './prose-passages.ts'

/** The beginning of one word and the end of another, so that their tokens meet as they never do. */
export function inventWord(prose: Prose, random: Random): string {
  const [first, second] = [random.pick(prose.words), random.pick(prose.words)]
  const beginning = first.slice(0, 1 + random.int(first.length))
  return beginning + second.slice(random.int(second.length))
}
