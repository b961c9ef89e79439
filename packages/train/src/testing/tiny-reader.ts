/** A model folder with a tiny random reader, for tests that train. */
import type { WindowBudget } from '@memagent/core'
import { initialWeights, saveModelFolder } from '@memagent/engine'
import { checkSftConfig } from '../sft/config.ts'
import { readerFiles, trainReaderTokenizer } from '../sft/reader-files.ts'

export interface TinyReaderOptions {
  /**
   * In tokens, which are nearly characters, because its tokenizer knows few words.
   * @default { window: 128, question: 16, chunk: 24, memory: 8, output: 8 }
   */
  readonly budget?: WindowBudget | undefined
}

/** Writes a reader of 30 thousand weights, always the same, into `folder`. @returns the folder */
export async function writeTinyReader(
  folder: string,
  { budget = { window: 128, question: 16, chunk: 24, memory: 8, output: 8 } }: TinyReaderOptions = {},
): Promise<string> {
  const config = checkSftConfig({
    output: folder,
    name: 'unused',
    model: {
      vocabularySize: 320,
      hiddenSize: 24,
      intermediateSize: 32,
      layers: 2,
      heads: 2,
      keyValueHeads: 2,
      headDimension: 12,
      maxPositions: Math.max(512, budget.window),
    },
    budget,
    optimizer: { learningRate: 0.001, finalLearningRate: 0, warmupSteps: 1 },
    stages: [{ steps: 1, sectionTokens: 32, rowTokens: 64, rows: 1, questions: 1, families: 1 }],
    evaluation: { every: 1, sections: 1, sectionTokens: 32 },
    checkpointEvery: 1,
  })
  const words = 'one two three four five six seven eight. what is that?'
  const tokenizerJson = trainReaderTokenizer([words], config, 200)
  const model = { ...config.model, rmsNormEpsilon: 1e-5 }
  const weights = initialWeights(model, 5)
  // Nearly flat, so rollouts differ and sometimes end.
  for (const values of weights.values()) values.set(values.map((value) => value * 1.5))
  await saveModelFolder(folder, { config: model, weights, ...readerFiles(config, tokenizerJson) })
  return folder
}
