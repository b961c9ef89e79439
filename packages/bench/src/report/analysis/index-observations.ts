/** Observations with the ids of the groups they belong to, in an order independent of when they finished. */
import { ConfigurationError, canonicalJson } from '@memagent/core'
import type { Observation } from '../observation.ts'
import { seriesId } from './series.ts'
import { taskId, wholeTaskId } from './task-group.ts'

export interface IndexedObservation {
  readonly observation: Observation
  readonly taskId: string
  readonly seriesId: string
  readonly lengthTokens: number
  /** The same at every length, for every series, and for every sample that asks the question. */
  readonly questionId: string
  /** The same for every series that answered the sample. */
  readonly pairId: string
}

/** The same for every length and series; with `firstSeed`, for every seed of the run, which draws none of the questions. */
export const drawIdOf = (observation: Observation): string =>
  `${wholeTaskId(observation)}\n${hasOwnSeeds(observation) ? 'own' : observation.seed}\n${observation.index}`

const hasOwnSeeds = ({ taskOptions: { firstSeed }, index, sampleId }: Observation): boolean =>
  typeof firstSeed === 'number' && sampleId.includes(`/seed-${firstSeed + index}/index-0/`)

/** Groups dependent answers. A row of a file is one question however often it is drawn; generated samples are drawn once. */
export const questionIdOf = (observation: Observation): string => {
  const row = rowOf(observation)
  return row === undefined ? drawIdOf(observation) : `${wholeTaskId(observation)}\n${row}`
}

/** The row drawn from a file; undefined for generated samples. */
function rowOf({ sampleId, labels: { id, row, epoch }, question, references }: Observation) {
  const name = [id, `row-${row}`].find((one) => sampleId.includes(`/${one}/seed-`))
  if (name !== undefined) return canonicalJson(name)
  // Some files do not name their questions.
  return epoch === undefined ? undefined : canonicalJson([question, references])
}

export const pairIdOf = (observation: Observation): string =>
  `${drawIdOf(observation)}\n${observation.lengthTokens}\n${observation.sampleId}`

/** @throws ConfigurationError if one sample was asked with different questions or scored with different references */
export function indexObservations(observations: readonly Observation[]): IndexedObservation[] {
  const index = indexed(observations)
  const first = new Map<string, Observation>()
  for (const { pairId, observation } of index) {
    const other = first.get(pairId)
    if (other === undefined) first.set(pairId, observation)
    else checkSameSample(other, observation)
  }
  return index
}

/**
 * Guards against a change between two runs, in the user's file or in the program, which makes them incomparable.
 * @throws ConfigurationError if the questions differ or, at one length, the documents
 */
export function checkSameSample(one: Observation, other: Observation): void {
  const asked = ({ question, references, match }: Observation) => canonicalJson([question, references, match])
  const where = ({ key, path }: Observation) => `${key} in ${path}`
  if (asked(one) === asked(other)) {
    if (one.lengthTokens !== other.lengthTokens || one.documentBytes === other.documentBytes) return
    throw new ConfigurationError({
      code: 'bench/other-documents',
      message: `${where(one)} and ${where(other)} are one sample, but not of one document: ${one.documentBytes} bytes and ${other.documentBytes}.`,
      hint: 'The runs had other prose or another tokenizer. Report on them apart, or ask all methods again.',
      details: { keys: [one.key, other.key] },
    })
  }
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
      return {
        observation,
        taskId: taskId(observation),
        seriesId: seriesId(observation),
        lengthTokens: observation.lengthTokens,
        questionId: questionIdOf(observation),
        pairId: pairIdOf(observation),
      }
    })
    .sort(
      (a, b) =>
        a.observation.index - b.observation.index ||
        a.lengthTokens - b.lengthTokens ||
        (a.pairId < b.pairId ? -1 : a.pairId > b.pairId ? 1 : 0),
    )
