/**
 * The progress of a reading, apart from the loop: its state, its warnings, the events not yet reported, and the checkpoints. Its
 * totals are in `running-totals.ts`.
 */
import type { ChatResult } from '../chat/chat.ts'
import { keptPart } from '../chat/kept-reply.ts'
import type { WindowBudget } from '../chat/profile.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { Provenance } from '../provenance/provenance.ts'
import { Tracer } from '../provenance/tracer.ts'
import type { Answer, Conversation, Json, MemoryLogEntry, WorkflowEvent } from '../workflows/workflow.ts'
import { checkedStore } from './checked-store.ts'
import { badResult } from './checked-workflow.ts'
import { checkpointVersion, type DocumentPosition } from './checkpoint.ts'
import { workflowEvent } from './checkpoint-shape.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import { stateOrigin, wholeCourse, withEarlier } from './earlier-readings.ts'
import type { AnswerEvent, ReadingEvent, ReadingUsage } from './events.ts'
import { Journal, type JournalEntry } from './journal.ts'
import type { ReadingOptions } from './options.ts'
import { settleAnswer } from './outcome.ts'
import type { PreparedReading } from './prepare.ts'
import { withoutSources } from './reading-start.ts'
import { RunningTotals } from './running-totals.ts'
import { Silence } from './silence.ts'
import { endedEarly, passedOver, type UnreadText, unreadText } from './unread.ts'
import { type ReadingWarning, WarningLog } from './warning-log.ts'

export class ReadingRecord<State extends Json> {
  state: State
  isDone: boolean
  readonly #options: ReadingOptions<State>
  readonly #reading: PreparedReading<State>
  readonly #totals: RunningTotals
  readonly #writer: CheckpointWriter
  readonly #warnings: WarningLog
  readonly #silence = new Silence()
  readonly #tracer: Tracer | undefined
  /** Paid results that are not in the totals yet. */
  readonly journal: Journal
  #memoryLogLength: number
  /** End of the last chunk, in its source. */
  #endByte = 0
  #untold: ReadingEvent[] = []

  constructor(options: ReadingOptions<State>, reading: PreparedReading<State>) {
    const { saved, state, log } = reading
    this.#options = options
    this.#reading = reading
    this.state = state
    this.isDone = saved?.isDone ?? false
    this.#totals = new RunningTotals(saved, options.now ?? (() => performance.now()))
    this.#memoryLogLength = saved?.memoryLogLength ?? 0
    this.#warnings = new WarningLog(saved?.warnings)
    this.#writer = new CheckpointWriter(options.checkpoints && checkedStore(options.checkpoints))
    this.journal = new Journal(saved?.sequence, log?.conversations, this.#logConversation)
    const { provenance, question } = options
    const before = saved ?? options.start
    const untraced = provenance ? withoutSources(before) : undefined
    if (untraced && !this.hasWarned(untraced.code)) this.addEvent(untraced)
    this.#tracer = provenance && !untraced ? new Tracer(question, before?.provenance) : undefined
  }

  get usage(): ReadingUsage {
    return this.#totals.usage
  }

  get steps(): number {
    return this.#totals.steps
  }

  /** Whether chunks were handed out since the last step ended. */
  get isInStep(): boolean {
    return this.#totals.isInStep
  }

  readonly addChunk = (chunk: Chunk): void => {
    this.#totals.addChunk(chunk)
    this.journal.beginStep()
    this.#endByte = chunk.ranges.at(-1)?.endByte ?? 0
    this.#tracer?.addChunk(chunk)
  }

  /** @throws WorkflowError for an invalid event */
  readonly addEvent = (event: WorkflowEvent): void => {
    const problem = workflowEvent(event, 'what it emitted')
    if (problem !== undefined) throw badResult(this.#reading.workflow.name, 'event', problem)
    this.#untold.push(event)
    if (event.type === 'warning') this.#warnings.add(event)
    else {
      if (event.origin === 'kept') this.#totals.add({ keptMemories: 1 })
      const { step, memory, previous } = event
      const statements = this.#tracer?.addMemory(step, memory, previous) ?? []
      if (statements.length > 0) this.#untold.push({ type: 'sources', step, statements })
    }
  }

  readonly addResult = (result: ChatResult, { tag }: Conversation): void => {
    if (tag.kind === 'report') this.#tracer?.addReport(tag.step, result.text)
    this.#silence.add(result)
    this.#totals.addCall(result)
  }

  readonly logMemory = ({ step, text }: MemoryLogEntry, index: number): void => {
    // The memories of earlier readings are stored with those.
    const own = index - (this.#reading.earlier?.memories ?? 0)
    this.#memoryLogLength = own + 1
    this.#writer.append({ type: 'memory', index: own, step, text })
  }

  readonly #logConversation = (key: string, { result, ...entry }: JournalEntry): void => {
    const kept = { ...keptPart(result), isFromCache: result.isFromCache }
    this.#writer.append({ type: 'conversation', ...entry, key, result: kept })
  }

  /** Counts the chunks read since the last step, and saves. @returns the events to report */
  endStep(position: DocumentPosition): ReadingEvent[] {
    this.#untold.push(...this.#totals.endStep(this.journal.endStep(this.isDone)))
    if (this.#options.replays || this.#options.checkpoints?.keepsEvents) {
      this.#writer.append({ type: 'events', sequence: this.journal.sequence, events: this.#untold })
    }
    this.#tracer?.endStep()
    this.save(position)
    return this.takeEvents()
  }

  /** Call when no more chunks are read. */
  endSteps(): void {
    this.isDone = true
    this.#totals.addWasted(this.journal.end())
  }

  /** Saves the notes. @returns their event, once they are written */
  async settleNotes(position: DocumentPosition): Promise<ReadingEvent> {
    this.#tellUnread(position)
    this.save(position)
    await this.#writer.flush()
    const { steps, usage, seconds } = this.#totals
    const memory = this.#reading.workflow.memory(this.state)
    return {
      type: 'notes',
      memory,
      state: this.state,
      warnings: this.#warnings.warnings,
      steps,
      usage,
      seconds,
      unread: this.#unread(position),
      ...this.#provenance(memory),
    }
  }

  /** Saves the answer with its outcome. @returns its event, once it is written */
  async settle(claim: Answer, position: DocumentPosition): Promise<ReadingEvent> {
    this.#tellUnread(position)
    this.#tellUnsourced(claim, position)
    const { answer, warnings } = this.#settled(claim, position)
    this.save(position, answer, warnings)
    await this.#writer.flush()
    return this.answerEvent(answer, position, warnings)
  }

  /** Warnings about an earlier answer say nothing about the next one. */
  forgetAnswerWarnings(): void {
    this.#warnings.forget((code) => code.startsWith('answer-'))
  }

  /** Saves, with the calls made for the answer so far. @returns the event of the answer; undefined without one */
  renewed(claim: Answer | undefined, position: DocumentPosition): ReadingEvent | undefined {
    this.save(position)
    if (!claim) return undefined
    const { answer, warnings } = this.#settled(claim, position)
    return { ...this.answerEvent(answer, position, warnings), type: 'renewed-answer' }
  }

  #settled(claim: Answer, position: DocumentPosition): ReturnType<typeof settleAnswer> {
    const { earlier } = this.#reading
    const course = { ...this.usage, steps: this.steps, lastStep: position.ordinal - 1 }
    const all = withEarlier(earlier, this.#warnings.warnings)
    return settleAnswer(claim, all, wholeCourse(earlier, course))
  }

  answerEvent(answer: Answer, position: DocumentPosition, warnings: readonly ReadingWarning[]): AnswerEvent {
    const memory = this.#reading.workflow.memory(this.state)
    const { steps, usage, seconds } = this.#totals
    const unread = this.#unread(position)
    const provenance = this.#provenance(memory, answer)
    return { type: 'answer', answer, warnings, memory, steps, usage, seconds, unread, ...provenance }
  }

  #provenance(memory: string, answer?: Answer): { readonly provenance?: Provenance } {
    if (!this.#tracer) return {}
    return { provenance: this.#tracer.provenanceOf(memory, answer?.text) }
  }

  /** Records a change after the chunk before this position. */
  changeBudget({ memory, chunk }: WindowBudget, { ordinal }: DocumentPosition): void {
    this.#untold.push({ type: 'budget-change', step: Math.max(0, ordinal - 1), memory, chunk })
  }

  hasWarned(code: string): boolean {
    return this.#warnings.warnings.some((warning) => warning.code === code)
  }

  get warnings(): readonly ReadingWarning[] {
    return this.#warnings.warnings
  }

  /** Returns the events not reported yet, and forgets them. */
  takeEvents(): ReadingEvent[] {
    const events = this.#untold
    this.#untold = []
    return events
  }

  /** Whether no rewrite was ever usable. */
  get wroteNoMemory(): boolean {
    const { workflow } = this.#reading
    return this.steps > 0 && this.usage.keptMemories >= this.steps && workflow.memory(this.state) === ''
  }

  /** @throws ChatError when the model never wrote a usable memory, unless that is accepted */
  requireMemory(): void {
    const { acceptsSilence, model, checkpoints } = this.#options
    if (acceptsSilence || !this.wroteNoMemory) return
    throw this.#silence.error(model.name, this.steps, checkpoints !== undefined)
  }

  /** @throws WorkflowError for a state that the workflow itself rejects */
  save(position: DocumentPosition, answer?: Answer, warnings = this.#warnings.warnings): void {
    this.#checkState(position)
    this.#writer.save({
      version: checkpointVersion,
      identity: this.#reading.identity,
      sequence: this.journal.sequence,
      steps: this.steps,
      position,
      state: this.state,
      usage: this.usage,
      seconds: this.#totals.seconds,
      memoryLogLength: this.#memoryLogLength,
      isDone: this.isDone,
      memorySize: this.#reading.adaptiveMemory?.size,
      warnings,
      ...(this.#tracer && { provenance: this.#tracer.state }),
      ...(this.#reading.earlier && { earlier: this.#reading.earlier }),
      ...(answer ? { answer } : {}),
    })
  }

  #checkState({ isEnd }: DocumentPosition): void {
    const [{ checkpoints, question }, { workflow, earlier }] = [this.#options, this.#reading]
    const { isDone } = this
    const [steps, bytes, memories] = [this.steps, this.usage.bytes, this.#memoryLogLength]
    const own = { steps, bytes, memories, isDone, endedEarly: isDone && !isEnd }
    if (!checkpoints || workflow.isState(this.state, stateOrigin(earlier, question, own))) return
    const problem = `its isState rejects the state after ${this.steps} chunks, so no checkpoint could be resumed`
    throw badResult(workflow.name, 'state', problem)
  }

  /** Warns once, though resumed notes are settled again. */
  #tellUnread(position: DocumentPosition): void {
    const unread = this.#unread(position)
    if (!unread) return
    const told = this.#reading.workflow.unreadBytes ? passedOver : endedEarly
    const warning = told(unread, position.ordinal - 1)
    if (!this.hasWarned(warning.code)) this.addEvent(warning)
  }

  /** Warns about an answer that no passage states and that follows from none. */
  #tellUnsourced({ text, outcome }: Answer, { ordinal }: DocumentPosition): void {
    const statements = outcome === 'found' ? (this.#tracer?.traceAnswer(text) ?? []) : []
    if (statements.length === 0 || statements.some(({ verdict }) => verdict !== 'not-found')) return
    const message =
      'No passage of the text was found for this answer. It may still be true, but look it up before you rely on it.'
    this.addEvent({ type: 'warning', step: Math.max(0, ordinal - 1), code: 'unsourced-answer', message })
  }

  /** Undefined for a workflow with its own loop, unless it counts unread bytes itself: it reads in any order. */
  #unread({ isEnd }: DocumentPosition): UnreadText | undefined {
    const read = this.usage.bytes
    const unread = this.#reading.workflow.unreadBytes?.(this.state)
    if (unread !== undefined) return unreadText(read + unread, read)
    if (isEnd || this.steps === 0 || this.#reading.workflow.run) return undefined
    const { sizeBytes } = this.#options.document
    // The source may end with bytes that are not text. Then nothing is left to read.
    return this.#endByte === sizeBytes ? undefined : unreadText(sizeBytes, read)
  }

  /** Waits until all is written. @throws CheckpointError */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** Waits until nothing is being written, whether writes failed or not. */
  close(): Promise<void> {
    return this.#writer.settle()
  }
}
