/** The form of the cases: see `__fixtures__/README.md`. */
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export interface Says {
  readonly class: string
  readonly verdict: 'found' | 'derived' | 'not-found'
  /** Names of passages: `a`, `a+b`, `a/b`, `a|b`; empty if none. */
  readonly at: string
  readonly says: string
  /** First section whose memory has it. @default the section of its last passage */
  readonly from?: number | undefined
  /** First section whose memory no longer has it. @default none */
  readonly until?: number | undefined
}

export interface CaseDocument {
  readonly name: string
  /** With marks, such as `{{name|words}}`. */
  readonly sections: readonly string[]
  readonly says: readonly Says[]
}

type Row = readonly [string, Says['verdict'], string, string, number?]

export type CaseFile =
  | 'cases.yaml'
  | 'more-cases.yaml'
  | 'notes.yaml'
  | 'more-notes.yaml'
  | 'third-notes.yaml'
  | 'fourth-notes.yaml'
  | 'fifth-notes.yaml'
  | 'sixth-notes.yaml'
  | 'held-back.yaml'

export function readCases(file: CaseFile): CaseDocument[] {
  const content = readFileSync(new URL(`../__fixtures__/${file}`, import.meta.url), 'utf8')
  const documents = parse(content) as readonly (Omit<CaseDocument, 'says'> & {
    says: readonly (Says | Row)[]
  })[]
  return documents.map((document) => ({ ...document, says: document.says.map(saysOf) }))
}

function saysOf(row: Says | Row): Says {
  if ('says' in row) return row
  const [kind, verdict, at, says, from] = row
  return { class: kind, verdict, at, says, from }
}

/** A passage of a document's text, in UTF-8 bytes. */
export interface Passage {
  readonly section: number
  readonly startByte: number
  readonly endByte: number
}

export interface Marked {
  /** Without marks. */
  readonly sections: readonly string[]
  readonly passages: ReadonlyMap<string, Passage>
}

/** Removes the marks from the sections. */
export function unmarked({ sections }: CaseDocument): Marked {
  const passages = new Map<string, Passage>()
  const encoder = new TextEncoder()
  let offset = 0
  const plain = sections.map((marked, section) => {
    let text = ''
    let rest = 0
    for (const match of marked.matchAll(/\{\{(\w+)\|([^}]*)\}\}/g)) {
      text += marked.slice(rest, match.index)
      const startByte = offset + encoder.encode(text).length
      text += match[2]!
      passages.set(match[1]!, { section, startByte, endByte: offset + encoder.encode(text).length })
      rest = match.index + match[0].length
    }
    text += marked.slice(rest)
    offset += encoder.encode(text).length
    return text
  })
  return { sections: plain, passages }
}
