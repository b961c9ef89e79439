/** A command that works for a client in this process, and ends softly, so that its run can be resumed. */
import { Readable } from 'node:stream'
import type { AnswerEvent } from '@memagent/core'
import type { Terminal } from '../terminal.ts'

/** @throws what keeps the command from being run */
export type RunCommand = (args: readonly string[], terminal: Terminal) => Promise<void>

export interface JobProgress {
  readonly chunks: number
  readonly bytes: number
  /** Undefined: it is not known. */
  readonly totalBytes: number | undefined
}

export interface JobEnd {
  /** The answer that it came to. */
  readonly answer?: AnswerEvent | undefined
  /** The document that the command printed, if it did not fail. */
  readonly document?: Readonly<Record<string, unknown>> | undefined
  readonly failure?: JobFailure | undefined
}

export interface JobFailure {
  readonly code: string
  readonly message: string
  readonly hint?: string | undefined
}

type Line = Readonly<Record<string, unknown>> & { readonly type?: string }

export class Job {
  /** Undefined until the reading begins. */
  run: string | undefined
  progress: JobProgress = { chunks: 0, bytes: 0, totalBytes: undefined }
  /** Never fails. */
  readonly ended: Promise<JobEnd>
  readonly #run: RunCommand
  readonly #interruption = new AbortController()
  #answer: AnswerEvent | undefined
  isStopped = false
  #onChange = new Set<() => void>()

  /** @param turn waited for before it starts */
  constructor(args: readonly string[], turn: Promise<void>, run: RunCommand) {
    this.#run = run
    this.ended = turn.then(() => (this.isStopped ? { failure: stopped } : this.#work(args)))
  }

  /** Told of progress. @returns ends it */
  watch(onChange: () => void): () => void {
    this.#onChange.add(onChange)
    return () => this.#onChange.delete(onChange)
  }

  /** As Ctrl-C does. */
  stop(): void {
    this.isStopped = true
    this.#interruption.abort()
  }

  async #work(args: readonly string[]): Promise<JobEnd> {
    let [document, failure]: [JobEnd['document'], JobFailure | undefined] = [undefined, undefined]
    let stderr = ''
    const stdout = linesTo((text) => {
      const line = JSON.parse(text) as Line
      if (line.type === 'failure') failure = line.error as JobFailure
      else if (line.type !== undefined) this.#handle(line)
      else if (line.outcome !== 'failed') document = line
    })
    const terminal: Terminal = {
      stdin: nothing,
      stdout,
      stderr: { write: (text) => (stderr = `${stderr}${text}`.slice(-2000)) },
      environment: process.env,
      interruption: this.#interruption.signal,
    }
    await this.#run(args, terminal).catch((error) => {
      stderr += String(error)
    })
    if (document || failure) return failure ? { failure } : { document, answer: this.#answer }
    return {
      failure: this.isStopped
        ? stopped
        : { code: 'unexpected', message: stderr.trim() || 'It exited without output.' },
    }
  }

  #handle(line: Line): void {
    const { chunks, bytes } = this.progress
    if (line.type === 'reading-start') {
      const { run, sizeBytes, resumedSteps, usage } = line as unknown as ReadingStart
      this.run = run
      this.progress = { chunks: resumedSteps, bytes: usage.bytes, totalBytes: sizeBytes }
    } else if (line.type === 'chunk-end') {
      this.progress = { ...this.progress, chunks: chunks + 1, bytes: bytes + Number(line.bytes) }
    } else if (line.type === 'answer') this.#answer = line as unknown as AnswerEvent
    else return
    for (const tell of this.#onChange) tell()
  }
}

interface ReadingStart {
  readonly run?: string
  readonly sizeBytes?: number
  readonly resumedSteps: number
  readonly usage: { readonly bytes: number }
}

const stopped: JobFailure = {
  code: 'interrupted',
  message: 'It was stopped. Call the same tool with the same arguments again: it goes on where it stopped.',
}

/** Sessions of clients read files alone. */
const nothing: Terminal['stdin'] = Object.assign(Readable.from([]), { isTTY: true })

/** Tells of each line when it is whole. */
function linesTo(onLine: (line: string) => void): Terminal['stdout'] {
  let rest = ''
  return {
    write(text) {
      const lines = `${rest}${text}`.split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line !== '') onLine(line)
    },
  }
}
