/**
 * Checks how a server combines gradients, with batches that must have the same effect if the profile is right: a datum given
 * twice at half the gradient, in one call or two; one token's gradient alone, or beside tokens and datums without any; a
 * gradient times 1000 at a thousandth of the rate. Any average, mask, clip or normalization missing from the profile breaks
 * one of these rules.
 *
 * The effect is measured in one of two ways. Adam with both betas 0 and an enormous epsilon takes the step
 * `learning rate / epsilon` times the gradient: on servers that heed those settings, a small step changes log-probabilities
 * in proportion to the gradient, including its sign. On others, the gradient norm reported for a step with learning rate 0
 * must do, plus one real step for the sign.
 */
import type { TokenSequence } from '../policy/policy.ts'
import { refuse, refusingProtocolErrors } from './conformance-refusal.ts'
import type { ServerProfile } from './profiles.ts'
import { gradientNormOf, type TrainingModel } from './training-model.ts'

/** The data of the checks. */
export interface Probe {
  /** A prompt and a response that the model sampled. */
  readonly long: TokenSequence
  /** Another one, of a different length. */
  readonly short: TokenSequence
  /** The largest difference between two passes over the same tokens. */
  readonly noise: number
}

/** A part of a batch: a response, or one of its tokens with everything before it as the prompt. */
interface Part {
  readonly of: 'long' | 'short'
  /** Index of a single token. @default all of them */
  readonly only?: number | undefined
  readonly gradient: (t: number) => number
}

/** A batch that must have the same effect as another. */
interface Rule {
  readonly check: string
  readonly means: string
  readonly parts: readonly Part[]
  readonly separateCalls?: boolean | undefined
  /** Divides the learning rate of the step. @default 1 */
  readonly rateDivisor?: number | undefined
  readonly clipNorm?: number | undefined
}

/** The nearest wrong effects are half or twice the right one. */
const tolerance = 0.4

/** @throws TinkerConformanceError naming the rule that is broken */
export async function checkGradientRules(
  model: TrainingModel,
  profile: ServerProfile,
  probe: Probe,
): Promise<void> {
  const heeded: readonly string[] = profile.optimizerFields
  const byStep = ['beta1', 'beta2', 'eps'].every((field) => heeded.includes(field))
  const run = () => (byStep ? checkBySteps(model, profile, probe) : checkByNorms(model, profile, probe))
  await refusingProtocolErrors(profile, 'gradient', run)
}

/**
 * @param logprobs of the long response. The least probable token has the most to gain; it is taken from the first ones, so
 * that it makes a short datum on its own and averages over all positions show
 */
function rules(logprobs: Float32Array): {
  readonly whole: Rule
  readonly likeWhole: readonly Rule[]
  readonly one: Rule
  readonly likeOne: readonly Rule[]
} {
  const all = (value: number): Part => ({ of: 'long', gradient: () => value })
  const only = logprobs.indexOf(Math.min(...logprobs.slice(0, 4)))
  const onOne = (t: number) => (t === only ? -2 : 0)
  const alone: Part = { of: 'long', only, gradient: onOne }
  return {
    whole: { check: 'gradient', means: 'a gradient', parts: [all(-1)] },
    likeWhole: [
      {
        check: 'gradient-scale',
        means: 'a gradient times 1000 at a thousandth of the rate',
        parts: [all(-1000)],
        rateDivisor: 1000,
      },
      { check: 'datums', means: 'a datum given twice at half the gradient', parts: [all(-0.5), all(-0.5)] },
      {
        check: 'calls',
        means: 'a datum given in two calls at half the gradient',
        parts: [all(-0.5), all(-0.5)],
        separateCalls: true,
      },
    ],
    one: { check: 'gradient', means: "one token's gradient", parts: [alone] },
    likeOne: [
      {
        check: 'token-weights',
        means: "a token's gradient beside response tokens without any",
        parts: [{ of: 'long', gradient: onOne }],
      },
      {
        check: 'datum-weights',
        means: "a token's gradient beside a datum without any",
        parts: [alone, { of: 'short', gradient: () => 0 }],
      },
    ],
  }
}

async function checkBySteps(model: TrainingModel, profile: ServerProfile, probe: Probe): Promise<void> {
  const watched = [probe.long, probe.short]
  let now = await model.forward(watched)
  const stepBy = async (rule: Rule, sign: 1 | -1, rate: number) => {
    await add(model, probe, rule, sign, now)
    await model.optimStep({
      ...flatAdam,
      learningRate: (rate / (rule.rateDivisor ?? 1)) * flatAdam.epsilon,
      clipNorm: rule.clipNorm ?? flatAdam.clipNorm,
    })
    const before = now
    now = await model.forward(watched)
    return now.flatMap((values, i) => Array.from(values, (value, t) => value - before[i]![t]!))
  }
  /** Takes a step and its opposite: the model returns to where it was, and curvature cancels in the difference. */
  const thereAndBack = async (rule: Rule, rate: number) => {
    const there = await stepBy(rule, 1, rate)
    const back = await stepBy(rule, -1, rate)
    return {
      effect: there.map((value, i) => (value - back[i]!) / 2),
      remainder: there.map((value, i) => value + back[i]!),
    }
  }
  /** Averages over enough repetitions to bring rounding to a tenth of the measurement. */
  const measure = async (rule: Rule, rate: number) => {
    const { effect, remainder } = await thereAndBack(rule, rate)
    const noise = Math.max(probe.noise / 2, norm(remainder) / Math.sqrt(2 * effect.length))
    const times = Math.min(8, Math.max(1, Math.ceil(2 * (noise / (0.1 * norm(effect))) ** 2)))
    let sum = effect
    for (let i = 1; i < times; i++) {
      const again = (await thereAndBack(rule, rate)).effect
      sum = sum.map((value, t) => value + again[t]!)
    }
    return { effect: sum.map((value) => value / times), remainder }
  }
  const visible = (rule: Rule, start: number) =>
    visibleRate((rate) => thereAndBack(rule, rate), start, profile, probe)
  const { whole, likeWhole, one, likeOne } = rules(now[0]!)
  const rate = await visible(whole, 1e-6)
  const { effect, remainder } = await measure(whole, rate)
  const own = effect.slice(0, probe.long.responseTokens.length)
  if (own.reduce((sum, value) => sum + value, 0) <= 0 || norm(remainder) > norm(effect)) {
    throw refuse(
      profile,
      'gradient-sign',
      'a step along the negative gradient does not make wanted tokens more probable, and back',
    )
  }
  for (const rule of likeWhole) {
    expectAlike(profile, whole, effect, rule, (await measure(rule, rate)).effect, probe.noise)
  }
  const oneRate = await visible(one, rate)
  const { effect: oneEffect } = await measure(one, oneRate)
  for (const rule of likeOne) {
    expectAlike(profile, one, oneEffect, rule, (await measure(rule, oneRate)).effect, probe.noise)
  }
  if (profile.gradientClip !== 'request') return
  const clipped = await measure({ ...whole, clipNorm: 1e-9 }, rate)
  const remains = Math.abs(dot(clipped.effect, effect)) / norm(effect) ** 2
  if (remains > tolerance) {
    throw refuse(profile, 'gradient-clip', 'a gradient norm far above grad_clip_norm is not clipped')
  }
}

/** A learning rate whose change in log-probabilities is large enough to measure and small enough to be proportional. */
async function visibleRate(
  move: (rate: number) => Promise<{ readonly effect: readonly number[] }>,
  start: number,
  profile: ServerProfile,
  probe: Probe,
): Promise<number> {
  const target = Math.min(0.1, Math.max(0.05, 5 * probe.noise))
  let rate = start
  for (let attempt = 0; attempt < 12; attempt++) {
    const size = Math.max(...(await move(rate)).effect.map(Math.abs))
    if (size > target / 2 && size < target * 1.5) return rate
    rate *= Math.min(1000, Math.max(1e-3, target / Math.max(size, 1e-9)))
  }
  throw refuse(
    profile,
    'gradient',
    'no optimizer step changes the log-probabilities in proportion to its rate',
  )
}

async function checkByNorms(model: TrainingModel, profile: ServerProfile, probe: Probe): Promise<void> {
  const watched = [probe.long, probe.short]
  let now = await model.forward(watched)
  const measure = async (rule: Rule) => {
    await add(model, probe, rule, 1, now)
    const reported = gradientNormOf(await model.optimStep({ ...flatAdam, learningRate: 0 }))
    if (reported === undefined) {
      throw refuse(
        profile,
        'gradient-norm',
        'it neither heeds the optimizer settings of a request nor reports gradient norms, so its gradients cannot be checked; conformance "forward" continues without the check',
      )
    }
    return [reported / (rule.rateDivisor ?? 1)]
  }
  const { whole, likeWhole, one, likeOne } = rules(now[0]!)
  const wholeNorm = await measure(whole)
  if (!(wholeNorm[0]! > 0 && wholeNorm[0]! < Number.POSITIVE_INFINITY)) {
    throw refuse(profile, 'gradient', `the gradient of a response has the norm ${wholeNorm[0]}`)
  }
  for (const rule of likeWhole) {
    expectAlike(profile, whole, wholeNorm, rule, await measure(rule))
  }
  const oneNorm = await measure(one)
  for (const rule of likeOne) {
    expectAlike(profile, one, oneNorm, rule, await measure(rule))
  }
  // A norm has no sign, so take one real step.
  for (let learningRate = 1e-5; ; learningRate *= 10) {
    await add(model, probe, whole, 1, now)
    await model.optimStep({ ...flatAdam, learningRate })
    const before = now
    now = await model.forward(watched)
    const gain = now[0]!.reduce((sum, value, t) => sum + value - before[0]![t]!, 0)
    if (Math.abs(gain) <= Math.max(1e-4, 4 * probe.noise) && learningRate < 1e-2) continue
    if (gain > 0) return
    throw refuse(
      profile,
      'gradient-sign',
      'a step along the negative gradient makes wanted tokens less probable',
    )
  }
}

/** Adam settings whose step is the gradient times learning rate / epsilon. */
const flatAdam = {
  beta1: 0,
  beta2: 0,
  epsilon: 1e8,
  weightDecay: 0,
  clipNorm: Number.POSITIVE_INFINITY,
} as const

/** @param now the current log-probabilities of the long and the short sequence */
async function add(
  model: TrainingModel,
  probe: Probe,
  { parts, separateCalls = false }: Rule,
  sign: 1 | -1,
  now: readonly Float32Array[],
): Promise<void> {
  const cut = parts.map(({ of, only, gradient }) => {
    const { promptTokens, responseTokens } = probe[of]
    const logprobs = now[of === 'long' ? 0 : 1]!
    const [from, to] = only === undefined ? [0, responseTokens.length] : [only, only + 1]
    return {
      sequence: {
        promptTokens: [...promptTokens, ...responseTokens.slice(0, from)],
        responseTokens: responseTokens.slice(from, to),
      },
      logprobs: logprobs.slice(from, to),
      gradient: Float32Array.from(logprobs, (_, t) => sign * gradient(t)).slice(from, to),
    }
  })
  const batch = {
    sequences: cut.map(({ sequence }) => sequence),
    logprobs: cut.map(({ logprobs }) => logprobs),
    gradients: cut.map(({ gradient }) => gradient),
  }
  const oneDatum = { maxDatums: 1, maxBytes: Number.MAX_SAFE_INTEGER }
  await model.addGradient(batch, separateCalls ? oneDatum : undefined)
}

/** @param noise of a measurement; only larger differences count */
function expectAlike(
  profile: ServerProfile,
  standard: Rule,
  expected: readonly number[],
  { check, means }: Rule,
  measured: readonly number[],
  noise = 0,
): void {
  const size = norm(expected)
  const ratio = dot(measured, expected) / size ** 2
  const difference = norm(measured.map((value, i) => value - expected[i]!)) / size
  const rounding = (noise * Math.sqrt(2 * expected.length)) / size
  if (Math.abs(ratio - 1) <= tolerance && difference <= tolerance + rounding) return
  throw refuse(profile, check, `${means} has ${ratio.toFixed(2)} times the effect of ${standard.means}`, {
    ratio,
    difference,
  })
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, value, i) => sum + value * b[i]!, 0)

const norm = (values: readonly number[]): number => Math.sqrt(dot(values, values))
