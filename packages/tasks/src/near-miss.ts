/**
 * Near misses: statements about things with nearly the same name come first, the right one late. A memory that takes the
 * first fitting statement and keeps it answers wrong.
 */
import { createFact, isApartFrom } from './facts/facts.ts'
import { kindNamed } from './facts/kinds.ts'
import { drawNearName } from './facts/near-name.ts'
import { drawFromPool, narrowTries } from './facts/pools.ts'
import { depthsBelow } from './prose/plant-statements.ts'
import {
  absentShare,
  defineProseTask,
  drawAskedFact,
  factLabels,
  kindsOf,
  ordinaryKinds,
} from './prose-task.ts'
import { count } from './settings/task-options.ts'

/** Names of towns and keys have no parts that could differ. */
const nearKinds = () =>
  ordinaryKinds().filter(
    (name) => !kindNamed(name).subjects.some((subject) => subject === 'town' || subject === 'key'),
  )

export const nearMiss = defineProseTask({
  name: 'near-miss',
  description: 'One fact, stated late, after statements about things with nearly the same name.',
  options: {
    kinds: kindsOf(nearKinds, 'every kind whose subjects have names of several parts'),
    nearMisses: count(1)
      .default(4)
      .describe('Statements about nearly the same name, all before the right one.'),
    absentShare: absentShare(0.1, 'with only near misses'),
  },
  draw(draws) {
    const { asked, placed, settings, templates, isPresent } = draws
    const { split } = settings
    const { fact, question } = drawAskedFact(draws)
    const facts = [fact]
    const names = [fact.name!]
    const near = asked.fork('near')
    while (facts.length <= settings.nearMisses) {
      const sibling = drawFromPool(
        near,
        split,
        // For some names, such as services, few are near; the others are near those few.
        (random, tries) => drawNearName(random, tries < narrowTries ? names[0]! : random.pick(names)),
        ({ text }) => text,
        ({ text }) => facts.every((other) => isApartFrom(text, other.subject)),
      )
      names.push(sibling)
      facts.push(
        createFact(near, { split, templates, kind: fact.kind, subject: sibling.text, avoid: [fact] }),
      )
    }
    const nearFacts = facts.slice(1)
    const depth = 0.5 + placed.fork('depth').next() / 2
    const depths = depthsBelow(placed.fork('near-depths'), nearFacts.length, isPresent ? depth : 1)
    return {
      question,
      statements: [
        ...(isPresent ? [{ ...fact, depth }] : []),
        ...nearFacts.map((other, i) => ({ ...other, depth: depths[i]! })),
      ],
      answers: isPresent ? [0] : [],
      labels: { ...factLabels(fact), decoys: nearFacts.length },
    }
  },
})
