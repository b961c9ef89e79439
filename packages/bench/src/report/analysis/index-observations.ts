/** Observations with the names of the groups they belong to, in an order that does not depend on when they were finished. */
import { ConfigurationError } from '@memagent/core'
import { canonicalJson } from '../canonical-json.ts'
import type { Observation } from '../observation.ts'
import { seriesId } from './series.ts'
import { taskId, wholeTaskId } from './task-group.ts'

export interface IndexedObservation {
  readonly observation: Observation
  readonly taskId: string
  readonly seriesId: string
  readonly lengthTokens: number
  /** The same question at every length and for every series. */
  readonly questionId: string
  /** The same sample for every series. */
  readonly pairId: string
}

/** @throws ConfigurationError when one sample was asked with different questions, or judged by different answers */
export function indexObservations(observations: readonly Observation[]): IndexedObservation[] {
  const index = indexed(observations)
  const first = new Map<string, Observation>()
  for (const { pairId, observation } of index) {
    const other = first.get(pairId)
    if (other === undefined) first.set(pairId, observation)
    else checkSameQuestion(other, observation)
  }
  return index
}

/** Questions that changed between two runs, in a file of the user's or with the program, cannot be compared. */
function checkSameQuestion(one: Observation, other: Observation): void {
  const asked = ({ question, references, match }: Observation) => canonicalJson([question, references, match])
  if (asked(one) === asked(other)) return
  const where = ({ key, path }: Observation) => `${key} in ${path}`
  throw new ConfigurationError({
    code: 'bench/other-questions',
    message: `${where(one)} and ${where(other)} are one sample, but not one question with the same answers: ${show(one)} and ${show(other)}.`,
    hint: 'The questions were changed between the runs. Report on them apart, or ask all methods again.',
    details: { keys: [one.key, other.key] },
  })
}

const shownCharacters = 80
const show = ({ question, references }: Observation) =>
  `${JSON.stringify(question.slice(-shownCharacters))} with ${JSON.stringify(references).slice(0, shownCharacters)}`

const indexed = (observations: readonly Observation[]): IndexedObservation[] =>
  observations
    .map((observation) => {
      const task = wholeTaskId(observation)
      const { lengthTokens, index, seed, sampleId } = observation
      return {
        observation,
        taskId: taskId(observation),
        seriesId: seriesId(observation),
        lengthTokens,
        questionId: `${task}\n${seed}\n${index}`,
        pairId: `${task}\n${seed}\n${index}\n${lengthTokens}\n${sampleId}`,
      }
    })
    .sort(
      (a, b) =>
        a.observation.index - b.observation.index ||
        a.lengthTokens - b.lengthTokens ||
        (a.pairId < b.pairId ? -1 : a.pairId > b.pairId ? 1 : 0),
    )
