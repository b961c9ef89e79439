/** The texts and facts that lessons for training and evaluation are drawn from. */
import {
  ChatTemplate,
  createConversationTokens,
  type HuggingFaceTokenizer,
  overwrite,
  promptsFor,
} from '@memagent/core'
import { factKinds } from '@memagent/tasks'
import type { SftConfig } from './config.ts'
import type { BatchSource } from './draw-batch.ts'
import { loadProse } from './prose-passages.ts'
import { chatTemplate, notFoundAnswer } from './reader-files.ts'
import { responseWriters } from './response-writers.ts'
import { proseOfTexts, type TaskLessonSource } from './task-lessons.ts'

export interface LessonSources {
  readonly training: BatchSource
  /** Undefined if no prose is kept for evaluation. */
  readonly evaluation: Omit<BatchSource, 'split' | 'templates'> | undefined
}

/** A vocabulary ends with control tokens and markers, fewer than these; before them are the rarest merges. */
const tokensOfUse = 65

/** @throws ConfigurationError if there is too little prose */
export function createLessonSources(
  { model: { vocabularySize }, prose, workflow, budget, skills }: SftConfig,
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
  const writer = responseWriters[workflow]
  const tokens = createConversationTokens(tokenizer, new ChatTemplate({ template: chatTemplate }))
  const skillsOf = (lessonTexts: readonly string[]): TaskLessonSource => ({
    prose: proseOfTexts(lessonTexts),
    writer,
    tokenizer,
    tokens,
    budget,
    notFound: notFoundAnswer,
    skills,
  })
  const common = {
    encoder,
    writer,
    emptyMemory: promptsFor(overwrite, 'compact').text('emptyMemory', {}),
    notFound: notFoundAnswer,
    charactersPerToken: sample.length / encoder.plain(sample).length,
  }
  return {
    training: { ...common, prose: trainProse, skills: skillsOf(texts), split: 'train', templates: 'train' },
    evaluation:
      prose.evaluationShare === 0
        ? undefined
        : { ...common, prose: loadProse(evaluationTexts, 'Evaluation'), skills: skillsOf(evaluationTexts) },
  }
}
