/** A workflow under test, and what the cases of its contract need. Types only. */
import type { Workflow } from '../workflows/workflow.ts'
import type { Rehearsal, Rehearsed, RehearsedCall, Responder } from './rehearsal.ts'

export interface WorkflowSubject {
  create(): Workflow
  readonly respond: Responder
  /** The reply, also noting this text. */
  readonly noting: (reply: string, text: string, call: RehearsedCall) => string
  readonly needsQuestion: boolean
  readonly run: (more?: Partial<Rehearsal>) => Promise<Rehearsed>
  /** The memory's budget in tokens. */
  readonly budget: number
  readonly markers: readonly string[]
}
