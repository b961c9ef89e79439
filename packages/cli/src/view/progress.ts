/**
 * The live view of a reading: what it waits for, then a bar with rate and remaining time, and the memory with its latest
 * changes. Without a terminal, a plain line now and then.
 */
import type { ReadingEvent } from '@memagent/core'
import { waitReason, waitText } from '../server-waits.ts'
import { type Output, printable, type Terminal } from '../terminal.ts'
import { type Colors, colorsOf } from './colors.ts'
import { LiveLines } from './live-lines.ts'
import { changedLines, inOneLine } from './memory-lines.ts'
import { ReadingPace } from './reading-pace.ts'
import { cutToWidth, textWidth } from './text-width.ts'

export interface ProgressOptions {
  readonly output: Output
  readonly colors: Colors
  /** Milliseconds. */
  readonly now: () => number
}

export interface ViewFlags {
  readonly quiet?: boolean
  readonly color: boolean
}

/** The view selected by a command's flags, with its clock started; undefined for none. */
export function openView(flags: ViewFlags, terminal: Terminal): ProgressView | undefined {
  if (flags.quiet) return undefined
  const { stderr: output } = terminal
  const view = new ProgressView({
    output,
    colors: colorsOf(flags, terminal, output),
    now: () => performance.now(),
  })
  view.start()
  return view
}

const redrawMs = 100
const tickMs = 1000
/** Interval of plain lines, without a terminal. */
const plainMs = 10_000

/** How much was read at a moment. */
interface Progress {
  readonly ms: number
  readonly tokens: number
  readonly bytes: number
}

export class ProgressView {
  readonly #options: ProgressOptions
  readonly #lines: LiveLines
  /** An answer is asked for once the text is read. */
  endsWithAnswer = true
  /** Shown in place of the memory when several are written. */
  summary: (() => string) | undefined
  /** False: how much is still to be read is unknown. */
  readsAll = true
  /** Keep every memory that differs from the last one on the screen, with how much was read by then. */
  keepsMemories = false
  #timer: NodeJS.Timeout | undefined
  #isEnded = false
  #drawnMs: number
  /** What everything waits for now, and since when. */
  #stage: { readonly text: string; readonly ms: number } | undefined
  /** A wait between two attempts at a call. */
  #wait: { readonly reason: string; readonly attempt: number; readonly endMs: number } | undefined
  #sizeBytes: number | undefined
  /** How often the text is read at most. */
  #passes = 1
  /** When this run began to read; earlier progress does not count towards its rate. */
  #start: Progress = { ms: 0, tokens: 0, bytes: 0 }
  #last: Progress = this.#start
  #ownSteps = 0
  #steps = 0
  #kept = 0
  /** Calls that were made ahead for nothing. */
  #wasted = 0
  /** Calls that were answered from the cache. */
  #fromCache = 0
  readonly #pace = new ReadingPace()
  #memory = ''
  #previous = ''
  #noted = ''

  constructor(options: ProgressOptions) {
    this.#options = options
    this.#lines = new LiveLines(options.output)
    // The first plain line comes after a second, unless everything is done by then.
    this.#drawnMs = options.output.isTTY ? Number.NEGATIVE_INFINITY : options.now() - plainMs + tickMs
  }

  /** Updates the clock between events, until `end`. */
  start(): void {
    this.#timer ??= setInterval(() => this.tick(), tickMs)
    this.#timer.unref()
  }

  tick(): void {
    this.#draw(false)
  }

  /** @param stage for example `loading the model`; shown with its duration until a chunk is read */
  waitFor(stage: string): void {
    this.#stage = { text: stage, ms: this.#options.now() }
    if (this.#options.output.isTTY) this.#draw(true)
  }

  handle(event: ReadingEvent): void {
    const ms = this.#options.now()
    const isWaiting = this.#stage !== undefined || this.#wait !== undefined
    this.#wait = undefined
    if (event.type === 'reading-start') {
      const { chunkTokens: tokens, bytes, keptMemories } = event.usage
      this.#start = this.#last = { ms, tokens, bytes }
      this.#sizeBytes = event.sizeBytes
      this.#passes = event.passes ?? 1
      this.#steps = event.resumedSteps
      this.#kept = keptMemories
      this.#wasted = event.usage.wasted?.calls ?? 0
      this.#fromCache = event.usage.fromCache?.calls ?? 0
    } else if (event.type === 'chunk-end') {
      const { tokens, bytes } = this.#last
      const isCached = event.fromCache && event.usage.promptTokens + event.usage.completionTokens === 0
      if (!isCached) this.#pace.add({ tokens: event.tokens, bytes: event.bytes, ms: ms - this.#last.ms })
      this.#fromCache += event.fromCache?.calls ?? 0
      this.#last = { ms, tokens: tokens + event.tokens, bytes: bytes + event.bytes }
      this.#steps++
      this.#wasted += event.wasted?.calls ?? 0
      this.#ownSteps++
      if (this.keepsMemories) this.#noteMemory()
      const isRead = this.endsWithAnswer && this.#last.bytes === this.#passes * (this.#sizeBytes ?? 0)
      this.#stage = isRead ? { text: 'asking for the answer', ms } : undefined
      // The wait is over.
      this.#draw(isWaiting && this.#options.output.isTTY === true)
    } else if (event.type === 'memory-end') {
      if (event.origin === 'kept') this.#kept++
      // The first event after a resume has a memory that this run did not write.
      if (event.changed || this.#memory === '') {
        this.#previous = event.previous
        this.#memory = event.memory
      }
    } else if (event.type === 'wait') {
      const { attempt, seconds } = event
      this.#wait = { reason: waitReason(event), attempt, endMs: ms + 1000 * seconds }
      if (this.#options.output.isTTY) this.#draw(true)
      else this.note(waitText(event))
    } else if (event.type === 'warning') {
      const call = event.code.startsWith('answer-') ? 'final call' : `step ${event.step + 1}`
      this.note(`warning: ${event.message} (${call})`)
    }
  }

  /** Prints a line that stays, above the view. */
  note(text: string): void {
    this.#lines.note(text)
  }

  /** The last state of a reading stays on the screen. Idempotent. */
  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    // Some workflows write the memory after the last chunk.
    if (this.keepsMemories) this.#noteMemory()
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#stage = undefined
    this.#wait = undefined
    if (this.#options.output.isTTY) this.#lines.draw(this.#ownSteps > 0 ? this.#readingLines() : [])
    this.#lines.leave()
  }

  #draw(isForced: boolean): void {
    const { output, now } = this.#options
    const elapsed = now() - this.#drawnMs
    if (!isForced && elapsed < (output.isTTY ? redrawMs : plainMs)) return
    if (this.#ownSteps === 0 && !this.#stage && !this.#wait) return
    this.#drawnMs = now()
    if (!output.isTTY) {
      output.write(`${this.#ownSteps > 0 ? this.#status() : this.#stageText()}\n`)
      return
    }
    const wait = this.#wait ? [cutToWidth(this.#waitText(now()), this.#lines.columns)] : []
    const lines = this.#ownSteps > 0 ? this.#readingLines() : this.#stage ? [this.#stageText()] : []
    this.#lines.draw([...lines, ...wait])
  }

  #stageText(): string {
    const { text, ms } = this.#stage ?? { text: 'waiting', ms: this.#options.now() }
    const line = `${printable(text)}, ${clock((this.#options.now() - ms) / 1000)}`
    return cutToWidth(`${line.charAt(0).toUpperCase()}${line.slice(1)}`, this.#lines.columns)
  }

  #waitText(nowMs: number): string {
    const { reason, attempt, endMs } = this.#wait!
    const left = (endMs - nowMs) / 1000
    const what = left > 0 ? `Waiting ${clock(left)} before attempt ${attempt}:` : `Attempt ${attempt}, after`
    return printable(`${what} ${reason}`)
  }

  #readingLines(): string[] {
    return [this.#bar(), ...this.#memoryLines()]
  }

  #status(): string {
    const nowMs = this.#options.now()
    const { tokens, bytes } = this.#last
    const { share, pass } = this.#place(bytes)
    return [
      this.#passes === 1 || pass === undefined ? undefined : `pass ${pass} of at most ${this.#passes}`,
      share === undefined ? undefined : `${Math.floor(100 * share)} %`,
      `${count(tokens)} tokens`,
      `${count(Math.round(this.#pace.tokensPerSecond))}/s`,
      `step ${count(this.#steps)}`,
      clock((nowMs - this.#start.ms) / 1000),
      this.#stage ? this.#stage.text : this.#leftText(nowMs),
      this.#kept > 0
        ? `${this.#kept} ${this.#kept === 1 ? 'step' : 'steps'} kept the previous memory`
        : undefined,
      this.#wasted > 0
        ? `${count(this.#wasted)} ${this.#wasted === 1 ? 'call' : 'calls'} ahead wasted`
        : undefined,
      this.#fromCache > 0
        ? `${count(this.#fromCache)} ${this.#fromCache === 1 ? 'call' : 'calls'} answered from the cache`
        : undefined,
    ]
      .filter((part) => part !== undefined)
      .join(', ')
  }

  /** The number of this pass, from 1, and the share of it that is read; empty if the size of the text is unknown. */
  #place(bytes: number): { readonly pass?: number; readonly share?: number } {
    const sizeBytes = this.#sizeBytes
    if (!sizeBytes) return {}
    const pass = Math.min(this.#passes, Math.max(1, Math.ceil(bytes / sizeBytes)))
    return { pass, share: Math.min(1, bytes / sizeBytes - (pass - 1)) }
  }

  /** Estimated from the rate so far; between two chunks it counts down with the clock, by at most the duration of a chunk. */
  #leftText(nowMs: number): string | undefined {
    const { bytes, ms } = this.#last
    const { share } = this.#place(bytes)
    const { msPerByte, msPerStep } = this.#pace
    if (!this.readsAll || !this.#sizeBytes || share === undefined || msPerByte === undefined || share === 1)
      return undefined
    const left = msPerByte * this.#sizeBytes * (1 - share)
    const passed = Math.min(nowMs - ms, msPerStep)
    const inPass = this.#passes === 1 ? '' : ' in this pass'
    return `${clock(Math.max(0, left - passed) / 1000)} left${inPass}`
  }

  #bar(): string {
    const columns = this.#lines.columns
    const status = this.#status()
    const width = Math.min(30, columns - textWidth(status) - 2)
    const { share } = this.#place(this.#last.bytes)
    if (share === undefined || width < 5) return cutToWidth(status, columns)
    const filled = Math.round(width * share)
    return `${this.#options.colors.cyan('█'.repeat(filled))}${'░'.repeat(width - filled)}  ${status}`
  }

  #memoryLines(): string[] {
    const { dim, green } = this.#options.colors
    if (this.summary) return [dim(cutToWidth(this.summary(), this.#lines.columns))]
    if (this.#memory === '') return [dim('memory: nothing yet')]
    return changedLines(this.#memory, this.#previous, this.#lines.columns, green)
  }

  #noteMemory(): void {
    if (this.#memory === this.#noted) return
    this.#noted = this.#memory
    const { share } = this.#place(this.#last.bytes)
    const place =
      share === undefined || !this.readsAll ? '' : ` at ${`${Math.floor(100 * share)}`.padStart(2)} %`
    this.note(`memory${place}: ${inOneLine(this.#memory)}`)
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
