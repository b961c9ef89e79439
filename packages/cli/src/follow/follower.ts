/** Prints each renewed answer about a followed text, with its time and what changed. */
import type { AnswerEvent, ReadingEvent } from '@memagent/core'
import { waitText } from '../server-waits.ts'
import { type OutputFlags, printable, printJson, type Terminal } from '../terminal.ts'
import { noColors } from '../view/colors.ts'
import { memoryDifference } from '../view/memory-difference.ts'
import { provenanceFields } from '../view/sources.ts'

export interface FollowerFlags extends OutputFlags {
  readonly quiet?: boolean
}

export class Follower {
  readonly #flags: FollowerFlags
  readonly #terminal: Terminal
  readonly #now: () => Date
  #last: AnswerEvent | undefined
  #memory: string | undefined

  constructor(flags: FollowerFlags, terminal: Terminal, now = () => new Date()) {
    this.#flags = flags
    this.#terminal = terminal
    this.#now = now
  }

  readonly handle = (event: ReadingEvent): void => {
    const { json, events, quiet } = this.#flags
    const { stdout, stderr } = this.#terminal
    if (event.type === 'renewed-answer') {
      const before = this.#last
      this.#last = { ...event, type: 'answer' }
      this.#memory = event.memory
      const time = this.#now()
      if (events) printJson(stdout, { ...event, time: time.toISOString() })
      else if (json) printJson(stdout, renewedFields(this.#last, before, time))
      else this.#tell(this.#last, before, time)
      return
    }
    if (event.type === 'memory-end') this.#memory = event.memory
    if (events) printJson(stdout, event)
    if (quiet) return
    if (event.type === 'wait') stderr.write(`${printable(waitText(event))}\n`)
    else if (event.type === 'warning')
      stderr.write(`warning: ${printable(event.message)} (step ${event.step + 1})\n`)
  }

  /** The last answer, as the end of the reading; unsure if the memory has changed since. Undefined if there is none. */
  end(): AnswerEvent | undefined {
    const last = this.#last
    if (last === undefined || this.#memory === last.memory) return last
    const step = Math.max(0, last.steps - 1)
    const message = `The answer is that of step ${last.steps}: the memory has changed since.`
    const warning = {
      step,
      code: 'answer-not-renewed',
      message,
      lastStep: step,
      count: 1,
      touchesAnswer: true,
    }
    return {
      ...last,
      answer: { ...last.answer, outcome: 'unsure' },
      warnings: [...last.warnings.filter(({ code }) => code !== warning.code), warning],
    }
  }

  #tell({ answer, memory, steps }: AnswerEvent, before: AnswerEvent | undefined, time: Date): void {
    const { stdout, stderr } = this.#terminal
    const clock = time.toTimeString().slice(0, 8)
    const isSame = before?.answer.text === answer.text && before.answer.outcome === answer.outcome
    if (!isSame) stdout.write(`[${clock}] ${answerSoFar(answer)}\n`)
    if (this.#flags.quiet) return
    if (isSame) stderr.write(`[${clock}] The answer is still the same.\n`)
    stderr.write(`  Step ${steps} changed the memory:\n`)
    stderr.write(memoryDifference(before?.memory ?? '', memory, { colors: noColors, isWhole: false }))
  }
}

const answerSoFar = ({ text, outcome }: AnswerEvent['answer']): string => {
  if (text === '') return 'No answer so far.'
  return outcome === 'unsure' ? `${printable(text)} (unsure)` : printable(text)
}

/** A JSON line. */
const renewedFields = (
  { answer, memory, steps, usage, warnings, provenance }: AnswerEvent,
  before: AnswerEvent | undefined,
  time: Date,
) => ({
  type: 'renewed-answer',
  time: time.toISOString(),
  answer: answer.text,
  outcome: answer.outcome,
  previous: before?.answer.text,
  memory,
  warnings,
  steps,
  usage,
  ...(provenance && provenanceFields(provenance)),
})
