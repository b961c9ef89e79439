/** Observations with the names of the groups they belong to, in an order that does not depend on when they were finished. */
import type { Observation } from '../observation.ts'
import { seriesId } from './series.ts'
import { taskId } from './task-group.ts'

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

export const indexObservations = (observations: readonly Observation[]): IndexedObservation[] =>
  observations
    .map((observation) => {
      const task = taskId(observation)
      const { lengthTokens, index, seed, sampleId } = observation
      return {
        observation,
        taskId: task,
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
