/** The error that rejects a server: names the finding, and that training on it would not be the requested training. */
import { TinkerConformanceError, TinkerHttpError, TinkerProtocolError, TinkerRequestError } from './errors.ts'
import type { ServerProfile } from './profiles.ts'

/** @param check names what was checked; @param finding continues "does not do as its profile says: " */
export function refuse(
  profile: ServerProfile,
  check: string,
  finding: string,
  details: Readonly<Record<string, unknown>> = {},
  cause?: unknown,
): TinkerConformanceError {
  return new TinkerConformanceError({
    code: `tinker/conformance-${check}`,
    message: `The server does not do as the profile ${profile.name} says (${check}): ${finding}.`,
    hint: 'Training on it would silently go wrong. Choose the profile of the server that is actually running, or describe it.',
    details: { check, profile: profile.name, ...details },
    cause,
  })
}

/** Turns a refused request, or an answer that violates the protocol, into a finding of the check. */
export async function refusingProtocolErrors<T>(
  profile: ServerProfile,
  check: string,
  run: () => Promise<T>,
): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const status = error instanceof TinkerHttpError ? Number(error.details.status) : 0
    const isFinding =
      error instanceof TinkerProtocolError ||
      (error instanceof TinkerRequestError && error.details.category === 'user') ||
      [400, 404, 422].includes(status)
    if (!isFinding) throw error
    throw refuse(profile, check, (error as Error).message.replace(/\.$/, ''), {}, error)
  }
}
