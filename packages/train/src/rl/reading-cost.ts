/**
 * Bounds the cost of a reading without running any weights: a stand-in for the policy reads, and fills every memory to its
 * limit. If a workflow wants a form that the stand-in does not write, the budget gives the bound.
 */
import { estimateReading } from '@memagent/core'
import type { Sample, SampleRequest, Task } from '@memagent/tasks'
import type { FrozenPolicy } from '../policy/policy.ts'
import { nothingReadable, PassedOver, passOver } from './pass-over.ts'
import type { ReaderTokens } from './reader-tokens.ts'
import { earnedReward } from './rewards.ts'
import { rollOut } from './rollout.ts'
import { earnedSteps } from './step-rewards/earned-steps.ts'
import type { TrainingParts } from './training-parts.ts'

export interface ReadingCost {
  readonly documentTokens: number
  readonly conversations: number
  readonly promptTokens: number
  readonly sampledTokens: number
  readonly longestConversation: number
}

export interface MeasuredSamples {
  readonly task: Task
  readonly seed: number
  readonly lengthTokens: number
  /** Number drawn at a time: if none of them can be read, the run ends. */
  readonly drawn: number
  /** Number drawn in all. */
  readonly all: number
  /** Where the length is set, for messages. */
  readonly where: string
}

/** Maximum number of documents to measure if a task keeps their lengths and does not say how many it has. */
const mostMeasured = 1000

/** Samples to read to find the costliest: documents of one length cost about the same. */
const fewReadings = 8

/**
 * The most that any of these samples costs. Samples that cannot be read are passed over, as in training.
 * @throws ConfigurationError if none can be read, or a reward gives no number; what reading throws otherwise
 */
export async function costliestReading(
  parts: TrainingParts,
  samples: MeasuredSamples,
  signal: AbortSignal | undefined,
): Promise<ReadingCost> {
  const { task, seed, lengthTokens, drawn, all, where } = samples
  const { tokenizer } = parts.engine.tokens
  const countTokens = (text: string) => tokenizer.count(text)
  const costs: ReadingCost[] = []
  const reasons: string[] = []
  const requestOf = (index: number) => ({ index, seed, lengthTokens, countTokens })
  const requests = Array.from({ length: Math.min(all, task.questions ?? mostMeasured) }, (_, index) =>
    requestOf(index),
  )
  const unmade: string[] = []
  const wanted = task.keepsLength ? await longestFirst(task, requests, unmade, signal) : requests
  for (const request of wanted) {
    if (costs.length === fewReadings || (costs.length === 0 && reasons.length === drawn)) break
    const cost = await readingCost(parts, task, request, signal).catch(passOver)
    if (cost instanceof PassedOver) reasons.push(cost.reason)
    else costs.push(cost)
  }
  if (costs.length === 0) throw nothingReadable(task.name, [lengthTokens], where, [...reasons, ...unmade])
  return costliestOf(costs)
}

/** The most of each. @param costs at least one */
export function costliestOf(costs: readonly ReadingCost[]): ReadingCost {
  const most = (of: (cost: ReadingCost) => number) => Math.max(...costs.map(of))
  return {
    documentTokens: most(({ documentTokens }) => documentTokens),
    conversations: most(({ conversations }) => conversations),
    promptTokens: most(({ promptTokens }) => promptTokens),
    sampledTokens: most(({ sampledTokens }) => sampledTokens),
    longestConversation: most(({ longestConversation }) => longestConversation),
  }
}

/** Sorts by document length, without samples for which no document can be made. @param reasons receives why */
async function longestFirst(
  task: Task,
  requests: readonly SampleRequest[],
  reasons: string[],
  signal: AbortSignal | undefined,
): Promise<SampleRequest[]> {
  const measured: { request: SampleRequest; tokens: number }[] = []
  for (const request of requests) {
    signal?.throwIfAborted()
    const sample = await task.sample(request).catch(passOver)
    if (sample instanceof PassedOver) reasons.push(sample.reason)
    else measured.push({ request, tokens: await tokensOf(sample, request) })
  }
  return measured.sort((a, b) => b.tokens - a.tokens).map(({ request }) => request)
}

async function tokensOf({ document }: Sample, { countTokens }: SampleRequest): Promise<number> {
  let tokens = 0
  for await (const { text } of document.open()) tokens += countTokens(text)
  return tokens
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
  const documentTokens = task.keepsLength ? await tokensOf(sample, request) : request.lengthTokens
  const read = {
    documentTokens,
    conversations: lengths.length,
    promptTokens: lengths.reduce((sum, { prompt }) => sum + prompt, 0),
    sampledTokens: lengths.reduce((sum, { response }) => sum + response, 0),
    longestConversation: Math.max(0, ...lengths.map(({ prompt, response }) => prompt + response)),
  }
  const isMalformed = rollout.conversations.some((conversation) => conversation.isMalformed)
  if (!isMalformed && workflow.callsPerChunk === undefined && !workflow.estimate) return read
  // Well-formed responses would fill the memory and make the workflow ask more.
  const most = estimateReading(documentTokens, rollout.chunks.length, profile, workflow)
  return {
    documentTokens,
    conversations: Math.max(read.conversations, most.calls),
    promptTokens: Math.max(read.promptTokens, most.promptTokens),
    sampledTokens: Math.max(read.sampledTokens, most.completionTokens),
    longestConversation: profile.budget.window,
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
