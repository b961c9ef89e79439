/** The texts and facts that lessons for training and evaluation are drawn from. */
import { type HuggingFaceTokenizer, overwrite, promptsFor } from '@memagent/core'
import { factKinds } from '@memagent/tasks'
import type { SftConfig } from './config.ts'
import type { BatchSource } from './draw-batch.ts'
import { loadProse } from './prose-passages.ts'
import { notFoundAnswer } from './reader-files.ts'

export interface LessonSources {
  readonly training: BatchSource
  /** Undefined when no prose is kept for evaluation. */
  readonly evaluation: Omit<BatchSource, 'split' | 'templates'> | undefined
}

/** A vocabulary ends with control tokens, markers, digits and single characters; before them are the rarest words. */
const tokensOfUse = 65

/** @throws ConfigurationError where there is too little prose */
export function createLessonSources(
  { model: { vocabularySize }, prose }: SftConfig,
  tokenizer: HuggingFaceTokenizer,
  texts: readonly string[],
  evaluationTexts: readonly string[],
): LessonSources {
  const encoder = {
    plain: (text: string) => tokenizer.encode(text),
    marked: (text: string) => tokenizer.encode(text, { specialTokens: true }),
    kindToken: (kind: string) =>
      vocabularySize - tokensOfUse - factKinds().findIndex(({ name }) => name === kind),
  }
  const trainProse = loadProse(texts)
  const sample = trainProse.sentences.slice(0, 2000).join('')
  const common = {
    encoder,
    vocabularySize,
    emptyMemory: promptsFor(overwrite, 'compact').text('emptyMemory', {}),
    notFound: notFoundAnswer,
    charactersPerToken: sample.length / encoder.plain(sample).length,
  }
  return {
    training: { ...common, prose: trainProse, split: 'train', templates: 'train' },
    evaluation:
      prose.evaluationShare === 0
        ? undefined
        : { ...common, prose: loadProse(evaluationTexts, 'Evaluation') },
  }
}
