/** Removes secrets from messages of servers and of the network, in every form in which they may come back. */

/** Anything shorter is not a secret, and removing it would garble words. */
const leastCharacters = 4
/** Parts of a header's value that are also hidden on their own: the token after `Bearer`, one cookie of several. */
const leastPartCharacters = 8

export interface Secrets {
  readonly key: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Query of the base URL: `?key=...`. */
  readonly query: string
}

export function createRedactor({ key = '', headers, query }: Secrets): (text: string) => string {
  const others = [
    ...Object.values(headers).flatMap((value) => [
      value,
      ...value.split(/[\s;,=]+/).filter((part) => part.length >= leastPartCharacters),
    ]),
    query.slice(1),
    ...new URLSearchParams(query).values(),
    ...query
      .slice(1)
      .split('&')
      .map((pair) => pair.slice(pair.indexOf('=') + 1)),
  ]
  const hide = replacing([
    ...formsOf(key).map((secret) => [secret, '[key]'] as const),
    ...others.flatMap(formsOf).map((secret) => [secret, '[redacted]'] as const),
  ])
  // Servers echo parts of keys, such as sk-ab***yz.
  return (text) => hide(text).replace(/\b(?:sk|key|hf|gsk|xai)[-_][\w*.-]{6,}/g, '[key]')
}

/** As is, escaped as JSON, and encoded as part of a URL. */
function formsOf(secret: string): string[] {
  if (secret.length < leastCharacters) return []
  const encoded = encodeURIComponent(secret)
  return [...new Set([secret, JSON.stringify(secret).slice(1, -1), encoded, encoded.replaceAll('%20', '+')])]
}

function replacing(pairs: readonly (readonly [secret: string, shown: string])[]): (text: string) => string {
  // The longest first, or part of it would remain.
  const sorted = pairs.toSorted(([a], [b]) => b.length - a.length)
  return (text) => sorted.reduce((left, [secret, shown]) => left.replaceAll(secret, () => shown), text)
}

/** The chain of causes as plain errors with redacted messages: libraries put URLs and headers into them. */
export function redactedCause(cause: unknown, redact: (text: string) => string, depth = 0): unknown {
  if (depth > 5 || cause === undefined || cause === null) return undefined
  if (!(cause instanceof Error)) return redact(String(cause))
  const inner = cause.cause ?? (cause instanceof AggregateError ? cause.errors[0] : undefined)
  const copy = new Error(redact(cause.message), { cause: redactedCause(inner, redact, depth + 1) })
  copy.name = cause.name
  copy.stack = redact(cause.stack ?? '')
  const { code } = cause as { code?: unknown }
  return typeof code === 'string' ? Object.assign(copy, { code }) : copy
}
