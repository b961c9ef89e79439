/** Contract suites without a test runner, so that this entry point depends on none. */
import { ConfigurationError } from '../errors.ts'

/** A case of a contract suite: a name and a check, independent of any test runner. */
export interface ContractCase {
  /** A sentence about the behaviour. */
  readonly name: string
  /** Why this implementation does not run the case. */
  readonly skip?: string | undefined
  /** Throws when the contract is broken. */
  run(): Promise<void>
}

/**
 * Registers cases with a runner, in the form that vitest, jest and node:test share:
 * `registerCases(chatContract({ ... }), test)`.
 */
export function registerCases(
  cases: readonly ContractCase[],
  test: {
    (name: string, run: () => Promise<void>): unknown
    skip(name: string, run: () => Promise<void>): unknown
  },
): void {
  for (const { name, skip, run } of cases) {
    if (skip === undefined) test(name, run)
    else test.skip(`${name} (skipped: ${skip})`, run)
  }
}

/** Marks the cases that an implementation skips, each with its reason. An unknown name is an error. */
export function withSkips(
  cases: readonly ContractCase[],
  skip: Readonly<Record<string, string>> = {},
): ContractCase[] {
  const unknown = Object.keys(skip).filter((name) => !cases.some((one) => one.name === name))
  if (unknown.length > 0) {
    throw new ConfigurationError({
      code: 'testing/unknown-case',
      message: `No such case of the contract: ${unknown.join('; ')}`,
    })
  }
  return cases.map((one) => ({ ...one, skip: skip[one.name] ?? one.skip }))
}
