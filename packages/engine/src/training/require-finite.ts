import { EngineError } from '../errors.ts'

/** @throws EngineError for NaN or infinity: a step with it would destroy the weights */
export function requireFinite(what: string, value: number): void {
  if (Number.isFinite(value)) return
  throw new EngineError({
    code: 'engine/diverged',
    message: `The training diverged: ${what} is ${value}.`,
    hint: 'Go on from the last checkpoint with a lower learning rate, a longer warm-up or a smaller optimizer.clipNorm.',
    details: { what, value },
  })
}
