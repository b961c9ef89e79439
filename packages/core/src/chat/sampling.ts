/**
 * How a model draws tokens. One object from the command line down to the call; what it leaves out, the next one says: that
 * of the call, of the model, of its profile, of the server.
 */
import { ConfigurationError } from '../errors.ts'

export interface Sampling {
  /** 0 is greedy. */
  readonly temperature?: number | undefined
  /** Tokens are drawn from the fewest of the most probable that have this probability together. */
  readonly topP?: number | undefined
  readonly seed?: number | undefined
}

/** JSON has no NaN: a server would get null, and sample as it likes. @throws ConfigurationError naming the field */
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

/** Each field as the first says that says it. */
export function chooseSampling(...samplings: readonly (Sampling | undefined)[]): Sampling {
  const first = (field: keyof Sampling) =>
    samplings.find((sampling) => sampling?.[field] !== undefined)?.[field]
  return { temperature: first('temperature'), topP: first('topP'), seed: first('seed') }
}
