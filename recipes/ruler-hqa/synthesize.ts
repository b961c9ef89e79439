/**
 * Writes a training set of RULER-HQA as the MemAgent paper does: 200 documents of HotpotQA a question, without the questions
 * that a model answers when it sees no document. The task `jsonl` reads the file. A run that was stopped goes on.
 *
 *   node --conditions=@memagent/source recipes/ruler-hqa/synthesize.ts \
 *     --hotpotqa hotpot_train_v1.1.json --out train.jsonl --model openai:qwen2.5-7b
 *
 * For the questions of an evaluation: `--hotpotqa hotpot_dev_distractor_v1.json --documents 10 --samples 128 --questions
 * questions.txt`, and that file as the option `questions` of the task `ruler-hqa`. Without `--model` nothing is dropped.
 */
import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type ChatModel, ConfigurationError, createChatModel } from '@memagent/core'
import { type AskWithoutText, writeTrainingSet } from '@memagent/tasks'

const { values: options } = parseArgs({
  options: {
    hotpotqa: { type: 'string' },
    out: { type: 'string' },
    questions: { type: 'string' },
    model: { type: 'string' },
    'base-url': { type: 'string' },
    samples: { type: 'string', default: '32768' },
    documents: { type: 'string', default: '200' },
    'best-of': { type: 'string', default: '2' },
    concurrency: { type: 'string', default: '16' },
    seed: { type: 'string', default: '1' },
  },
})
const { hotpotqa, out, questions } = options
if (hotpotqa === undefined || out === undefined) {
  throw new ConfigurationError({
    code: 'recipe/missing-option',
    message: '--hotpotqa FILE and --out FILE are wanted',
    hint: 'HotpotQA’s files are at https://hotpotqa.github.io; the training set is hotpot_train_v1.1.json.',
  })
}

/** As the paper's repository samples for its filter. */
const sampling = { maxTokens: 512, temperature: 1, topP: 0.7 }
const askModel =
  (model: ChatModel, seed: number): AskWithoutText =>
  async (question, attempt) => {
    const content = `${question}\n\nAnswer from what you know, in a few words.`
    const { text } = await model.generate([{ role: 'user', content }], { ...sampling, seed: seed + attempt })
    return text
  }

const seed = Number(options.seed)
const model =
  options.model === undefined
    ? undefined
    : await createChatModel(options.model, {
        environment: process.env,
        baseUrl: options['base-url'],
        onWait: ({ seconds, reason }) => console.error(`Waiting ${seconds.toFixed(1)} s: ${reason}`),
      })
try {
  let decided = 0
  const { questions: kept, dropped } = await writeTrainingSet({
    path: hotpotqa,
    out,
    samples: Number(options.samples),
    documents: Number(options.documents),
    seed,
    ask: model && askModel(model, seed),
    askedModel: model?.name,
    bestOf: Number(options['best-of']),
    concurrency: Number(options.concurrency),
    onDecision(counts) {
      decided += 1
      if (decided % 100 === 0) console.error(`${counts.kept} kept, ${counts.dropped} dropped`)
    },
  })
  if (questions !== undefined) await writeFile(questions, kept.map((question) => `${question}\n`).join(''))
  console.error(`${out}: ${kept.length} questions; ${dropped} dropped that the model answers without a text`)
} finally {
  await model?.close?.()
}
