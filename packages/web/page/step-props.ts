/** What the parts of the page are given that show a step, or lead to one. Types only. */
import type { RunPage } from '../src/run-page.ts'
import type { Memories } from '../src/timeline.ts'

export interface StepProps {
  readonly page: RunPage
  readonly memories: Memories
  /** The step that is shown, from 0. */
  readonly step: number
  readonly go: (step: number) => void
}
