/** Registers a tracer and a context manager with OpenTelemetry's API that record spans like an SDK. */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Context,
  type ContextManager,
  context,
  ROOT_CONTEXT,
  type Span,
  type SpanStatus,
  type TracerProvider,
  trace,
} from '@opentelemetry/api'

export interface RecordedSpan {
  readonly id: string
  readonly parent: string | undefined
  readonly name: string
  readonly attributes: Attributes
  status: SpanStatus | undefined
}

/** @returns the ended spans, in that order, and a function that undoes the registration */
export function recordSpans(): { readonly ended: readonly RecordedSpan[]; readonly stop: () => void } {
  const ended: RecordedSpan[] = []
  context.setGlobalContextManager(contextManager())
  trace.setGlobalTracerProvider(tracerProvider((span) => ended.push(span)))
  return {
    ended,
    stop() {
      trace.disable()
      context.disable()
    },
  }
}

function contextManager(): ContextManager {
  const storage = new AsyncLocalStorage<Context>()
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (active, work, self, ...rest) => storage.run(active, () => work.call(self, ...rest)),
    bind: (_, target) => target,
    enable: () => manager,
    disable: () => manager,
  }
  return manager
}

function tracerProvider(onEnd: (span: RecordedSpan) => void): TracerProvider {
  let count = 0
  const startSpan = (name: string, options: { attributes?: Attributes } = {}, around = context.active()) => {
    count += 1
    const parent = trace.getSpanContext(around)?.spanId
    const attributes = { ...options.attributes }
    const span = { id: count.toString(16).padStart(16, '0'), parent, name, attributes, status: undefined }
    return recording(span, onEnd)
  }
  const startActiveSpan = () => {
    throw new Error('Active spans are not recorded.')
  }
  return { getTracer: () => ({ startSpan, startActiveSpan }) }
}

function recording(recorded: RecordedSpan, onEnd: (span: RecordedSpan) => void): Span {
  const set = (more: Attributes) => {
    Object.assign(recorded.attributes, more)
    return span
  }
  const span: Span = {
    spanContext: () => ({ traceId: '1'.padStart(32, '0'), spanId: recorded.id, traceFlags: 1 }),
    setAttribute: (key, value) => set({ [key]: value }),
    setAttributes: set,
    setStatus(status) {
      recorded.status = status
      return span
    },
    // An event or a recorded exception could quote texts: tests look for them among the attributes.
    addEvent: (name, attributes) => set({ [`event ${name}`]: JSON.stringify(attributes ?? {}) }),
    recordException: (exception) => void set({ exception: JSON.stringify(exception) }),
    addLink: () => span,
    addLinks: () => span,
    updateName: () => span,
    isRecording: () => true,
    end: () => onEnd(recorded),
  }
  return span
}
