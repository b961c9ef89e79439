/** A workflow under its contract, and what the cases need of it. Types only. */
import type { Workflow } from '../workflows/workflow.ts'
import type { Rehearsal, Rehearsed, RehearsedCall, Responder } from './rehearsal.ts'

export interface WorkflowSubject {
  create(): Workflow
  readonly respond: Responder
  /** The reply, noting this text, too. */
  readonly noting: (reply: string, text: string, call: RehearsedCall) => string
  readonly needsQuestion: boolean
  /** A whole reading. */
  readonly run: (more?: Partial<Rehearsal>) => Promise<Rehearsed>
  /** Tokens of the memory. */
  readonly budget: number
  /** Of the prompts. */
  readonly markers: readonly string[]
}
