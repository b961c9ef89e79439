/** Parses server-sent events. */

export interface StreamEvent {
  readonly event: string
  readonly id: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what a test looks into.
  readonly data: any
}

export const eventsOf = (stream: string): StreamEvent[] =>
  stream
    .split('\n\n')
    .filter((part) => part.includes('data: '))
    .map((part) => ({
      event: /^event: (.*)$/m.exec(part)?.[1] ?? 'message',
      id: /^id: (.*)$/m.exec(part)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(part)![1]!),
    }))
