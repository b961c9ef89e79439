/** OpenTelemetry spans, if its API is installed and a program has registered an SDK; otherwise nothing. */
import type { Span as ApiSpan, Attributes, Context } from '@opentelemetry/api'

type SpanKind = 'server' | 'internal' | 'client'

export interface Span {
  /** Spans that `work` starts belong to this one. */
  within<Result>(work: () => Result): Result
  set(attributes: SpanAttributes): void
  /** @param type the error's code; its message may quote texts */
  fail(type: string): void
  end(): void
}

/** Undefined values are left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

export interface Tracing {
  /** @param headers of a request, which may name the parent span */
  start(name: string, kind: SpanKind, attributes: SpanAttributes, headers?: Headers): Span
}

const noSpan: Span = {
  within: (work) => work(),
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
}

export const noTracing: Tracing = { start: () => noSpan }

/** @param load for tests */
export async function loadTracing(
  load: () => Promise<typeof import('@opentelemetry/api')> = () => import('@opentelemetry/api'),
): Promise<Tracing> {
  const api = await load().catch(() => undefined)
  if (!api) return noTracing
  const { context, propagation, SpanKind, SpanStatusCode, trace } = api
  const tracer = trace.getTracer('memagent')
  const kinds = { server: SpanKind.SERVER, internal: SpanKind.INTERNAL, client: SpanKind.CLIENT }
  const contextOf = (headers: Headers | undefined): Context =>
    headers ? propagation.extract(context.active(), Object.fromEntries(headers)) : context.active()
  return {
    start(name, kind, attributes, headers) {
      const around = contextOf(headers)
      const options = { kind: kinds[kind], attributes: given(attributes) }
      const span: ApiSpan = tracer.startSpan(name, options, around)
      return {
        within: (work) => context.with(trace.setSpan(around, span), work),
        set: (more) => void span.setAttributes(given(more)),
        fail(type) {
          span.setAttribute('error.type', type)
          span.setStatus({ code: SpanStatusCode.ERROR })
        },
        end: () => span.end(),
      }
    },
  }
}

const given = (attributes: SpanAttributes): Attributes =>
  Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined)) as Attributes
