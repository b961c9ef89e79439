/** AdamW with gradient clipping (Loshchilov and Hutter, arXiv 1711.05101), in plain loops over typed arrays. */
import type { Weights } from '../models/llama-config.ts'
import { requireFinite } from './require-finite.ts'

export interface AdamWOptions {
  readonly learningRate: number
  readonly beta1: number
  readonly beta2: number
  readonly epsilon: number
  /** Decoupled; applies to matrices, not to norms. */
  readonly weightDecay: number
  /** The gradient is scaled down to at most this Euclidean norm over all parameters. */
  readonly clipNorm: number
}

export interface AdamWState {
  /** Steps so far. */
  step: number
  readonly m: Weights
  readonly v: Weights
}

export const createAdamWState = (weights: Weights): AdamWState => ({
  step: 0,
  m: zerosLike(weights),
  v: zerosLike(weights),
})

export const zerosLike = (weights: Weights): Weights =>
  new Map([...weights].map(([name, values]) => [name, new Float32Array(values.length)]))

/** Euclidean norm over all parameters, and the factor that brings it down to `clipNorm`. @throws EngineError if not finite */
export function clipping(gradients: Weights, clipNorm: number): { norm: number; scale: number } {
  let square = 0
  for (const gradient of gradients.values()) square += squareSum(gradient)
  const norm = Math.sqrt(square)
  requireFinite('the norm of the gradient', norm)
  return { norm, scale: norm > clipNorm ? clipNorm / norm : 1 }
}

/**
 * One step in place; gradients are zeroed.
 * @param takes selects the parameters to step; the others are left alone. @default all
 * @returns the gradient's norm before clipping
 * @throws EngineError if it is not finite; nothing has changed then
 */
export function adamWStep(
  weights: Weights,
  gradients: Weights,
  state: AdamWState,
  options: AdamWOptions,
  takes: (name: string) => boolean = () => true,
): number {
  const { norm, scale } = clipping(gradients, options.clipNorm)
  state.step++
  for (const [name, values] of weights) {
    if (!takes(name)) continue
    const decay = name.includes('norm') ? 0 : options.weightDecay
    update(
      values,
      gradients.get(name)!,
      state.m.get(name)!,
      state.v.get(name)!,
      state.step,
      scale,
      decay,
      options,
    )
  }
  return norm
}

function squareSum(values: Float32Array): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) sum += values[i]! * values[i]!
  return sum
}

function update(
  values: Float32Array,
  gradient: Float32Array,
  m: Float32Array,
  v: Float32Array,
  step: number,
  scale: number,
  weightDecay: number,
  { learningRate, beta1, beta2, epsilon }: AdamWOptions,
): void {
  const rate = learningRate / (1 - beta1 ** step)
  const correction = 1 / (1 - beta2 ** step)
  const keep = 1 - learningRate * weightDecay
  for (let i = 0; i < values.length; i++) {
    const g = gradient[i]! * scale
    const first = beta1 * m[i]! + (1 - beta1) * g
    const second = beta2 * v[i]! + (1 - beta2) * g * g
    m[i] = first
    v[i] = second
    values[i] = values[i]! * keep - (rate * first) / (Math.sqrt(second * correction) + epsilon)
    gradient[i] = 0
  }
}
