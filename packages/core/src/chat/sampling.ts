/**
 * How a model draws tokens. One type from the command line down to the call. A field left out is taken from the next in line: the
 * call, the model, its profile, the server.
 */
import { ConfigurationError } from '../errors.ts'

export interface Sampling {
  /** 0 is greedy. */
  readonly temperature?: number | undefined
  /** Tokens are drawn from the fewest of the most probable ones that together have this probability. */
  readonly topP?: number | undefined
  readonly seed?: number | undefined
}

/** JSON has no NaN: the server would get null, and choose for itself. @throws ConfigurationError naming the wrong field */
export function checkSampling(sampling: Sampling = {}): void {
  for (const field of ['temperature', 'topP', 'seed'] as const) {
    const value = sampling[field]
    if (value === undefined || Number.isFinite(value)) continue
    throw new ConfigurationError({
      code: 'chat/bad-sampling',
      message: `The ${field} of the sampling is ${value}, not a number.`,
      details: { field },
    })
  }
}

/** Takes each field from the first that sets it. */
export function chooseSampling(...samplings: readonly (Sampling | undefined)[]): Sampling {
  const first = (field: keyof Sampling) =>
    samplings.find((sampling) => sampling?.[field] !== undefined)?.[field]
  return { temperature: first('temperature'), topP: first('topP'), seed: first('seed') }
}
