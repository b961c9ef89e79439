/** Several readings of one text in one view: how far they are on average, and how many of them have ended. */
import {
  addCalls,
  addTokens,
  type CallUsage,
  type QuestionEvent,
  type ReadingUsage,
  totalUsage,
} from '@memagent/core'
import type { ProgressView } from './progress.ts'

type ChunkEnd = Extract<QuestionEvent, { type: 'chunk-end' }>

export class QuestionsProgress {
  readonly #view: ProgressView
  readonly #count: number
  readonly #open: Set<number>
  #answered = 0
  #failed = 0
  /** Usage of the readings that have started. */
  #usages: ReadingUsage[] = []
  #resumedSteps = 0
  /** Chunks read, but not yet passed to the view. */
  #chunks: ChunkEnd[] = []

  /** @param count questions that are read */
  constructor(view: ProgressView, count: number) {
    this.#view = view
    this.#count = count
    this.#open = new Set(Array.from({ length: count }, (_, question) => question))
    view.endsWithAnswer = false
    view.summary = () => this.#summary()
  }

  handle(event: QuestionEvent): void {
    const { question } = event
    if (event.type === 'reading-start') this.#start(event)
    else if (event.type === 'chunk-end') this.#addChunk(event)
    else if (event.type === 'wait') this.#view.handle(event)
    else if (event.type === 'warning') {
      this.#view.handle({ ...event, message: `question ${question + 1}: ${event.message}` })
    } else if (event.type === 'answer' || event.type === 'question-failed') {
      this.#open.delete(question)
      if (event.type === 'answer') this.#answered++
      else {
        this.#failed++
        this.#view.note(`Question ${question + 1} failed: ${event.error.message}`)
      }
    }
  }

  /** Starts the view where the readings start on average. */
  #start(event: Extract<QuestionEvent, { type: 'reading-start' }>): void {
    this.#usages.push(event.usage)
    this.#resumedSteps += event.resumedSteps
    const { wasted, fromCache } = totalUsage(this.#usages)
    const mean = (of: (usage: ReadingUsage) => number) =>
      Math.round(this.#usages.reduce((total, usage) => total + of(usage), 0) / this.#count)
    const resumedSteps = Math.round(this.#resumedSteps / this.#count)
    if (this.#usages.length === this.#count && resumedSteps > 0) {
      this.#view.note(`Going on after step ${resumedSteps} (on average).`)
    }
    const usage = {
      ...event.usage,
      chunkTokens: mean(({ chunkTokens }) => chunkTokens),
      bytes: mean(({ bytes }) => bytes),
      keptMemories: 0,
      wasted,
      fromCache,
    }
    this.#view.handle({ ...event, usage, resumedSteps })
  }

  /** Passes one average chunk to the view for as many chunks as there are questions. */
  #addChunk(event: ChunkEnd): void {
    this.#chunks.push(event)
    if (this.#chunks.length < this.#count) return
    const chunks = this.#chunks.splice(0)
    const total = (of: (chunk: ChunkEnd) => number) => chunks.reduce((sum, chunk) => sum + of(chunk), 0)
    this.#view.handle({
      ...event,
      usage: chunks.map(({ usage }) => usage).reduce(addTokens),
      wasted: all(chunks.map(({ wasted }) => wasted)),
      fromCache: all(chunks.map(({ fromCache }) => fromCache)),
      tokens: Math.round(total(({ tokens }) => tokens) / this.#count),
      bytes: Math.round(total(({ bytes }) => bytes) / this.#count),
    })
  }

  #summary(): string {
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : ''
    return `${this.#count} questions side by side: ${this.#open.size} being read, ${this.#answered} answered${failed}`
  }
}

function all(calls: readonly (CallUsage | undefined)[]): CallUsage | undefined {
  const made = calls.filter((one) => one !== undefined)
  return made.length === 0 ? undefined : made.reduce(addCalls)
}
