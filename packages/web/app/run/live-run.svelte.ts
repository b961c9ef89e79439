/** A run as it is read: its steps as they come, and the whole page once it has ended. */
import { PackedList } from '../../src/packed-list.ts'
import { type OpenPage, openPage, type PackedPage } from '../../src/packed-page.ts'
import { askJson } from '../api/client.ts'
import { followRun, untilHeard } from '../api/follow.ts'
import type { Run, StepEvent } from '../api/types.ts'
import { GrowingSteps } from './growing-steps.ts'

/** How often changes are shown, however fast they arrive. Milliseconds. */
const pace = 250

export class LiveRun {
  readonly id: string
  /** The question that is shown if there are several, from 1. */
  readonly question: number | undefined
  run = $state.raw<Run | undefined>(undefined)
  page = $state.raw<OpenPage | undefined>(undefined)
  isConnected = $state(true)
  failure = $state.raw<unknown>(undefined)
  #stopping = new AbortController()
  #steps = new GrowingSteps()
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(id: string, question?: number) {
    this.id = id
    this.question = question
  }

  get isGoingOn(): boolean {
    return this.run?.state === 'running' || this.run?.state === 'waiting'
  }

  get path(): string {
    return `api/runs/${encodeURIComponent(this.id)}`
  }

  /** Starts, or starts again after the run was resumed. */
  async start(): Promise<void> {
    this.stop()
    const stopping = new AbortController()
    const { signal } = stopping
    this.#stopping = stopping
    this.failure = undefined
    try {
      this.run = await this.#ask<Run>(this.path, signal)
      if (this.isGoingOn) await this.#follow(signal)
      else await this.#ended(this.run, signal)
    } catch (error) {
      if (!signal.aborted) this.failure = error
    }
  }

  stop(): void {
    this.#stopping.abort(new Error('not shown any more'))
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  async #follow(signal: AbortSignal): Promise<void> {
    this.#steps = new GrowingSteps()
    let ended: Run | undefined
    const follower = {
      onStep: (step: StepEvent) => {
        if (step.question === undefined || step.question === (this.question ?? 1) - 1) this.#steps.add(step)
        this.#showSoon()
      },
      onRun: (run: Run) => {
        this.run = run
        this.#showSoon()
      },
      onEnd: (run: Run) => {
        ended = run
      },
      onConnection: (isConnected: boolean) => {
        this.isConnected = isConnected
      },
    }
    await followRun(this.id, follower, signal)
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (ended) await this.#ended(ended, signal)
  }

  async #ended(run: Run, signal: AbortSignal): Promise<void> {
    const question = this.question ?? (run.questions ? 1 : undefined)
    const query = question === undefined ? '' : `?question=${question}`
    const page = openPage(await this.#ask<PackedPage>(`${this.path}/page${query}`, signal))
    // Why it does not go on may be known to the server alone, such as a file that is gone.
    this.page = { ...page, run: { ...page.run, failure: run.failure } }
    this.run = run
  }

  #ask<Reply>(path: string, signal: AbortSignal): Promise<Reply> {
    const onConnection = (isConnected: boolean) => {
      this.isConnected = isConnected
    }
    return untilHeard(() => askJson<Reply>(path, { signal }), onConnection, signal)
  }

  #showSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      this.#show()
    }, pace)
  }

  #show(): void {
    if (!this.run) return
    const { id, document, model, workflow, state, createdMs, updatedMs, steps, questions } = this.run
    const question = this.run.question ?? questions?.[(this.question ?? 1) - 1]
    this.page = {
      version: 1,
      madeMs: Date.now(),
      run: {
        ...{ id, document, model, workflow, createdMs, updatedMs, steps },
        state: state === 'waiting' ? 'running' : state,
        ...(question !== undefined && { question }),
      },
      files: this.#steps.files,
      warnings: this.#steps.warnings,
      passages: new PackedList(),
      answerSteps: [],
      timeline: this.#steps.timeline,
    }
  }
}
