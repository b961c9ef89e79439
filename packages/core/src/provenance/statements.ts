/** A memory or an answer as statements: its lines, list items and sentences. */
import { sentencesOf } from './sentences.ts'

export interface Statement {
  /** Verbatim, without its bullet or number. */
  readonly text: string
  /** The heading above it. */
  readonly heading?: string | undefined
}

const marker = /^\s*(?:\[\d+\]\s*|#\d+\s+|#{1,6}\s+|[-*•–]\s+|\(?\d{1,3}[.)]\s+)*/
/** The most statements; the rest of the memory is ignored. */
const mostStatements = 2000

export function statementsOf(memory: string): readonly Statement[] {
  const statements: Statement[] = []
  let heading: string | undefined
  for (const line of memory.split(/\r\n|[\n\r\u0085\u2028\u2029]/)) {
    const bare = line.replace(marker, '').trim()
    if (bare === '') {
      if (line.trim() === '') heading = undefined
      continue
    }
    if (/^[^.!?]{1,60}:$/.test(bare) || /^#{1,6}\s/.test(line)) {
      heading = bare.replace(/:$/, '')
      continue
    }
    for (const { start, end } of sentencesOf(bare)) {
      if (statements.length >= mostStatements) return statements
      const text = bare.slice(start, end)
      if (!/[\p{L}\p{N}]/u.test(text)) continue
      statements.push(heading === undefined ? { text } : { text, heading })
    }
  }
  return statements
}
