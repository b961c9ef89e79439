/** Plants a fact in the prose that comes with the installation. */
import {
  createDecoy,
  createFact,
  createRandom,
  type Plant,
  type PlantedDocument,
  type ProseSource,
  plantInProse,
} from '@memagent/tasks'

/** Chosen because its fact is easy. The model card says how often facts are found, by length. */
export const defaultSeed = 6
/** For the list of facts, chosen for the same reason. */
export const defaultListSeed = 3

export interface PlantedFact {
  readonly statement: string
  readonly question: string
  readonly expected: string
  readonly decoys: readonly string[]
}

/** Drawn from tables. @param decoyCount similar facts */
export function drawFact(seed: number, decoyCount: number): PlantedFact {
  const random = createRandom('demo', seed)
  const fact = createFact(random, { split: 'eval', templates: 'train' })
  const styles = ['same-kind', 'shared-name'] as const
  const decoys = Array.from(
    { length: decoyCount },
    (_, i) => createDecoy(random, fact, { style: styles[i % 2]! }).statement,
  )
  return { statement: fact.statement, question: fact.question(random).text, expected: fact.value, decoys }
}

export interface FactPlace {
  readonly prose: ProseSource
  readonly seed: number
  readonly lengthTokens: number
  readonly countTokens: (text: string) => number
}

/** @returns the text, and the depth of the fact in it, from 0 to 1 */
export function plantFact(
  { statement, decoys }: PlantedFact,
  { prose, seed, lengthTokens, countTokens }: FactPlace,
): { readonly planted: PlantedDocument; readonly depth: number } {
  const random = createRandom('demo', seed, 'places')
  const depth = random.fork('depth').next()
  const plants: Plant[] = [
    { text: statement, depth },
    ...decoys.map((text, i) => ({ text, depth: random.fork('decoy', i).next() })),
  ]
  const planted = plantInProse({
    ...{ name: 'demo', prose, plants, lengthTokens, countTokens },
    random: random.fork('prose'),
  })
  return { planted, depth }
}
