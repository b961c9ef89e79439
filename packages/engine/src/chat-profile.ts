/** The part of a model's profile that only this engine reads. */
import { EngineError } from './errors.ts'
import type { Precision } from './generation/decoder-parts.ts'

/** The precision for verifying drafts, if the profile names one. @throws EngineError for an unknown precision */
export function parsePrecision({ precision }: Readonly<Record<string, unknown>>): Precision | undefined {
  if (precision === undefined || precision === 'float32' || precision === 'int8') return precision
  throw new EngineError({
    code: 'engine/profile',
    message: `profile.json is not a model profile: precision cannot be ${JSON.stringify(precision)} (it takes "float32" or "int8").`,
    details: { setting: 'precision' },
  })
}
