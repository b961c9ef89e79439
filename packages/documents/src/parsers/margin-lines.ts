import type { Parsed } from './parser.ts'

/** Lines of headers and footers, each once and under no heading. */
export async function* marginLines(lines: AsyncIterable<Parsed> | Iterable<Parsed>): AsyncIterable<Parsed> {
  const seen = new Set<string>()
  for await (const line of lines) {
    if (!('text' in line)) yield line
    else if (!seen.has(line.text)) yield { ...line, position: {} }
    if ('text' in line) seen.add(line.text)
  }
}
