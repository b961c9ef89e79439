/** The live view of a reading: a bar with rate and remaining time, and the memory with what changed. */
import type { ReadingEvent } from '@memagent/core'
import { diffWords } from 'diff'
import pc from 'picocolors'
import { type Output, printable } from '../terminal.ts'

export interface ProgressOptions {
  readonly output: Output
  readonly sizeBytes: number | undefined
  readonly isColored: boolean
  /** Milliseconds. */
  readonly now: () => number
}

/** Whether there are colours is the caller's choice, made once. */
const colors = pc.createColors(true)

const redrawMs = 100
/** Without a terminal: a plain line this often. */
const plainMs = 10_000

export class ProgressView {
  readonly #options: ProgressOptions
  readonly #startMs: number
  #drawnMs = Number.NEGATIVE_INFINITY
  #drawnLines = 0
  #tokens = 0
  #bytes = 0
  #steps = 0
  /** Of these, read before this run: they have no part in its rate. */
  #resumedTokens = 0
  #resumedBytes = 0
  #kept = 0
  #memory = ''
  #previous = ''

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#startMs = options.now()
    this.#drawnMs = options.output.isTTY ? Number.NEGATIVE_INFINITY : this.#startMs
  }

  handle(event: ReadingEvent): void {
    if (event.type === 'reading-start') {
      this.#resumedTokens = this.#tokens = event.usage.chunkTokens
      this.#resumedBytes = this.#bytes = event.usage.bytes
      this.#steps = event.resumedSteps
      this.#kept = event.usage.keptMemories
    } else if (event.type === 'chunk-end') {
      this.#tokens += event.tokens
      this.#bytes += event.bytes
      this.#steps++
      this.#draw(false)
    } else if (event.type === 'memory-end') {
      if (event.origin === 'kept') this.#kept++
      // The first event after a resume brings a memory that this run did not write.
      if (event.changed || this.#memory === '') {
        this.#previous = event.previous
        this.#memory = event.memory
      }
    } else if (event.type === 'warning') this.note(`warning: ${event.message} (step ${event.step + 1})`)
  }

  /** A line that stays, above the view. */
  note(text: string): void {
    this.#erase()
    this.#options.output.write(`${printable(text)}\n`)
  }

  /** The last state stays on the screen. */
  end(): void {
    if (this.#options.output.isTTY) this.#draw(true)
    this.#drawnLines = 0
  }

  #draw(isForced: boolean): void {
    const { output, now } = this.#options
    const elapsed = now() - this.#drawnMs
    if (!isForced && elapsed < (output.isTTY ? redrawMs : plainMs)) return
    this.#drawnMs = now()
    if (!output.isTTY) {
      output.write(`${this.#status()}\n`)
      return
    }
    const columns = Math.max(20, output.columns ?? 80)
    const lines = [this.#bar(columns), ...this.#memoryLines(columns)]
    this.#erase()
    output.write(lines.map((line) => `${line}\n`).join(''))
    this.#drawnLines = lines.length
  }

  #erase(): void {
    if (this.#drawnLines > 0) this.#options.output.write(`\x1b[${this.#drawnLines}A\x1b[0J`)
    this.#drawnLines = 0
  }

  #status(): string {
    const { sizeBytes, now } = this.#options
    const seconds = (now() - this.#startMs) / 1000
    const rate = seconds > 0 ? (this.#tokens - this.#resumedTokens) / seconds : 0
    const share = sizeBytes ? Math.min(1, this.#bytes / sizeBytes) : undefined
    const read = this.#bytes - this.#resumedBytes
    const left = sizeBytes && read > 0 ? (seconds / read) * Math.max(0, sizeBytes - this.#bytes) : undefined
    return [
      share === undefined ? undefined : `${Math.floor(100 * share)} %`,
      `${count(this.#tokens)} tokens`,
      `${count(Math.round(rate))}/s`,
      `step ${count(this.#steps)}`,
      clock(seconds),
      left === undefined ? undefined : `${clock(left)} left`,
      this.#kept > 0 ? `${this.#kept} rewrites kept the previous memory` : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(', ')
  }

  #bar(columns: number): string {
    const { sizeBytes } = this.#options
    const status = this.#status()
    const width = Math.min(30, columns - status.length - 3)
    if (sizeBytes === undefined || width < 5) return status.slice(0, columns - 1)
    const filled = Math.round(width * Math.min(1, this.#bytes / sizeBytes))
    return `${this.#color('cyan', '█'.repeat(filled))}${'░'.repeat(width - filled)}  ${status}`
  }

  #memoryLines(columns: number): string[] {
    if (this.#memory === '') return [this.#color('dim', 'memory: nothing yet')]
    const text = printable(this.#memory).slice(0, columns * 4)
    const before = printable(this.#previous)
    const parts = diffWords(before, text).filter(({ removed }) => !removed)
    let line = 'memory: '
    let used = line.length
    const lines: string[] = []
    for (const { value, added } of parts) {
      for (const word of value.split(/(?<=\s)/)) {
        if (used + word.length >= columns && used > 0) {
          lines.push(line)
          line = '  '
          used = 2
        }
        line += added && before !== '' ? this.#color('green', word) : word
        used += word.length
      }
    }
    return [...lines, line].slice(0, 6)
  }

  #color(color: 'cyan' | 'dim' | 'green', text: string): string {
    return this.#options.isColored ? colors[color](text) : text
  }
}

export const count = (number: number): string => number.toLocaleString('en-US')

/** `1:05`, `2:03:04` */
export function clock(seconds: number): string {
  const total = Math.round(seconds)
  const [hours, minutes, rest] = [Math.floor(total / 3600), Math.floor(total / 60) % 60, total % 60]
  const two = (number: number) => String(number).padStart(2, '0')
  return hours > 0 ? `${hours}:${two(minutes)}:${two(rest)}` : `${minutes}:${two(rest)}`
}
