/** Answers of a reading that goes on: the question is asked again after each step that changed the memory. */
import { ChatError } from '../errors.ts'
import type { Answer, Json } from '../workflows/workflow.ts'
import type { ReadingEvent } from './events.ts'
import type { Steps } from './steps.ts'

export class RenewedAnswers<State extends Json> {
  readonly #steps: Steps<State>
  readonly #question: string
  /** The last answer, and the memory that it was asked from. */
  #last: { readonly memory: string; readonly claim: Answer } | undefined

  constructor(steps: Steps<State>, question: string) {
    this.#steps = steps
    this.#question = question
  }

  /** The events, with an answer after each step that changed the memory. @throws LimitError and what the steps throw */
  async *between(events: AsyncIterable<ReadingEvent>): AsyncGenerator<ReadingEvent> {
    // For a reading that was resumed.
    yield* this.#renew()
    for await (const event of events) {
      yield event
      if (event.type === 'chunk-end') yield* this.#renew()
    }
  }

  /** The answer from the current memory, if it was asked for. */
  get present(): Answer | undefined {
    return this.#last?.memory === this.#memory ? this.#last.claim : undefined
  }

  get #memory(): string {
    const { workflow, record } = this.#steps
    return workflow.memory(record.state)
  }

  async *#renew(): AsyncGenerator<ReadingEvent> {
    const { workflow, record, context, source, waits, signal } = this.#steps
    const memory = this.#memory
    if (memory === '' || this.present) return
    record.forgetAnswerWarnings()
    try {
      const claim = yield* waits.during(workflow.answer(record.state, this.#question, context), signal)
      this.#last = { memory, claim }
    } catch (error) {
      signal.throwIfAborted()
      // The next change asks again; a limit ends the reading.
      if (!ChatError.isInstance(error) || !error.code.startsWith('chat/')) throw error
      const message = `The answer could not be renewed: ${error.message}`
      const step = Math.max(0, source.position.ordinal - 1)
      record.addEvent({ type: 'warning', step, code: 'answer-not-renewed', message })
    }
    const renewed = record.renewed(this.present, source.position)
    yield* record.takeEvents()
    if (renewed) yield renewed
  }
}
