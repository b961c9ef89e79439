/** Which cells of XLSX are struck out: what they say no longer holds. */
import { attribute, isOn, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

/** The cell styles whose font is struck out. @param part the part with the styles, if any */
export async function struckStyles(zip: ZipPackage, part: string | undefined): Promise<ReadonlySet<number>> {
  const styles = new Set<number>()
  const fonts: boolean[] = []
  let [inside, style] = ['', 0]
  for await (const event of zip.xmlIfAny(part)) {
    if (event.kind === 'text') continue
    if (event.name === 'fonts' || event.name === 'cellXfs') inside = event.kind === 'open' ? event.name : ''
    if (event.kind === 'close') continue
    if (inside === 'fonts' && event.name === 'font') fonts.push(false)
    else if (inside === 'fonts' && event.name === 'strike')
      fonts[fonts.length - 1] = isOn(attribute(event, 'val'))
    else if (inside === 'cellXfs' && event.name === 'xf') {
      if (fonts[wholeNumber(attribute(event, 'fontId'), 0)]) styles.add(style)
      style++
    }
  }
  return styles
}
