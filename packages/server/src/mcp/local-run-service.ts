/** The run service of a program that does not listen, such as an MCP server on standard input and output. */
import type { Store } from '@memagent/store'
import { Admission } from '../admission/admission.ts'
import type { Uploads } from '../files/uploads.ts'
import { Operations } from '../operations/operations.ts'
import { RunService } from '../runs/run-service.ts'
import type { ServedModel } from '../served-model.ts'

export interface LocalRunsOptions {
  /** Looked up when a run begins, so it may be filled as late as that. */
  readonly models: readonly ServedModel[]
  readonly store: Store
  readonly uploads: Uploads
  /** Readings at a time; others wait in line. @default 4 */
  readonly readings?: number | undefined
  readonly onFailure: (error: unknown) => void
}

export function createLocalRunService({ readings = 4, ...options }: LocalRunsOptions): RunService {
  const admission = new Admission({ places: readings })
  const operations = new Operations({ admission, onFailure: options.onFailure })
  return new RunService({ ...options, admission, operations, now: Date.now })
}
