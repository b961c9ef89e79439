/** Exchanges recorded with a real server, and comparison of answers by form. */
import { readFileSync } from 'node:fs'

export interface RecordedExchange {
  readonly n: number
  readonly method: string
  readonly path: string
  readonly request: { readonly body: unknown }
  readonly response: { readonly status: number; readonly contentType: string; readonly body: unknown }
}

export function recordedExchanges(): RecordedExchange[] {
  const file = new URL('recorded/skyrl-0.3.0-jax.jsonl', import.meta.url)
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The form of a value: types and keys; for lists, the form of the first member. */
export function formOf(value: unknown): unknown {
  if (value === null) return 'null'
  if (Array.isArray(value)) return value.length === 0 ? [] : [formOf(value[0])]
  if (typeof value !== 'object') return typeof value
  const keys = Object.keys(value).sort()
  return Object.fromEntries(keys.map((key) => [key, formOf((value as Record<string, unknown>)[key])]))
}
