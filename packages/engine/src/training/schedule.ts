/** Learning rates over steps. */

export interface WarmupThenDecayOptions {
  readonly peak: number
  /** Rate at and after `totalSteps`. */
  readonly final: number
  readonly warmupSteps: number
  readonly totalSteps: number
}

/** Linear from 0 to the peak, then half a cosine to the final rate. `step` is 0-based; the first step is above 0. */
export function warmupThenDecay(
  step: number,
  { peak, final, warmupSteps, totalSteps }: WarmupThenDecayOptions,
): number {
  if (step < warmupSteps) return (peak * (step + 1)) / warmupSteps
  const progress = Math.min(1, (step - warmupSteps) / Math.max(1, totalSteps - warmupSteps))
  return final + 0.5 * (peak - final) * (1 + Math.cos(Math.PI * progress))
}
