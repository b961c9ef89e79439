/**
 * The progress of a reading, beside the loop that reads: its state and totals, its warnings, the events not yet
 * reported, and the checkpoints.
 */
import type { ChatResult } from '../chat/chat.ts'
import type { Chunk } from '../chunking/chunker.ts'
import type { Answer, Json, WorkflowEvent } from '../workflows/workflow.ts'
import { badResult } from './checked-workflow.ts'
import { checkpointVersion, type DocumentPosition } from './checkpoint.ts'
import { workflowEvent } from './checkpoint-shape.ts'
import { CheckpointWriter } from './checkpoint-writer.ts'
import type { MemoryLogEntry } from './context.ts'
import type { ReadingEvent, ReadingUsage } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { settleAnswer } from './outcome.ts'
import type { PreparedReading } from './prepare.ts'
import { Silence } from './silence.ts'
import { noTokens, noUsage, sum } from './usage.ts'
import { type ReadingWarning, WarningLog } from './warning-log.ts'

export class ReadingRecord<State extends Json> {
  state: State
  isDone: boolean
  readonly #options: ReadingOptions<State>
  readonly #reading: PreparedReading<State>
  readonly #now: () => number
  readonly #startMs: number
  readonly #writer: CheckpointWriter
  readonly #warnings: WarningLog
  readonly #silence = new Silence()
  #usage: ReadingUsage
  #steps: number
  #sequence: number
  #memoryLogLength: number
  #untold: ReadingEvent[] = []
  // For the current step.
  #chunks: Chunk[] = []
  #stepUsage = noTokens
  #stepMs: number

  constructor(options: ReadingOptions<State>, reading: PreparedReading<State>) {
    const { saved, state } = reading
    this.#options = options
    this.#reading = reading
    this.state = state
    this.isDone = saved?.isDone ?? false
    this.#usage = saved?.usage ?? noUsage
    this.#steps = saved?.steps ?? 0
    this.#sequence = saved?.sequence ?? 0
    this.#memoryLogLength = saved?.memoryLogLength ?? 0
    this.#warnings = new WarningLog(saved?.warnings)
    this.#writer = new CheckpointWriter(options.checkpoints)
    this.#now = options.now ?? (() => performance.now())
    this.#stepMs = this.#now()
    this.#startMs = this.#stepMs - (saved?.seconds ?? 0) * 1000
  }

  get usage(): ReadingUsage {
    return this.#usage
  }

  get steps(): number {
    return this.#steps
  }

  /** Chunks were handed out since the last step ended. */
  get isInStep(): boolean {
    return this.#chunks.length > 0
  }

  readonly addChunk = (chunk: Chunk): void => {
    this.#chunks.push(chunk)
  }

  /** @throws WorkflowError for what is no event */
  readonly addEvent = (event: WorkflowEvent): void => {
    const problem = workflowEvent(event, 'what it emitted')
    if (problem !== undefined) throw badResult(this.#reading.workflow.name, 'event', problem)
    this.#untold.push(event)
    if (event.type === 'warning') this.#warnings.add(event)
    else if (event.origin === 'kept') this.#add({ keptMemories: 1 })
  }

  readonly addResult = (result: ChatResult): void => {
    const { usage = noTokens } = result
    this.#silence.add(result)
    this.#add({ calls: 1, ...usage })
    this.#stepUsage = {
      promptTokens: this.#stepUsage.promptTokens + usage.promptTokens,
      completionTokens: this.#stepUsage.completionTokens + usage.completionTokens,
    }
  }

  readonly logMemory = ({ step, text }: MemoryLogEntry, index: number): void => {
    this.#memoryLogLength = index + 1
    this.#writer.append({ type: 'memory', index, step, text })
  }

  readonly logConversation = (key: string, result: ChatResult): void => {
    const { text, reasoning, usage, finishReason } = result
    const kept = { text, reasoning, usage, finishReason }
    this.#writer.append({ type: 'conversation', sequence: this.#sequence, key, result: kept })
  }

  /** Counts the chunks read since the last step, and saves. @returns what there is to tell */
  endStep(position: DocumentPosition): ReadingEvent[] {
    const [endMs, chunks] = [this.#now(), this.#chunks]
    this.#chunks = []
    this.#sequence++
    for (const [i, { ordinal, tokens, ranges }] of chunks.entries()) {
      const bytes = ranges.reduce((total, { startByte, endByte }) => total + endByte - startByte, 0)
      const isLast = i === chunks.length - 1
      this.#add({ chunkTokens: tokens, bytes })
      this.#steps++
      this.#untold.push({
        type: 'chunk-end',
        step: ordinal,
        tokens,
        bytes,
        ranges,
        usage: isLast ? this.#stepUsage : noTokens,
        seconds: isLast ? (endMs - this.#stepMs) / 1000 : 0,
      })
    }
    if (this.#options.replays) {
      this.#writer.append({ type: 'events', sequence: this.#sequence, events: this.#untold })
    }
    this.save(position)
    this.#stepMs = endMs
    this.#stepUsage = noTokens
    return this.takeEvents()
  }

  /** The notes event, saved; to be reported once it is written. */
  async settleNotes(position: DocumentPosition): Promise<ReadingEvent> {
    this.save(position)
    await this.#writer.flush()
    const [steps, usage, seconds] = [this.#steps, this.#usage, this.#seconds]
    const memory = this.#reading.workflow.memory(this.state)
    return {
      type: 'notes',
      memory,
      state: this.state,
      warnings: this.#warnings.warnings,
      steps,
      usage,
      seconds,
    }
  }

  /** The answer with its outcome, saved; to be reported once it is written. */
  async settle(claim: Answer, position: DocumentPosition): Promise<ReadingEvent> {
    const course = { ...this.#usage, steps: this.#steps, lastStep: position.ordinal - 1 }
    const { answer, warnings } = settleAnswer(claim, this.#warnings.warnings, course)
    this.save(position, answer, warnings)
    await this.#writer.flush()
    return this.answerEvent(answer, warnings)
  }

  answerEvent(answer: Answer, warnings: readonly ReadingWarning[]): ReadingEvent {
    const memory = this.#reading.workflow.memory(this.state)
    const [steps, usage, seconds] = [this.#steps, this.#usage, this.#seconds]
    return { type: 'answer', answer, warnings, memory, steps, usage, seconds }
  }

  /** Events that were not yet reported. */
  takeEvents(): ReadingEvent[] {
    const events = this.#untold
    this.#untold = []
    return events
  }

  /** No rewrite was ever usable. */
  get wroteNoMemory(): boolean {
    const { workflow } = this.#reading
    return this.#steps > 0 && this.#usage.keptMemories >= this.#steps && workflow.memory(this.state) === ''
  }

  /** @throws ChatError when the model never wrote a usable memory, unless that is accepted */
  requireMemory(): void {
    const { acceptsSilence, model, checkpoints } = this.#options
    if (acceptsSilence || !this.wroteNoMemory) return
    throw this.#silence.error(model.name, this.#steps, checkpoints !== undefined)
  }

  /** @throws WorkflowError for a state that the workflow itself rejects */
  save(position: DocumentPosition, answer?: Answer, warnings = this.#warnings.warnings): void {
    this.#checkState(position)
    this.#writer.save({
      version: checkpointVersion,
      identity: this.#reading.identity,
      sequence: this.#sequence,
      steps: this.#steps,
      position,
      state: this.state,
      usage: this.#usage,
      seconds: this.#seconds,
      memoryLogLength: this.#memoryLogLength,
      isDone: this.isDone,
      warnings,
      ...(answer ? { answer } : {}),
    })
  }

  #checkState({ isEnd }: DocumentPosition): void {
    const [{ checkpoints, question }, { workflow }] = [this.#options, this.#reading]
    const endedEarly = this.isDone && !isEnd
    if (!checkpoints || workflow.isState(this.state, { question, steps: this.#steps, endedEarly })) return
    const problem = `its isState rejects the state after ${this.#steps} chunks, so no checkpoint could be resumed`
    throw badResult(workflow.name, 'state', problem)
  }

  /** Waits until all is written. @throws CheckpointError */
  flush(): Promise<void> {
    return this.#writer.flush()
  }

  /** Waits until nothing is being written any more, whether it failed or not. */
  close(): Promise<void> {
    return this.#writer.settle()
  }

  get #seconds(): number {
    return (this.#now() - this.#startMs) / 1000
  }

  #add(more: Partial<ReadingUsage>): void {
    this.#usage = sum(this.#usage, more)
  }
}
