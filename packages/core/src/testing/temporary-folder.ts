import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Registers a function that a test framework calls before or after its tests: `beforeEach`, `afterAll`. */
export type Hook = (action: () => Promise<void>) => unknown

/** It exists between its two hooks. */
export interface TemporaryFolder {
  readonly path: string
  /** The path of a file or folder in it; creates nothing. */
  join(...names: readonly string[]): string
}

/**
 * A folder for tests, removed with everything in it: `temporaryFolder(beforeEach, afterEach)` gives every test its own.
 */
export function temporaryFolder(before: Hook, after: Hook): TemporaryFolder {
  let path = ''
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'memagent-'))
  })
  after(() => rm(path, { recursive: true, force: true }))
  return {
    get path() {
      return path
    },
    join: (...names) => join(path, ...names),
  }
}
