/**
 * Checks before training that a server computes what its profile says. Servers of this protocol differ in how they average,
 * mask and clip, and none reports an error: training would just come out different. Client and server are checked together,
 * on a throw-away model: log-probabilities in three ways, then gradients.
 */
import { checkGradientRules, type Probe } from './conformance-gradients.ts'
import { refuse, refusingProtocolErrors } from './conformance-refusal.ts'
import { largestDifference, meanDifference } from './logprob-differences.ts'
import type { SampleGate } from './sample-gate.ts'
import { Sampler } from './sampler.ts'
import type { TinkerSession } from './session.ts'
import { TrainingModel, type TrainingModelOptions } from './training-model.ts'

/** Largest mean difference between the sampler's and the trainer's log-probabilities that counts as rounding. */
const tolerance = 0.1
/** Small ids, which every model has. Longer prompts hide averages. */
const promptTokens = [21, 9]
/** A response with fewer tokens cannot tell averages apart. */
const leastTokens = 6

/**
 * @param kind `forward` skips gradients, which differ the most
 * @throws TinkerConformanceError naming the difference
 */
export async function checkConformance(
  session: TinkerSession,
  modelOptions: TrainingModelOptions,
  gate: SampleGate,
  kind: 'full' | 'forward',
): Promise<void> {
  const model = await TrainingModel.create(session, modelOptions)
  try {
    const probe = await checkLogprobs(session, model, modelOptions.baseModel, gate)
    if (kind === 'full') await checkGradientRules(model, session.profile, probe)
  } finally {
    await model.unload().catch((error: unknown) => {
      session.onNotice(`The throw-away model could not be unloaded: ${(error as Error).message}`)
    })
  }
}

async function checkLogprobs(
  session: TinkerSession,
  model: TrainingModel,
  baseModel: string,
  gate: SampleGate,
): Promise<Probe> {
  const { profile } = session
  const sampler = new Sampler(session, await model.createSampler(), gate)
  const sample = async (prompt: readonly number[], maxTokens: number, seed: number) => {
    const request = { promptTokens: prompt, maxTokens, temperature: 1, topP: 1, seed, stopTokens: [] }
    const { tokens, logprobs } = await refusingProtocolErrors(profile, 'sample', () =>
      sampler.sample(request),
    )
    // Sampled at temperature 1, so log-probabilities are defined.
    return { sequence: { promptTokens: prompt, responseTokens: tokens }, logprobs: logprobs! }
  }
  let long = await sample(promptTokens, 12, 1)
  for (let seed = 2; long.logprobs.length < leastTokens && seed < 12; seed++) {
    long = await sample(promptTokens, 12, seed)
  }
  if (long.logprobs.length < leastTokens) {
    throw refuse(profile, 'sample', `its responses to ${promptTokens} end before ${leastTokens} of 12 tokens`)
  }
  const short = await sample([...promptTokens].reverse(), 4, 1)
  const sampled = [long.logprobs, short.logprobs]
  if (sampled.every((values) => values.every((value) => value === 0))) {
    throw refuse(profile, 'zero-logprobs', 'the log-probabilities of sampled tokens are all exactly 0')
  }

  const sequences = [long.sequence, short.sequence]
  const forward = () => refusingProtocolErrors(profile, 'forward', () => model.forward(sequences))
  const first = await forward()
  const second = await forward()
  if (first.every((values) => values.every((value) => value === 0))) {
    throw refuse(profile, 'zero-logprobs', 'the log-probabilities of a forward pass are all exactly 0')
  }
  const expectAgreement = (check: string, what: string, values: readonly Float32Array[]) => {
    const mean = meanDifference(values, first)
    if (mean <= tolerance) return
    throw refuse(
      profile,
      check,
      `${what} differ from those of a forward pass by ${mean.toFixed(3)} on average`,
      {
        measured: mean,
        tolerance,
      },
    )
  }
  expectAgreement('forward', 'log-probabilities of a second forward pass', second)
  expectAgreement('sample', 'log-probabilities of sampled tokens', sampled)
  const asPrompt = await refusingProtocolErrors(profile, 'prompt-logprobs', () => sampler.logprobs(sequences))
  expectAgreement('prompt-logprobs', 'log-probabilities of the same tokens as a prompt', asPrompt)
  if (profile.reference === 'base-sampler') {
    const base = await refusingProtocolErrors(profile, 'reference', async () => {
      const sessionId = await session.createBaseSampler(baseModel)
      return new Sampler(session, sessionId, gate).logprobs(sequences)
    })
    expectAgreement('reference', "the base model's log-probabilities", base)
  }
  return { long: long.sequence, short: short.sequence, noise: largestDifference(first, second) }
}
