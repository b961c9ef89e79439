/** What a server tells its operators: metrics for Prometheus, spans for OpenTelemetry, a line for every request. */
import {
  type ChatModel,
  type ChatResult,
  MemAgentError,
  type QuestionEvent,
  type ReadingEvent,
} from '@memagent/core'
import type { Admission } from '../admission/admission.ts'
import { CallPace } from './call-pace.ts'
import { Metrics } from './metrics.ts'
import { noTracing, type Span, type Tracing } from './tracing.ts'

export interface RequestLine {
  /** HTTP method. */
  readonly method: string
  /** The pattern of the route: a path may contain data. */
  readonly route: string
  /** 499: the client went away before the end. */
  readonly status: number
  /** Until the last byte. */
  readonly ms: number
  /** Name of the key; undefined if none was needed, or it was refused. */
  readonly client?: string | undefined
  /** The run that the request began, or is about. */
  readonly run?: string | undefined
}

export interface OperationsOptions {
  readonly admission: Pick<Admission, 'running' | 'waiting'>
  readonly tracing?: Tracing | undefined
  /** What it throws is a failure of its own, and changes nothing for the request. */
  readonly onRequest?: ((line: RequestLine) => void) | undefined
  readonly onFailure: (error: unknown) => void
}

export class Operations {
  readonly #options: OperationsOptions
  readonly #metrics = new Metrics()
  readonly #paces = new Map<string, CallPace>()
  readonly #requests = this.#metrics.counter('memagent_requests_total', 'Requests that have ended.')
  readonly #requestSeconds = this.#metrics.histogram(
    'memagent_request_duration_seconds',
    'Until the last byte of the reply.',
  )
  readonly #chunks = this.#metrics.counter('memagent_chunks_total', 'Chunks of texts that were read.')
  readonly #calls = this.#metrics.counter('memagent_model_calls_total', 'Calls of models that were answered.')
  readonly #failures = this.#metrics.counter('memagent_model_call_failures_total', 'Calls that failed.')
  readonly #callSeconds = this.#metrics.histogram('memagent_model_call_duration_seconds', 'Answered or not.')
  readonly #tokens = this.#metrics.counter(
    'memagent_tokens_total',
    'Tokens of calls, where the server of the model reports them. Those of type cached are among those of type prompt.',
  )

  constructor(options: OperationsOptions) {
    this.#options = options
    const { admission } = options
    this.#metrics.gauge('memagent_readings_running', 'Readings under way.', () => admission.running)
    this.#metrics.gauge('memagent_readings_waiting', 'Readings in line.', () => admission.waiting)
    this.#metrics.gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss())
    this.#metrics.gauge('process_cpu_seconds_total', 'Processor time.', cpuSeconds, 'counter')
    const startSeconds = Date.now() / 1000 - process.uptime()
    this.#metrics.gauge('process_start_time_seconds', 'Since 1970.', () => startSeconds)
  }

  /** Mean duration of answered calls to this model; undefined before the first one. */
  secondsPerCall(model: string): number | undefined {
    return this.#paces.get(model)?.mean
  }

  /** In Prometheus' text format. */
  metrics(): string {
    return this.#metrics.text()
  }

  get tracing(): Tracing {
    return this.#options.tracing ?? noTracing
  }

  requestEnded(line: RequestLine): void {
    const { method, route, status, ms } = line
    this.#requests({ method, route, status: String(status) })
    this.#requestSeconds({ route }, ms / 1000)
    // It is called by a connection that closes, where nobody handles what is thrown.
    try {
      this.#options.onRequest?.(line)
    } catch (error) {
      this.#options.onFailure(error)
    }
  }

  /** @param span of its reading */
  readingEvent(event: ReadingEvent | QuestionEvent, span: Span): void {
    if (event.type === 'chunk-end') this.#chunks({})
    if (event.type !== 'answer') return
    span.set({ 'memagent.outcome': event.answer.outcome, 'memagent.steps': event.steps })
  }

  /** Traces one reading. @param work its errors are rethrown */
  async reading<Result>(
    { model, workflow }: { readonly model: string; readonly workflow: string },
    work: (span: Span) => Promise<Result>,
  ): Promise<Result> {
    const attributes = { 'gen_ai.request.model': model, 'memagent.workflow': workflow }
    const span = this.tracing.start('read', 'internal', attributes)
    try {
      return await span.within(() => work(span))
    } catch (error) {
      span.fail(codeOf(error))
      throw error
    } finally {
      span.end()
    }
  }

  /** The same model, with its calls counted and traced. @param id that clients use */
  watched(id: string, model: ChatModel): ChatModel {
    const pace = new CallPace()
    this.#paces.set(id, pace)
    const generate: ChatModel['generate'] = async (messages, call) => {
      const span = this.tracing.start(`chat ${id}`, 'client', {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': model.name.replace(/:.*/s, ''),
        'gen_ai.request.model': id,
        'gen_ai.request.max_tokens': call.maxTokens,
        'gen_ai.request.temperature': call.temperature,
        'gen_ai.request.top_p': call.topP,
        'gen_ai.request.seed': call.seed,
      })
      const startMs = performance.now()
      try {
        const result = await span.within(() => model.generate(messages, call))
        this.#answered(id, result, span)
        pace.add((performance.now() - startMs) / 1000)
        return result
      } catch (error) {
        span.fail(codeOf(error))
        // The client has gone away, which is not a failure of the model.
        if (!call.signal?.aborted) this.#failures({ model: id, code: codeOf(error) })
        throw error
      } finally {
        this.#callSeconds({ model: id }, (performance.now() - startMs) / 1000)
        span.end()
      }
    }
    return Object.create(model, { generate: { value: generate } })
  }

  #answered(model: string, { usage, finishReason }: ChatResult, span: Span): void {
    this.#calls({ model })
    const { promptTokens, completionTokens, cachedPromptTokens } = usage ?? {}
    if (promptTokens !== undefined) this.#tokens({ model, type: 'prompt' }, promptTokens)
    if (completionTokens !== undefined) this.#tokens({ model, type: 'completion' }, completionTokens)
    if (cachedPromptTokens !== undefined) this.#tokens({ model, type: 'cached' }, cachedPromptTokens)
    span.set({
      'gen_ai.usage.input_tokens': promptTokens,
      'gen_ai.usage.output_tokens': completionTokens,
      'gen_ai.response.finish_reasons': [finishReason.unified],
    })
  }
}

const codeOf = (error: unknown): string => (MemAgentError.isInstance(error) ? error.code : 'unexpected')

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}
