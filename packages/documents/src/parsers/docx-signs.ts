/** Characters that DOCX writes as elements. */
import { attribute, type XmlEvent } from './xml.ts'

/** Characters of symbol fonts, encoded at U+F000 plus their code: those that the meaning of a sentence may depend on. */
const fonts: Readonly<Record<string, Readonly<Record<number, string>>>> = {
  symbol: codes('44Δ 53Σ 57Ω 61α 62β 64δ 67γ 6dμ 70π 73σ a3≤ a5∞ ae→ b0° b1± b3≥ b4× b7• b8÷ b9≠ bb≈ d6√'),
  wingdings: codes('6f☐ a7▪ a8☐ e0→ fb✗ fc✓ fd☒ fe☑'),
}

function codes(list: string): Readonly<Record<number, string>> {
  return Object.fromEntries(
    list.split(' ').map((one) => [Number.parseInt(one.slice(0, 2), 16), one.slice(2)]),
  )
}

/** Undefined for all other elements, including tab stops. */
export function signOf(event: XmlEvent): string | undefined {
  if (event.kind !== 'open') return undefined
  switch (event.name) {
    case 'tab':
      return attribute(event, 'val') === undefined ? '\t' : undefined
    case 'ptab':
      return '\t'
    case 'br':
    case 'cr':
      return '\n'
    case 'noBreakHyphen':
      return '\u2011'
    case 'sym':
      return symbolOf(attribute(event, 'font'), attribute(event, 'char'))
    default:
      return undefined
  }
}

function symbolOf(font = '', char = ''): string | undefined {
  const code = Number.parseInt(char, 16)
  if (Number.isNaN(code) || code > 0xffff) return undefined
  return fonts[font.toLowerCase()]?.[code & 0xff] ?? String.fromCharCode(code)
}
