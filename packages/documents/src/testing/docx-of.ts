/** Small DOCX files for tests, made of a body and parts beside it, and parsed. */
import { defaultLimits } from '../limits.ts'
import { parseOffice } from '../parsers/office.ts'
import type { Parsed } from '../parsers/parser.ts'
import { zipOf } from './zip-of.ts'

const relation = (id: number, type: string, target: string) =>
  `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`
/** Runs of a paragraph: markup as it is, text in an element of its own. */
export const run = (...content: string[]) =>
  content.map((one) => `<w:r>${one.startsWith('<') ? one : `<w:t>${one}</w:t>`}</w:r>`).join('')

export interface Part {
  readonly type: string
  readonly name: string
  readonly content: string
}

/** What a DOCX with this body gives. @param parts beside the document, with the ids 1 and so on */
export async function parsedOf(body: string, ...parts: readonly Part[]): Promise<readonly Parsed[]> {
  const relations = parts.map(({ type, name }, i) => relation(i + 1, type, name)).join('')
  const file = zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content: `<Relationships>${relation(1, 'officeDocument', 'word/document.xml')}</Relationships>`,
    },
    { name: 'word/_rels/document.xml.rels', content: `<Relationships>${relations}</Relationships>` },
    { name: 'word/document.xml', content: `<w:document><w:body><w:p>${body}</w:p></w:body></w:document>` },
    ...parts.map(({ name, content }) => ({ name: `word/${name}`, content })),
  ])
  const parsed: Parsed[] = []
  for await (const part of parseOffice(file, defaultLimits)) parsed.push(part)
  return parsed
}

/** Its text alone. */
export const textWith = async (body: string, ...parts: readonly Part[]) =>
  (await parsedOf(body, ...parts)).map((part) => ('text' in part ? part.text : '')).join('')
