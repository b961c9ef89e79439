/** The log of old memories for steps that are read ahead: its content by their turn is not known yet. */
import { WorkflowError } from '../errors.ts'
import type { MemoryLog } from '../workflows/workflow.ts'

const closed = (): never => {
  throw new WorkflowError({
    code: 'workflow/reads-ahead',
    message: 'A workflow whose chunks are read ahead cannot use the log of old memories.',
    hint: 'Its `unchanged` promises that a step depends on state and chunk alone: remove it, or read in order.',
  })
}
const closedAtOnce = async () => closed()

export const closedMemoryLog: MemoryLog = {
  get length() {
    return closed()
  },
  get first() {
    return closed()
  },
  append: closedAtOnce,
  get: closedAtOnce,
  search: closedAtOnce,
}
