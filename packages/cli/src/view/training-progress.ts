/** The live line of reinforcement learning: progress within the current step. */
import type { TrainingProgress } from '@memagent/train'
import type { Output } from '../terminal.ts'
import { LiveLines } from './live-lines.ts'
import { clock, count } from './progress.ts'
import { cutToWidth } from './text-width.ts'

const redrawMs = 200
/** Interval of plain lines, without a terminal. */
const plainMs = 30_000

export class TrainingProgressView {
  readonly #output: Output
  readonly #now: () => number
  readonly #lines: LiveLines
  #drawnMs: number
  #phase = ''

  /** @param now milliseconds */
  constructor(output: Output, now: () => number) {
    this.#output = output
    this.#now = now
    this.#lines = new LiveLines(output)
    this.#drawnMs = now()
  }

  update(progress: TrainingProgress): void {
    const phase = `${progress.step} ${progress.phase}`
    const isNew = phase !== this.#phase && this.#output.isTTY === true
    if (!isNew && this.#now() - this.#drawnMs < (this.#output.isTTY ? redrawMs : plainMs)) return
    this.#phase = phase
    this.#drawnMs = this.#now()
    const text = describe(progress)
    this.#lines.draw([this.#output.isTTY ? cutToWidth(text, this.#lines.columns) : text])
  }

  /** Prints lines that stay, in place of the live one. */
  write(text: string): void {
    this.clear()
    this.#output.write(`${text}\n`)
    this.#drawnMs = this.#now()
  }

  clear(): void {
    if (this.#output.isTTY) this.#lines.draw([])
  }
}

function describe({ step, steps, phase, done, total, share, seconds }: TrainingProgress): string {
  const left = share > 0 ? `, ${clock((seconds / share) * (1 - share))} left` : ''
  const where = phase === 'evaluation' ? `evaluation after step ${step}` : `step ${step} of ${steps}`
  const what = {
    rollouts: `${count(done)} of ${count(total)} rollouts done, ${percent(share)} read`,
    scoring: `scoring ${count(total)} conversations`,
    learning: `${count(done)} of ${count(total)} conversations trained`,
    evaluation: `${count(done)} of ${count(total)} documents done, ${percent(share)} read`,
  }[phase]
  return `${where}: ${what}, ${clock(seconds)}${left}`
}

const percent = (share: number) => `${Math.floor(100 * share + 1e-6)} %`
