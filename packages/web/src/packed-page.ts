/** A page as sent to browsers: it opens at once, however many steps it has. */
import { type Packed, PackedList, packedList } from './packed-list.ts'
import type { Passage, RunPage } from './run-page.ts'
import { type PackedTimeline, Timeline } from './timeline.ts'

type Common = Omit<RunPage, 'start' | 'steps' | 'passages'> & {
  /** Steps in which the answer was read, each once. */
  readonly answerSteps: readonly number[]
}

/** As JSON. */
export interface PackedPage extends Common {
  readonly timeline: PackedTimeline
  readonly passages: Packed
}

/** As used in the browser. */
export interface OpenPage extends Common {
  readonly timeline: Timeline
  readonly passages: PackedList<Passage>
}

export function packPage(page: RunPage): PackedPage {
  const { start, steps, passages, ...rest } = page
  const timeline = new Timeline(start)
  for (const step of steps) timeline.add(step)
  return {
    ...rest,
    answerSteps: answerSteps(page),
    timeline: timeline.packed(),
    passages: packedList(passages).packed(),
  }
}

export const openPage = ({ timeline, passages, ...rest }: PackedPage): OpenPage => ({
  ...rest,
  timeline: new Timeline(timeline),
  passages: new PackedList(passages),
})

function answerSteps({ result, passages }: RunPage): number[] {
  // A passage that merely comes near an answer is not where it was read.
  const found = result?.statements?.filter(({ verdict }) => verdict !== 'not-found') ?? []
  const read = found.flatMap((one) => one.passages.map((i) => passages[i]?.step))
  return [...new Set(read)].filter((step) => step !== undefined)
}
