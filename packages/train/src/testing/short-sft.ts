/** Short supervised trainings of a tiny reader, for tests. */
import { createRandom } from '@memagent/tasks'

const words = 'river stone lamp seven window quiet market under yellow paper north engine'.split(' ')

/** Prose to train and evaluate on. */
export const shortTexts = [1, 2, 3].map((seed) => {
  const random = createRandom(seed)
  const sentence = () => `${Array.from({ length: 9 }, () => random.pick(words)).join(' ')}.`
  return Array.from({ length: 1400 }, sentence).join(' ')
})

/** A configuration as YAML, evaluated after every `every` steps. Its learning rate decays over six, however many it has. */
export const shortSft = (output: string, steps: number, every: number) => `
output: ${output}
seed: 3
threads: 1
prose: { evaluationShare: 0.34 }
model: { vocabularySize: 400, hiddenSize: 16, intermediateSize: 24, layers: 1, heads: 2, keyValueHeads: 1, headDimension: 8, maxPositions: 512 }
budget: { window: 400, question: 96, chunk: 96, memory: 64, output: 64 }
optimizer: { learningRate: 0.01, finalLearningRate: 0.001, warmupSteps: 2, decaySteps: 6 }
stages: [{ steps: ${steps}, sectionTokens: 96, rowTokens: 512, rows: 1, questions: 2, families: 1 }]
evaluation: { every: ${every}, sections: 4, sectionTokens: 96 }
checkpointEvery: 2
`
