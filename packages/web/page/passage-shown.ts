/** A requested passage, unless its step shows it anyway. */
import type { OpenPage } from '../src/packed-page.ts'
import type { PageStatement } from '../src/run-page.ts'

/** @returns undefined if the step's own statements show it, or it is of another step */
export function passageShown(
  page: OpenPage,
  step: number,
  passage: number | undefined,
): PageStatement | undefined {
  if (passage === undefined || page.passages.at(passage)?.step !== step) return undefined
  if (page.timeline.steps.at(step)?.statements?.some(({ passages }) => passages.includes(passage)))
    return undefined
  const all = [...(page.result?.statements ?? []), ...(page.statements ?? [])]
  const of = all.find(({ passages }) => passages.includes(passage))
  return { text: of?.text ?? '', verdict: of?.verdict ?? 'found', passages: [passage] }
}
