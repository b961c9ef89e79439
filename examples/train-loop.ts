/**
 * A training loop with everything visible: documents are read by the very workflow that answers questions, every reading is
 * rewarded, and each token of its conversations is made likelier or less likely by how much better its reading was than the
 * others of the same document (Multi-Conv DAPO: MemAgent, arXiv 2507.02259, section 3). `trainRl` is this loop with
 * checkpoints, evaluation, several updates a step and a KL term.
 *
 *   npm run example examples/train-loop.ts                   a tiny random reader learns to end its notes, in seconds
 *   npm run example examples/train-loop.ts models/nano 20    the same with the bundled reader and questions, in minutes; it was
 *                                                            trained on such questions already, so do not expect a rise
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTextDocument, workflowNamed } from '@memagent/core'
import { installedProse, type Task, tasks } from '@memagent/tasks'
import {
  createTrainingEngine,
  groupAdvantages,
  metricReward,
  type Reward,
  rollOut,
  tokenLoss,
} from '@memagent/train'
import { writeTinyReader } from '@memagent/train/testing'

const [model, steps = '30'] = process.argv.slice(2)
const output = await mkdtemp(join(tmpdir(), 'train-loop-'))

/** A random reader finds nothing, but its notes can end before their limit: that much it can learn in seconds. */
const scribbles: Task = {
  name: 'scribbles',
  sample: async ({ index }) => ({
    id: `scribbles/${index}`,
    question: 'what is that?',
    document: createTextDocument(`one two three ${index}. four five six. seven eight.`),
    references: ['one'],
    match: 'any',
    evidence: [],
    labels: {},
  }),
  score: () => ({}),
}
/** The share of the conversations that said something and ended by themselves. */
const endsItsNotes: Reward = ({ conversations }) => {
  const ended = conversations.filter(({ isCut, responseTokens }) => !isCut && responseTokens.length > 1)
  return ended.length / conversations.length
}

const facts = async () =>
  tasks['facts-in-prose']({ prose: await installedProse(), decoysPer200k: 1200, subjectDecoys: 3 })
const { task, reward, lengthTokens, learningRate } = model
  ? { task: await facts(), reward: metricReward('strict'), lengthTokens: 1000, learningRate: 1e-5 }
  : { task: scribbles, reward: endsItsNotes, lengthTokens: 24, learningRate: 0.01 }

const startFrom = model ?? (await writeTinyReader(join(output, 'reader')))
const engine = await createTrainingEngine({ kind: 'embedded', startFrom }, { output })
const { tokens, profile } = engine
const workflow = await workflowNamed(profile.workflows?.[0] ?? 'overwrite')
const policy = await engine.createPolicy()
const rewardOfStep: number[] = []
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length

for (let step = 0; step < Number(steps); step++) {
  // 1. Groups of readings of the same document, all by the weights as they are now.
  const snapshot = await policy.snapshot()
  const groups = await Promise.all(
    [0, 1, 2, 3].map(async (group) => {
      const index = 4 * step + group
      const countTokens = (text: string) => tokens.tokenizer.count(text)
      const sample = await task.sample({ index, seed: 1, lengthTokens, countTokens })
      const rollouts = await Promise.all(
        [0, 1, 2, 3, 4, 5, 6, 7].map((member) => {
          const sampling = { temperature: 1, topP: 1, seed: 8 * index + member }
          return rollOut({ task, sample, workflow, profile, tokens, policy: snapshot, sampling })
        }),
      )
      return { sample, rollouts }
    }),
  )
  await snapshot.close()

  // 2. Rewards, and how much better each reading was than the others of its group.
  const rewards = groups.map(({ sample, rollouts }) => rollouts.map((rollout) => reward(rollout, sample)))
  const advantages = rewards.map((ofGroup) => groupAdvantages(ofGroup))

  // 3. Every conversation of a reading is credited with its advantage: each rewrite of the memory, and the answer.
  const conversations = groups.flatMap(({ rollouts }, group) =>
    rollouts.flatMap((rollout, member) => {
      const advantage = advantages[group]![member]!
      return rollout.conversations.map((conversation) => ({ ...conversation, advantage }))
    }),
  )

  // 4. The gradient of the loss with respect to each token's log-probability; every token of the batch weighs the same.
  const count = conversations.reduce((sum, { responseTokens }) => sum + responseTokens.length, 0)
  const clip = { clipLow: 0.2, clipHigh: 0.28, klCoefficient: 0 }
  const gradients = conversations.map(({ logprobs, advantage }) =>
    logprobs!.map((logprob) => tokenLoss(logprob, logprob, undefined, advantage, clip).gradient / count),
  )

  // 5. One update. Without a gradient there is none: momentum alone would move the weights.
  const taught = [...conversations.keys()].filter((i) => gradients[i]!.some((value) => value !== 0))
  if (taught.length > 0) {
    await policy.forwardBackward(
      taught.map((i) => conversations[i]!),
      taught.map((i) => gradients[i]!),
    )
    await policy.optimStep({
      learningRate,
      beta1: 0.9,
      beta2: 0.999,
      epsilon: 1e-8,
      weightDecay: 0,
      clipNorm: 1,
    })
  }

  const all = rewards.flat()
  rewardOfStep.push(mean(all))
  const learned = `learned from ${taught.length} of ${conversations.length} conversations`
  console.log(`step ${step + 1}: reward ${mean(all).toFixed(3)}, ${learned}`)
}

await policy.close()
await rm(output, { recursive: true })
console.log(`reward of the first five steps ${mean(rewardOfStep.slice(0, 5)).toFixed(3)}`)
console.log(`reward of the last five steps ${mean(rewardOfStep.slice(-5)).toFixed(3)}`)
