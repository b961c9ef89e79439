/** What a reading will cost, before any weights are run: a stand-in for the policy reads, and fills every memory to its limit. */
import type { Sample, SampleRequest, Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { nothingReadable, PassedOver, passOver } from './pass-over.ts'
import type { ReaderTokens } from './reader-tokens.ts'
import { earnedReward } from './rewards.ts'
import { rollOut } from './rollout.ts'
import { earnedSteps } from './step-rewards/earned-steps.ts'
import type { TrainingParts } from './training-parts.ts'

export interface ReadingCost {
  readonly conversations: number
  readonly promptTokens: number
  readonly sampledTokens: number
  readonly longestConversation: number
}

export interface MeasuredSamples {
  readonly task: Task
  readonly seed: number
  readonly lengthTokens: number
  /** How many are drawn: where none of them can be read, the run would end. */
  readonly drawn: number
  /** How many are read. Others cost about as much. */
  readonly read: number
  /** Where the length is set, for messages. */
  readonly where: string
}

/**
 * The most that any of these samples costs. Those that cannot be read are passed over, as they are in training.
 * @throws ConfigurationError where none can be read, and for rewards that give no numbers; what reading throws otherwise
 */
export async function costliestReading(
  parts: TrainingParts,
  samples: MeasuredSamples,
  signal: AbortSignal | undefined,
): Promise<ReadingCost> {
  const { task, seed, lengthTokens, drawn, read, where } = samples
  const { tokenizer } = parts.engine.tokens
  const countTokens = (text: string) => tokenizer.count(text)
  const costs: ReadingCost[] = []
  const reasons: string[] = []
  for (let index = 0; index < drawn && costs.length < read; index++) {
    const request = { index, seed, lengthTokens, countTokens }
    const cost = await readingCost(parts, task, request, signal).catch(passOver)
    if (cost instanceof PassedOver) reasons.push(cost.reason)
    else costs.push(cost)
  }
  if (costs.length === 0) throw nothingReadable(task.name, [lengthTokens], where, reasons)
  const most = (of: (cost: ReadingCost) => number) => Math.max(...costs.map(of))
  return {
    conversations: most(({ conversations }) => conversations),
    promptTokens: most(({ promptTokens }) => promptTokens),
    sampledTokens: most(({ sampledTokens }) => sampledTokens),
    longestConversation: most(({ longestConversation }) => longestConversation),
  }
}

async function readingCost(
  { engine, workflow, reward, credit }: TrainingParts,
  task: Task,
  request: SampleRequest,
  signal: AbortSignal | undefined,
): Promise<ReadingCost> {
  const { profile, tokens } = engine
  const sample: Sample = await task.sample(request)
  const rollout = await rollOut({
    task,
    sample,
    workflow,
    profile,
    tokens,
    policy: standIn(tokens),
    sampling: { temperature: 1, topP: 1, seed: request.index },
    signal,
  })
  earnedReward(reward, rollout, sample)
  if (credit.steps) earnedSteps(credit.steps, rollout, sample)
  const lengths = rollout.conversations.map(({ promptTokens, responseTokens }) => ({
    prompt: promptTokens.length,
    response: responseTokens.length,
  }))
  return {
    conversations: lengths.length,
    promptTokens: lengths.reduce((sum, { prompt }) => sum + prompt, 0),
    sampledTokens: lengths.reduce((sum, { response }) => sum + response, 0),
    longestConversation: Math.max(0, ...lengths.map(({ prompt, response }) => prompt + response)),
  }
}

/** Writes notes up to the limit, and a boxed answer. */
function standIn({ tokenizer, endToken }: ReaderTokens): Pick<FrozenPolicy, 'sample'> {
  const words = tokenizer.encode(' A note about something that the text said in this part.')
  const answer = tokenizer.encode(' \\boxed{unknown}')
  return {
    async sample({ maxTokens }) {
      const filler = Array.from({ length: maxTokens - 1 }, (_, i) => words[i % words.length]!)
      const tokens = [...filler.slice(0, -answer.length), ...answer.slice(0, maxTokens - 1), endToken]
      return { tokens, logprobs: new Float32Array(tokens.length), stopReason: 'stop' }
    },
  }
}
