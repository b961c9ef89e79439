/**
 * Results that no step has taken yet: those of `chatAll` in the current step, and those of chunks read ahead. They are logged as
 * soon as they arrive, so a killed run does not pay for them again. Results that their step did not take were wasted. A single
 * conversation is taken as soon as it ends, and logged only when another follows in its step; a step of one conversation, which
 * its checkpoint follows, writes nothing.
 */
import type { ChatResult } from '../chat/chat.ts'

export interface JournalEntry {
  /** Steps that ended before its own. */
  readonly sequence: number
  readonly result: ChatResult
  /** It arrived before its step began. */
  readonly ahead?: boolean | undefined
}

export class Journal {
  readonly #entries: Map<string, JournalEntry>
  readonly #write: (key: string, entry: JournalEntry) => void
  #sequence: number
  #isInStep = false
  /** Conversations of the step that are not in the log yet. */
  #unlogged: { readonly key: string; readonly result: ChatResult }[] = []

  /**
   * @param sequence steps that have ended
   * @param saved results left by a killed run, by the conversation's key
   * @param write appends to the log
   */
  constructor(
    sequence = 0,
    saved: ReadonlyMap<string, JournalEntry> = new Map(),
    write: (key: string, entry: JournalEntry) => void = () => undefined,
  ) {
    this.#sequence = sequence
    this.#entries = new Map(saved)
    this.#write = write
  }

  /** Steps that have ended. */
  get sequence(): number {
    return this.#sequence
  }

  get(key: string): ChatResult | undefined {
    return this.#entries.get(key)?.result
  }

  /** @param aheadOf sequence of its step, if that has not begun */
  add(key: string, result: ChatResult, aheadOf?: number): void {
    // A result that arrives after its step belongs to the current one: only later checkpoints can count it.
    const sequence = Math.max(this.#sequence, aheadOf ?? 0)
    const entry = { sequence, result, ...(aheadOf === undefined ? {} : { ahead: true }) }
    // A conversation held twice was paid for twice.
    const place = this.#entries.has(key) ? `${key} again` : key
    this.#write(place, entry)
    this.#entries.set(place, entry)
  }

  take(key: string): void {
    this.#entries.delete(key)
  }

  /** Called when a chunk is handed out. */
  beginStep(): void {
    this.#isInStep = true
  }

  /** Called when a single conversation has ended and was taken. Outside of steps, in answers, the next checkpoint counts it. */
  took(key: string, result: ChatResult): void {
    if (this.#isInStep) this.#unlogged.push({ key, result })
  }

  /** Called when another conversation follows. */
  goOn(): void {
    for (const { key, result } of this.#unlogged) this.#write(key, { sequence: this.#sequence, result })
    this.#unlogged = []
  }

  /**
   * @param isLast no more steps follow
   * @returns what was for this step, or one before it, and was not taken
   */
  endStep(isLast: boolean): ChatResult[] {
    const sequence = this.#sequence++
    this.#isInStep = false
    this.#unlogged = []
    return this.#sweep((entry) => entry.sequence <= sequence || (isLast && entry.ahead === true))
  }

  /** No more steps follow. @returns what was read ahead and not taken */
  end(): ChatResult[] {
    return this.#sweep(({ ahead }) => ahead === true)
  }

  #sweep(isLeft: (entry: JournalEntry) => boolean): ChatResult[] {
    const left = [...this.#entries].filter(([, entry]) => isLeft(entry))
    for (const [key] of left) this.#entries.delete(key)
    return left.map(([, { result }]) => result)
  }
}
