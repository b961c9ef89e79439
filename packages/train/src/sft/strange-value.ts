/**
 * Facts with values that are in no list. A reader that has seen every colour and language of the lists memorizes them, and
 * then writes "deep blue" although the memory says "deep ivory". Values like these can only be copied.
 */
import type { Fact, Random } from '@memagent/tasks'
import { inventWord } from './invent-word.ts'
import type { Prose } from './prose-passages.ts'

/** The fact with another value, in its statement too. */
export function withStrangeValue(fact: Fact, prose: Prose, random: Random): Fact {
  const value = drawValue(prose, random)
  const after = fact.statement.slice(fact.valueStart + fact.value.length)
  return { ...fact, value, statement: fact.statement.slice(0, fact.valueStart) + value + after }
}

/** One to four parts: words, inventions, numbers, letters, in any case. */
function drawValue(prose: Prose, random: Random): string {
  const glue = random.pick([' ', ' ', ' ', '-', '.', '_', '/', ''])
  const parts = Array.from({ length: 1 + random.int(4) }, () => {
    switch (random.int(5)) {
      case 0:
        return random.pick(prose.words)
      case 1:
        return String(random.int(10 ** (1 + random.int(6))))
      case 2:
        return String.fromCharCode(...Array.from({ length: 1 + random.int(4) }, () => 65 + random.int(26)))
      default:
        return inventWord(prose, random)
    }
  })
  const text = parts.join(glue)
  switch (random.int(4)) {
    case 0:
      return text.toLowerCase()
    case 1:
      return text.toUpperCase()
    default:
      return text.charAt(0).toUpperCase() + text.slice(1)
  }
}
