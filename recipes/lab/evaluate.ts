/**
 * Reads the same questions at growing length with one reader, among as many decoys per token as ordinary evaluation has.
 * One JSON line per document; a run that was stopped goes on where it stopped.
 *
 *   npm run lab:evaluate -- --prose FOLDER --arm rl-1 [--lengths 1024,8192,65536,524288,3500000] [--memory 48]
 */
import { parseArgs } from 'node:util'
import { createEmbeddedChatModel } from '@memagent/engine'
import { createFactsInProse, installedProse, proseFromFolder } from '@memagent/tasks'
import { evaluateDocuments } from '../evaluation/documents.ts'

const { values: options } = parseArgs({
  options: {
    arm: { type: 'string' },
    prose: { type: 'string' },
    lengths: { type: 'string', default: '1024,8192,65536,524288,3500000' },
    /** Tokens of the memory, where it is not the trained one. */
    memory: { type: 'string' },
    parallel: { type: 'string', default: '64' },
    samples: { type: 'string' },
  },
})
if (!options.arm) throw new Error('--arm NAME is missing: a folder of runs/lab')

const trained = await createEmbeddedChatModel({ folder: `runs/lab/${options.arm}/model` })
const memory = options.memory === undefined ? undefined : Number(options.memory)
const budget = { ...trained.profile!.budget, ...(memory ? { memory } : {}) }
const model = { ...trained, profile: { ...trained.profile!, budget } }
const prose = options.prose ? await proseFromFolder(options.prose) : await installedProse()
const task = createFactsInProse({ prose, split: 'eval', templates: 'train' })
const samplesAt = (length: number) => Number(options.samples ?? (length >= 1_000_000 ? 64 : 256))

const jobs = options.lengths
  .split(',')
  .map(Number)
  .flatMap((lengthTokens) =>
    Array.from({ length: samplesAt(lengthTokens) }, (_, index) => ({
      key: `${options.arm}/${budget.memory}/${lengthTokens}/${index}`,
      task,
      lengthTokens,
      seed: 1_000_003,
      index,
    })),
  )

try {
  await evaluateDocuments({
    model,
    jobs,
    output: `recipes/lab/results/lengths-${options.arm}.jsonl`,
    parallel: Number(options.parallel),
  })
} finally {
  await trained.close?.()
}
