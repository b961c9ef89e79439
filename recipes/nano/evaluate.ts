/**
 * Evaluates the bundled model on documents of up to 3.5 million tokens, among decoys, on prose, names, values and (half of
 * the time) templates that no training step saw. One JSON line per document; a run that was stopped goes on where it stopped.
 *
 *   npm run evaluate:nano -- --prose FOLDER [--model models/nano] [--lengths 200000,1000000,3500000] [--parallel 24]
 *   npm run evaluate:nano -- --prose FOLDER --model recipes/nano/supervised --output recipes/nano/results/evaluation-supervised.jsonl
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { createEmbeddedChatModel } from '@memagent/engine'
import { createFolderProse, installedProse, type Task, tasks } from '@memagent/tasks'
import { type EvaluationJob, evaluateDocuments } from '../evaluation/documents.ts'

const { values: options } = parseArgs({
  options: {
    prose: { type: 'string' },
    model: { type: 'string', default: 'models/nano' },
    lengths: { type: 'string', default: '200000,1000000,3500000' },
    parallel: { type: 'string', default: '24' },
    output: { type: 'string', default: 'recipes/nano/results/evaluation.jsonl' },
    seeds: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

const seedsOf = (length: number) =>
  options.seeds ? Number(options.seeds) : length >= 3_000_000 ? 10 : length >= 1_000_000 ? 40 : 100
/** At 200,000 tokens, so that more than 200 questions of all lengths are about held-out templates. */
const heldOutSeeds = options.seeds ? Number(options.seeds) : 180

const model = await createEmbeddedChatModel({
  folder: options.model,
  workers: Number(options.workers),
  threads: 1,
})
const prose = options.prose ? await createFolderProse(options.prose) : await installedProse()
/** Eight facts of the same kind per 200,000 tokens, half of them sharing a name with the one asked for. */
const facts = await tasks['facts-in-prose']({ prose, subjectDecoys: 0 })
const heldOut = await tasks['facts-in-prose']({ prose, templates: 'held-out', subjectDecoys: 0 })
/** Harder still: another fact about the very subject is in the text too. */
const subjectDecoys = await tasks['facts-in-prose']({ prose, subjectDecoys: 1 })
/** What the decoys cost. */
const withoutDecoys = await tasks['facts-in-prose']({ prose, decoysPer200k: 0 })
const needles = await tasks['needles-in-prose']({ prose })

const jobs: EvaluationJob[] = options.lengths
  .split(',')
  .map(Number)
  .flatMap((lengthTokens) => {
    const seeds = Array.from({ length: seedsOf(lengthTokens) }, (_, i) => i + 1)
    const job = (name: string, task: Task, seed: number) => ({
      key: `${name}/${lengthTokens}/${seed}`,
      task,
      lengthTokens,
      seed,
    })
    const more = (count: number) => Array.from({ length: count }, (_, i) => i + 1)
    return [
      ...seeds.map((seed) => job('facts', facts, seed)),
      ...(lengthTokens === 200_000
        ? [
            ...more(heldOutSeeds).map((seed) => job('held-out', heldOut, 1000 + seed)),
            ...seeds.slice(0, 20).map((seed) => job('needles', needles, seed)),
            ...seeds.slice(0, 40).map((seed) => job('without-decoys', withoutDecoys, 2000 + seed)),
            ...seeds.slice(0, 40).map((seed) => job('subject-decoys', subjectDecoys, 3000 + seed)),
          ]
        : []),
    ]
  })

try {
  await evaluateDocuments({ model, jobs, output: options.output, parallel: Number(options.parallel) })
} finally {
  await model.close?.()
}
