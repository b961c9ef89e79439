/** Document lengths as people write them. Decimal, as in published tables: 8k is 8,000 tokens. */
import { ConfigurationError } from '@memagent/core'

const factors: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 }

/** Parses `8k`, `3.5m`, `8192` into tokens. @throws ConfigurationError for anything but a whole number of tokens above 0 */
export function parseLength(length: string | number): number {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)([km]?)$/.exec(String(length).trim().toLowerCase()) ?? []
  const tokens = Number(digits) * factors[unit]!
  // Rounded, so that 1.1m is exactly 1,100,000.
  if (Math.abs(tokens - Math.round(tokens)) < 1e-6 && tokens >= 1) return Math.round(tokens)
  throw new ConfigurationError({
    code: 'bench/length',
    message: `"${length}" is not a valid document length.`,
    hint: 'Write tokens: 8192, or 8k for 8,000, 3.5m for 3,500,000.',
    details: { length },
  })
}

/** The shortest spelling: `8k`, `3.5m`, `8192`. */
export function showLength(tokens: number): string {
  if (tokens >= 1e6 && tokens % 1e4 === 0) return `${tokens / 1e6}m`
  return tokens % 1000 === 0 ? `${tokens / 1000}k` : String(tokens)
}
