/** The step in the page's address, so that it can be linked to and survives a reload. */
import type { OpenPage } from '../src/packed-page.ts'

/** Undefined: none is named. */
export function stepInAddress(): number | undefined {
  const [, number] = /^#step=(\d{1,9})$/.exec(location.hash) ?? []
  return number === undefined ? undefined : Number(number) - 1
}

export function tellAddress(step: number): void {
  history.replaceState(null, '', `#step=${step + 1}`)
}

/** The first step shown: that of the address, or else where the answer was read, or else where the memory last changed. */
export function startStep({ answerSteps, timeline }: OpenPage): number {
  const step = stepInAddress() ?? answerSteps[0] ?? timeline.changes.at(-1) ?? 0
  return Math.min(Math.max(0, step), Math.max(0, timeline.length - 1))
}
