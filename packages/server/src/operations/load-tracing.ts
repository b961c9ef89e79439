/**
 * Spans of OpenTelemetry, if its API is installed and a program has registered an SDK. Apart from the types of `tracing.ts`,
 * which every program that uses this package compiles, with or without that API.
 */
import type { Span as ApiSpan, Attributes, Context } from '@opentelemetry/api'
import { noTracing, type SpanAttributes, type Tracing } from './tracing.ts'

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
