/** What the server tells of its work as spans; `load-tracing.ts` passes them to OpenTelemetry. */

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
