/** Props of the parts of the page that show a step, or lead to one. Types only. */
import type { OpenPage } from '../src/packed-page.ts'

export interface StepProps {
  readonly page: OpenPage
  /** The step that is shown, from 0. */
  readonly step: number
  readonly go: (step: number) => void
}
