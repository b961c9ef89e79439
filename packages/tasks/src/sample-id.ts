import type { SampleRequest } from './task.ts'

/** The id of a sample: task, seed, index, length. */
export const sampleId = (task: string, request: SampleRequest): string =>
  `${task}/seed-${request.seed}/index-${request.index}/tokens-${request.lengthTokens}`
