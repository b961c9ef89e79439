/** The warnings of a reading, one entry per code, so that they stay few however long it is. */
import type { WorkflowEvent } from '../workflows/workflow.ts'

export interface ReadingWarning {
  /** The step of the first one. */
  readonly step: number
  readonly code: string
  /** The first one's message. */
  readonly message: string
  readonly lastStep: number
  readonly count: number
  /** It makes the answer unsure. */
  readonly touchesAnswer: boolean
}

export class WarningLog {
  readonly #byCode: Map<string, ReadingWarning>

  /** @param start the warnings of an earlier run */
  constructor(start: readonly ReadingWarning[] = []) {
    this.#byCode = new Map(start.map((warning) => [warning.code, warning]))
  }

  add({ step, code, message }: Extract<WorkflowEvent, { type: 'warning' }>): void {
    const before = this.#byCode.get(code)
    this.#byCode.set(
      code,
      before
        ? { ...before, lastStep: step, count: before.count + 1 }
        : { step, code, message, lastStep: step, count: 1, touchesAnswer: false },
    )
  }

  forget(isForgotten: (code: string) => boolean): void {
    for (const code of [...this.#byCode.keys()]) if (isForgotten(code)) this.#byCode.delete(code)
  }

  /** In the order of first occurrence. */
  get warnings(): readonly ReadingWarning[] {
    return [...this.#byCode.values()]
  }
}
