/** The live view of a benchmark: a bar with rate and remaining time, below the first failure of each kind. */
import type { BenchProgress, BenchRecord } from '@memagent/bench'
import type { WaitNotice } from '@memagent/core'
import { waitText } from '../server-waits.ts'
import { type Output, printable } from '../terminal.ts'
import type { Colors } from './colors.ts'
import { LiveLines } from './live-lines.ts'
import { clock, count } from './progress.ts'

export interface BenchProgressOptions {
  readonly output: Output
  readonly colors: Colors
  /** Milliseconds. */
  readonly now: () => number
}

const redrawMs = 100
/** Interval of plain lines, without a terminal. */
const plainMs = 30_000
/** Interval of lines about waits. */
const plainWaitMs = 10_000

export class BenchProgressView {
  readonly #options: BenchProgressOptions
  readonly #toldFailures = new Set<string>()
  #drawnMs: number
  readonly #lines: LiveLines
  #progress: BenchProgress | undefined
  #wait: { readonly text: string; readonly endsMs: number } | undefined
  #toldWaitMs = Number.NEGATIVE_INFINITY

  constructor(options: BenchProgressOptions) {
    this.#options = options
    this.#lines = new LiveLines(options.output)
    this.#drawnMs = options.output.isTTY ? Number.NEGATIVE_INFINITY : options.now()
  }

  update(progress: BenchProgress): void {
    this.#progress = progress
    this.#draw(false)
  }

  record({ method, key, error }: Pick<BenchRecord, 'method' | 'key' | 'error'>): void {
    if (!error || this.#toldFailures.has(`${method} ${error.code}`)) return
    this.#toldFailures.add(`${method} ${error.code}`)
    this.#lines.note(
      `failed: ${printable(key)}: ${printable(error.message)} (${printable(error.code)}; others like it are not told)`,
    )
  }

  note(message: string): void {
    this.#lines.note(message)
  }

  /** Shows the latest of several concurrent waits; without a terminal, prints a line now and then. */
  wait(wait: WaitNotice): void {
    const { output, now } = this.#options
    this.#wait = { text: printable(waitText(wait)), endsMs: now() + 1000 * wait.seconds }
    if (output.isTTY || now() - this.#toldWaitMs < plainWaitMs) return
    this.#toldWaitMs = now()
    this.#lines.note(this.#wait.text)
  }

  /** The last state stays on the screen. Idempotent. */
  end(): void {
    if (this.#progress && this.#options.output.isTTY) this.#draw(true)
    this.#progress = undefined
    this.#lines.leave()
  }

  #draw(isForced: boolean): void {
    const { output, now } = this.#options
    const elapsed = now() - this.#drawnMs
    if (!isForced && elapsed < (output.isTTY ? redrawMs : plainMs)) return
    this.#drawnMs = now()
    this.#lines.draw([output.isTTY ? this.#bar() : this.#status()])
  }

  #bar(): string {
    const { columns } = this.#lines
    const status = this.#status()
    const width = Math.min(30, columns - status.length - 2)
    if (width < 5) return status.slice(0, columns)
    const filled = Math.round(width * this.#progress!.share)
    return `${this.#options.colors.cyan('█'.repeat(filled))}${'░'.repeat(width - filled)}  ${status}`
  }

  #status(): string {
    const { share, recorded, planned, tokens, failed, seconds, secondsLeft } = this.#progress!
    const isWaiting = this.#wait !== undefined && this.#options.now() < this.#wait.endsMs
    return [
      isWaiting ? this.#wait!.text : undefined,
      `${Math.floor(100 * share + 1e-6)} %`,
      `${count(recorded)} of ${count(planned)} samples`,
      failed > 0 ? `${count(failed)} failed` : undefined,
      `${count(seconds > 0 ? Math.round(tokens / seconds) : 0)} tokens/s`,
      clock(seconds),
      secondsLeft === undefined ? undefined : `${clock(secondsLeft)} left`,
    ]
      .filter((part) => part !== undefined)
      .join(', ')
  }
}
