/** Progress within the phases of a training step. */

export interface PhaseProgress {
  /** Finished rollouts, or conversations learned from. */
  readonly done: number
  readonly total: number
  /** 0..1; for rollouts, the share of their documents read so far. */
  readonly share: number
}

export interface TrainingProgress extends PhaseProgress {
  /** The current step, from 1; for an evaluation, the step it follows. */
  readonly step: number
  readonly steps: number
  readonly phase: 'rollouts' | 'scoring' | 'learning' | 'evaluation'
  /** Since the phase began. */
  readonly seconds: number
}

export type OnProgress = (progress: PhaseProgress) => void

/** Adds up the progress reports of several readings. */
export class ReadingsProgress {
  readonly #shares: Float64Array
  readonly #tell: OnProgress
  #done = 0
  #read = 0

  constructor(total: number, tell: OnProgress) {
    this.#shares = new Float64Array(total)
    this.#tell = tell
  }

  /** @param share of its document */
  read(reading: number, share: number): void {
    this.#read += share - this.#shares[reading]!
    this.#shares[reading] = share
    this.#report()
  }

  end(reading: number): void {
    this.#done++
    this.read(reading, 1)
  }

  #report(): void {
    const total = this.#shares.length
    this.#tell({ done: this.#done, total, share: this.#done === total ? 1 : Math.min(1, this.#read / total) })
  }
}

/** Reports progress as the last of several parts; the earlier ones have ended. */
export const after =
  (before: number, tell: OnProgress): OnProgress =>
  ({ done, total, share }) =>
    tell({ done: before + done, total: before + total, share: (before + share * total) / (before + total) })
