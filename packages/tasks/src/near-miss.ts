/**
 * Near misses: statements about things with nearly the name asked for come first, the right one late. A memory that takes
 * the first statement that fits, and keeps it, answers wrong.
 */
import { z } from 'zod'
import { createFact, isApartFrom } from './facts/facts.ts'
import { kindNamed } from './facts/kinds.ts'
import { drawNearName } from './facts/near-name.ts'
import { drawFromPool, narrowTries } from './facts/pools.ts'
import { depthsBelow, plantStatements } from './prose/plant-statements.ts'
import {
  drawAskedFact,
  factLabels,
  isAbsent,
  kindNames,
  ordinaryKinds,
  proseTaskOptions,
  sampleDraws,
} from './prose-task.ts'
import { sampleId } from './sample-id.ts'
import { count, readTaskOptions, share } from './settings/task-options.ts'
import type { Sample, Task } from './task.ts'
import { scoreAnswer } from './verifiers/score.ts'

/** Names of towns and keys have no parts of which one could differ. */
const nearKinds = () =>
  ordinaryKinds().filter(
    (name) => !kindNamed(name).subjects.some((subject) => subject === 'town' || subject === 'key'),
  )

const nearMissOptions = z.strictObject({
  ...proseTaskOptions,
  /** Names of kinds. @default every kind whose subjects have names of several parts */
  kinds: kindNames.default(nearKinds),
  /** Statements about nearly the same name, all of them before the right one. @default 4 */
  nearMisses: count(1).default(4),
  /** Share of the documents with near misses alone, spread evenly over index + seed. @default 0.1 */
  absentShare: share.default(0.1),
})
export type NearMissOptions = z.input<typeof nearMissOptions>

/** @throws TaskError for options that do not exist, and for wrong values */
export function createNearMiss(options: NearMissOptions): Task {
  const name = 'near-miss'
  const settings = readTaskOptions(name, nearMissOptions, options)
  return {
    name,
    async sample(request) {
      const { asked, placed, isHeldOut } = sampleDraws(name, request, settings)
      const templates = isHeldOut ? 'held-out' : 'train'
      const isPresent = !isAbsent(request.index + request.seed, settings.absentShare)
      const { split } = settings
      const { fact, question } = drawAskedFact(asked, settings, isHeldOut)
      const facts = [fact]
      const names = [fact.name!]
      const near = asked.fork('near')
      while (facts.length <= settings.nearMisses) {
        const sibling = drawFromPool(
          near,
          split,
          // Few names are near that of a service, say: further ones are near those.
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
      const planted = plantStatements(
        name,
        request,
        settings.prose,
        [
          ...(isPresent ? [{ ...fact, depth }] : []),
          ...nearFacts.map((other, i) => ({ ...other, depth: depths[i]! })),
        ],
        placed.fork('prose'),
      )
      const evidence = isPresent ? [planted.values[0]!] : []
      return {
        id: sampleId(name, request),
        question: question.text,
        document: planted.document,
        references: isPresent ? [fact.value] : [],
        match: 'any',
        evidence,
        labels: {
          ...factLabels(fact, question),
          split,
          present: isPresent,
          decoys: nearFacts.length,
          ...(isPresent ? { depth: evidence[0]!.startByte / planted.sizeBytes } : {}),
        },
      } satisfies Sample
    },
    score: scoreAnswer,
  }
}
