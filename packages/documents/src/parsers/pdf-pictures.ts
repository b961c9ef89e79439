/** Descriptions of the pictures of a tagged PDF page. */
import { pictureText } from '../text/picture.ts'

/** An element of the page's structure as the library gives it; a broken file may have anything. */
export interface PdfStructure {
  readonly role?: unknown
  readonly alt?: unknown
  readonly children?: readonly PdfStructure[]
}

/** A line `[picture: ...]` for each that has a description, in the order of the structure. */
export function pictureLines(structure: PdfStructure | null): readonly string[] {
  const lines: string[] = []
  const rest = structure ? [structure] : []
  for (let element = rest.pop(); element; element = rest.pop()) {
    const { role, alt, children = [] } = element
    const line = role === 'Figure' && typeof alt === 'string' ? pictureText(alt) : ''
    if (line !== '') lines.push(line)
    rest.push(...children.toReversed())
  }
  return lines
}
