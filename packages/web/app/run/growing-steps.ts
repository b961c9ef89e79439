/** The steps of a run as they arrive from the server, in compact form. */
import { changeOf } from '../../src/text-change.ts'
import { Timeline } from '../../src/timeline.ts'
import type { StepEvent } from '../api/types.ts'

export class GrowingSteps {
  /** Starts from the initial memory of the reading, which comes with the first step. */
  timeline = new Timeline('')
  readonly files: string[] = []
  /** Distinct messages. */
  readonly warnings: string[] = []

  add({ ranges, memories, warnings }: StepEvent): void {
    const [first] = memories
    if (this.timeline.length === 0 && first?.previous !== undefined)
      this.timeline = new Timeline(first.previous)
    const before = this.timeline.at(this.timeline.length)
    const after = memories.findLast(({ changed, memory }) => changed && memory !== undefined)
    const change = after && changeOf(before, after.memory!)
    this.timeline.add({
      ranges: ranges.map(({ file, ...range }) => ({ file: indexIn(this.files, file), ...range })),
      ...(change && { change }),
      ...(after?.slot !== undefined && { slot: after.slot }),
      ...(memories.some(({ origin }) => origin === 'kept') && { isKept: true as const }),
      ...(warnings.length > 0 && {
        warnings: warnings.map(({ message }) => indexIn(this.warnings, message)),
      }),
    })
  }
}

function indexIn(list: string[], value: string): number {
  const known = list.lastIndexOf(value)
  return known >= 0 ? known : list.push(value) - 1
}
