/** A command that works for a client: a process of its own, which ends softly, so that its run can be resumed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { AnswerEvent } from '@memagent/core'

/** This program: from its sources, or as it was built. */
const program = fileURLToPath(new URL(`../bin${import.meta.url.slice(-3)}`, import.meta.url))

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
  #child: ChildProcess | undefined
  #answer: AnswerEvent | undefined
  isStopped = false
  #onChange = new Set<() => void>()

  /** @param turn waited for before it starts */
  constructor(args: readonly string[], turn: Promise<void>) {
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
    this.#child?.kill('SIGINT')
  }

  async #work(args: readonly string[]): Promise<JobEnd> {
    const child = spawn(process.execPath, [...process.execArgv, program, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    let [document, failure]: [JobEnd['document'], JobFailure | undefined] = [undefined, undefined]
    let stderr = ''
    child.stderr.on('data', (data) => {
      stderr = `${stderr}${data}`.slice(-2000)
    })
    const exited = new Promise<void>((resolve) => {
      // Without a process there is nothing to read, and the message says why.
      child.once('error', ({ message }) => {
        stderr += message
      })
      child.once('close', () => resolve())
    })
    for await (const text of createInterface({ input: child.stdout })) {
      const line = parsed(text)
      if (line?.type === 'failure') failure = line.error as JobFailure
      else if (line?.type !== undefined) this.#handle(line)
      else if (line && line.outcome !== 'failed') document = line
    }
    await exited
    if (document || failure) return failure ? { failure } : { document, answer: this.#answer }
    return {
      failure: this.isStopped
        ? stopped
        : { code: 'unexpected', message: stderr.trim() || 'It ended without a word.' },
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

function parsed(text: string): Line | undefined {
  try {
    return JSON.parse(text)
  } catch {
    // A module of the user's own printed it.
    return undefined
  }
}
