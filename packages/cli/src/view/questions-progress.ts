/** Several readings of one text in one view: how far they are on average, and how many of them have ended. */
import type { QuestionEvent, ReadingUsage } from '@memagent/core'
import type { ProgressView } from './progress.ts'

export class QuestionsProgress {
  readonly #view: ProgressView
  readonly #count: number
  readonly #open: Set<number>
  #answered = 0
  #failed = 0
  /** Not told to the view yet. */
  #usages: ReadingUsage[] = []
  #resumedSteps = 0
  #unread = { steps: 0, tokens: 0, bytes: 0 }
  #last: Extract<QuestionEvent, { type: 'chunk-end' }> | undefined

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

  /** The view begins when all of them have, on average where they were. */
  #start(event: Extract<QuestionEvent, { type: 'reading-start' }>): void {
    this.#usages.push(event.usage)
    this.#resumedSteps += event.resumedSteps
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
      wasted: undefined,
    }
    this.#view.handle({ ...event, usage, resumedSteps })
  }

  /** Tells one chunk where each of them has read one. */
  #addChunk(event: Extract<QuestionEvent, { type: 'chunk-end' }>): void {
    this.#last = event
    const { steps, tokens, bytes } = this.#unread
    this.#unread = { steps: steps + 1, tokens: tokens + event.tokens, bytes: bytes + event.bytes }
    if (this.#unread.steps < this.#count) return
    const per = (amount: number) => Math.round(amount / this.#count)
    this.#view.handle({ ...this.#last, tokens: per(this.#unread.tokens), bytes: per(this.#unread.bytes) })
    this.#unread = { steps: 0, tokens: 0, bytes: 0 }
  }

  #summary(): string {
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : ''
    return `${this.#count} questions side by side: ${this.#open.size} being read, ${this.#answered} answered${failed}`
  }
}
