/** The files of a trained reader beside its weights: tokenizer, chat template, profile. */
import { hash } from 'node:crypto'
import { basename } from 'node:path'
import { trainedFor } from '@memagent/core'
import { createFact, createRandom } from '@memagent/tasks'
import { trainBpe } from '../tokenizer/train-bpe.ts'
import type { SftConfig } from './config.ts'
import { responseWriters } from './response-writers.ts'

/** The answer when the memory is empty. */
export const notFoundAnswer = 'not in the text'

/** Markers of the `compact` prompts, in the order of their token ids. */
const structureTokens = [
  ...['section', 'memory', 'problem'].flatMap((name) => [`<${name}>`, `</${name}>`]),
  '\\boxed{',
]

const controlTokens = ['<|pad|>', '<|user|>', '<|assistant|>', '<|end|>']

/** Tokens that every reader's tokenizer has. */
export const readerTokens: readonly string[] = [...controlTokens, ...structureTokens]

/** One turn, without role names or line breaks: in a tiny window every token counts. */
export const chatTemplate =
  "{% for message in messages %}{% if message['role'] == 'assistant' %}{{ '<|assistant|>' + message['content'] + '<|end|>' }}" +
  "{% else %}{{ '<|user|>' + message['content'] }}{% endif %}{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}"

/** Training statements and questions, so the tokenizer does not split names and values finer than other words. */
function* factTexts(count: number, seed: number): Generator<string> {
  const random = createRandom(seed, 'tokenizer')
  for (let i = 0; i < count; i++) {
    const fact = createFact(random, { split: 'train', templates: 'train' })
    yield `${fact.statement} ${fact.question(random).text}\n`
  }
}

/**
 * Trains the byte-level tokenizer of a reader. Markers are single tokens, so a section's tokens do not depend on them.
 * @param facts number of statements whose words it learns in addition to the texts
 */
export function trainReaderTokenizer(
  texts: readonly string[],
  { seed, model: { vocabularySize } }: SftConfig,
  facts = 20_000,
): Record<string, unknown> {
  const learnt = JSON.stringify([seed, vocabularySize, facts, hash('sha256', texts.join('\0'))])
  if (lastTrained?.learnt !== learnt) {
    const tokenizerJson = trainBpe([...texts, ...factTexts(facts, seed)], {
      vocabularySize,
      addedTokens: [
        ...controlTokens.map((content) => ({ content, special: true })),
        ...structureTokens.map((content) => ({ content, special: false })),
      ],
    })
    lastTrained = { learnt, tokenizerJson }
  }
  return structuredClone(lastTrained.tokenizerJson)
}

/** A process that trains one reader after another, or resumes it, mostly needs the same tokenizer. */
let lastTrained: { readonly learnt: string; readonly tokenizerJson: Record<string, unknown> } | undefined

/** @param startProfile of the model that training started from: its numerics are kept */
export function readerFiles(
  config: SftConfig,
  tokenizerJson: Record<string, unknown>,
  startProfile?: Readonly<Record<string, unknown>>,
) {
  return {
    tokenizerJson,
    tokenizerConfig: {
      tokenizer_class: 'PreTrainedTokenizerFast',
      add_bos_token: false,
      add_prefix_space: false,
      bos_token: null,
      eos_token: '<|end|>',
      pad_token: '<|pad|>',
      clean_up_tokenization_spaces: false,
      model_max_length: config.model.maxPositions,
      chat_template: chatTemplate,
    },
    profile: {
      name: config.name ?? basename(config.output),
      prompts: 'compact',
      budget: config.budget,
      sampling: { temperature: 0 },
      chunking: 'natural',
      workflows: trainedFor(responseWriters[config.workflow].workflow),
      ...(startProfile?.precision === undefined ? {} : { precision: startProfile.precision }),
    },
  }
}
