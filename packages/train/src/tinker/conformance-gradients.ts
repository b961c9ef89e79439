/**
 * Checks how a server puts gradients together, by batches that must have the same effect if it does as its profile says:
 * a datum given twice at half the gradient, in one call or two; one token's gradient alone or beside tokens and datums
 * without any; a gradient times 1000 at a thousandth of the rate. Every average, mask, clip or normalisation that is not
 * the profile's breaks one of them.
 *
 * The effect is measured in one of two ways. Adam with both betas 0 and an enormous epsilon takes the step
 * `learning rate / epsilon` times the gradient: where the server heeds those, the change of log-probabilities after a
 * small such step is proportional to the gradient, sign and all. Elsewhere the reported gradient norm after a step with
 * learning rate 0 must do, and one real step for the sign.
 */
import type { TokenSequence } from '../policy/policy.ts'
import type { Probe } from './conformance.ts'
import { refuse, refusingProtocolErrors } from './conformance-refusal.ts'
import type { ServerProfile } from './profiles.ts'
import { gradientNormOf, type TrainingModel } from './training-model.ts'

/** A part of a batch: a response as far as `take`, and the gradient of each of its tokens. */
interface Part {
  readonly of: 'long' | 'short'
  /** Tokens of the response. @default all */
  readonly take?: number | undefined
  readonly gradient: (t: number) => number
}

/** A batch that must have the effect of another. */
interface Rule {
  readonly check: string
  readonly means: string
  readonly parts: readonly Part[]
  readonly separateCalls?: boolean | undefined
  /** The step is taken with a rate that much smaller. @default 1 */
  readonly rateDivisor?: number | undefined
}

/** The effect of a batch; with `sign` -1 that of the opposite gradients, turned round again. */
type Measure = (rule: Rule, sign: 1 | -1) => Promise<readonly number[]>

const tolerance = 0.3

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

function rules(): {
  readonly whole: Rule
  readonly alike: Rule[]
  first: Rule
  likeFirst: Rule[]
} {
  const all = (value: number): Part => ({ of: 'long', gradient: () => value })
  // About as large an effect as a gradient on every token.
  const firstOnly = (t: number) => (t === 0 ? -2 : 0)
  const alone: Part = { of: 'long', take: 1, gradient: firstOnly }
  return {
    whole: { check: 'gradient', means: 'a gradient', parts: [all(-1)] },
    alike: [
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
    first: { check: 'gradient', means: "one token's gradient", parts: [alone] },
    likeFirst: [
      {
        check: 'token-weights',
        means: "a token's gradient beside response tokens without any",
        parts: [{ of: 'long', gradient: firstOnly }],
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
  const stepBy = async (rule: Rule, sign: 1 | -1, rate: number, clipNorm = Number.POSITIVE_INFINITY) => {
    await add(model, probe, rule, sign, now)
    await model.optimStep({
      ...flatAdam,
      learningRate: (rate / (rule.rateDivisor ?? 1)) * flatAdam.epsilon,
      clipNorm,
    })
    const before = now
    now = await model.forward(watched)
    return now.flatMap((values, i) => Array.from(values, (value, t) => value - before[i]![t]!))
  }
  const { whole, alike, first, likeFirst } = rules()

  // The rate at which log-probabilities change enough to be seen, and little enough to change in proportion.
  const target = Math.min(0.3, Math.max(0.05, 20 * probe.noise))
  let rate = 1e-6
  let sign: 1 | -1 = 1
  let effect: readonly number[] = []
  for (let attempt = 0; ; attempt++) {
    effect = (await stepBy(whole, sign, rate)).map((value) => value * sign)
    const size = Math.max(...effect.map(Math.abs))
    sign = sign === 1 ? -1 : 1
    // After an even number of steps, there and back: the model is about where it was.
    if (size > target / 2 && size < target * 2 && sign === 1) break
    if (attempt >= 24) {
      throw refuse(
        profile,
        'gradient',
        'no optimizer step changes the log-probabilities in proportion to its rate',
      )
    }
    rate *= Math.min(1000, Math.max(1e-3, target / Math.max(size, 1e-9)))
  }
  const own = effect.slice(0, probe.long.responseTokens.length)
  if (own.reduce((sum, value) => sum + value, 0) <= 0) {
    throw refuse(
      profile,
      'gradient-sign',
      'a step along the negative gradient makes wanted tokens less probable',
    )
  }
  const measure: Measure = async (rule, direction) =>
    (await stepBy(rule, direction, rate)).map((value) => value * direction)
  const wholeEffect = await measure(whole, 1)
  await expectAlike(
    profile,
    whole,
    wholeEffect,
    'gradient-sign',
    'the opposite gradient',
    await measure(whole, -1),
  )
  let direction: 1 | -1 = 1
  const next = () => {
    const present = direction
    direction = direction === 1 ? -1 : 1
    return present
  }
  for (const rule of alike) {
    await expectAlike(profile, whole, wholeEffect, rule.check, rule.means, await measure(rule, next()))
  }
  const firstEffect = await measure(first, next())
  for (const rule of likeFirst) {
    await expectAlike(profile, first, firstEffect, rule.check, rule.means, await measure(rule, next()))
  }
  if (profile.gradientClip !== 'request') return
  const clipped = await stepBy(whole, 1, rate, 1e-9)
  if (norm(clipped) > 0.3 * norm(wholeEffect)) {
    throw refuse(profile, 'gradient-clip', 'a gradient norm far above grad_clip_norm is not clipped')
  }
}

async function checkByNorms(model: TrainingModel, profile: ServerProfile, probe: Probe): Promise<void> {
  const watched = [probe.long, probe.short]
  let now = await model.forward(watched)
  const measure: Measure = async (rule) => {
    await add(model, probe, rule, 1, now)
    const reported = gradientNormOf(await model.optimStep({ ...flatAdam, learningRate: 0 }))
    if (reported === undefined) {
      throw refuse(
        profile,
        'gradient-norm',
        'it neither heeds the optimizer settings of a request nor reports gradient norms, so that its gradients cannot be checked; conformance "forward" goes on without',
      )
    }
    return [reported / (rule.rateDivisor ?? 1)]
  }
  const { whole, alike, first, likeFirst } = rules()
  const wholeNorm = await measure(whole, 1)
  if (!(wholeNorm[0]! > 0 && wholeNorm[0]! < Number.POSITIVE_INFINITY)) {
    throw refuse(profile, 'gradient', `the gradient of a response has the norm ${wholeNorm[0]}`)
  }
  for (const rule of alike) {
    await expectAlike(profile, whole, wholeNorm, rule.check, rule.means, await measure(rule, 1))
  }
  const firstNorm = await measure(first, 1)
  for (const rule of likeFirst) {
    await expectAlike(profile, first, firstNorm, rule.check, rule.means, await measure(rule, 1))
  }
  // A norm has no sign: one real step has.
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

/** Adam whose step is the gradient times learning rate / epsilon. */
const flatAdam = {
  beta1: 0,
  beta2: 0,
  epsilon: 1e8,
  weightDecay: 0,
  clipNorm: Number.POSITIVE_INFINITY,
} as const

/** @param now the present log-probabilities of the long and the short sequence */
async function add(
  model: TrainingModel,
  probe: Probe,
  { parts, separateCalls = false }: Rule,
  sign: 1 | -1,
  now: readonly Float32Array[],
): Promise<void> {
  const cut = parts.map(({ of, take }) => {
    const { promptTokens, responseTokens } = probe[of]
    return { promptTokens, responseTokens: responseTokens.slice(0, take) } satisfies TokenSequence
  })
  await model.addGradient(
    {
      sequences: cut,
      logprobs: cut.map(({ responseTokens }, i) =>
        now[parts[i]!.of === 'long' ? 0 : 1]!.slice(0, responseTokens.length),
      ),
      gradients: cut.map(({ responseTokens }, i) =>
        Float32Array.from(responseTokens, (_, t) => sign * parts[i]!.gradient(t)),
      ),
    },
    separateCalls ? { maxDatums: 1, maxBytes: Number.MAX_SAFE_INTEGER } : undefined,
  )
}

async function expectAlike(
  profile: ServerProfile,
  standard: Rule,
  expected: readonly number[],
  check: string,
  means: string,
  measured: readonly number[],
): Promise<void> {
  const difference = norm(measured.map((value, i) => value - expected[i]!)) / norm(expected)
  if (difference <= tolerance) return
  const ratio = measured.reduce((sum, value, i) => sum + value * expected[i]!, 0) / norm(expected) ** 2
  throw refuse(profile, check, `${means} has ${ratio.toFixed(2)} times the effect of ${standard.means}`, {
    ratio,
    difference,
  })
}

const norm = (values: readonly number[]): number =>
  Math.sqrt(values.reduce((sum, value) => sum + value * value, 0))
