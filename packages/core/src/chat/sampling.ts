/**
 * How a model draws tokens. One object from the command line down to the call; what it leaves out, the next one says: that
 * of the call, of the model, of its profile, of the server.
 */
export interface Sampling {
  /** 0 is greedy. */
  readonly temperature?: number | undefined
  /** Tokens are drawn from the fewest of the most probable that have this probability together. */
  readonly topP?: number | undefined
  readonly seed?: number | undefined
}

/** Each field as the first says that says it. */
export function chooseSampling(...samplings: readonly (Sampling | undefined)[]): Sampling {
  const first = (field: keyof Sampling) =>
    samplings.find((sampling) => sampling?.[field] !== undefined)?.[field]
  return { temperature: first('temperature'), topP: first('topP'), seed: first('seed') }
}
