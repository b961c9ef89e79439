/** HTML and SVG with escaping by default: a string is text, a `Markup` is markup, and only `element` and `trusted` make one. */

export class Markup {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }
}

export type Child = Markup | string | undefined | readonly Child[]

/** Markup written in this package. Never pass outside text. */
export const trusted = (source: string): Markup => new Markup(source)

const escapeMarkup = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')

const voidElements = new Set(['meta', 'br'])

/** Attributes that are undefined are left out; numbers are rounded to hundredths. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number | undefined>> = {},
  ...children: readonly Child[]
): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const text = typeof value === 'number' ? String(Math.round(value * 100) / 100) : value!
      return ` ${key}="${escapeMarkup(text)}"`
    })
    .join('')
  const open = new Markup(`<${name}${written}>`)
  if (voidElements.has(name)) return open
  return new Markup(`${open.source}${render(children)}</${name}>`)
}

function render(child: Child): string {
  if (child === undefined) return ''
  if (typeof child === 'string') return escapeMarkup(child)
  return child instanceof Markup ? child.source : child.map(render).join('')
}
