/** Which styles of a DOCX are headings, number their paragraphs, or strike out their text. */
import { attribute, isOn, wholeNumber } from './xml.ts'
import type { ZipPackage } from './zip-package.ts'

/** Two ways to strike text out, each on or off by itself. */
export type Strikes = { [line in 'strike' | 'dstrike']?: boolean }

interface Style extends Strikes {
  basedOn?: string | undefined
  level?: number | undefined
  list?: string | undefined
  listLevel?: number
}

export interface DocxStyles {
  /** From 1; 0 for text. */
  levelOf(style: string | undefined): number | undefined
  /** Whether text is struck out. @param style of its characters @param own what the text itself says, which counts more */
  isStruck(style: string | undefined, own: Strikes): boolean
  listOf(style: string | undefined): { readonly id?: string | undefined; readonly level?: number | undefined }
}

/** The level of a heading, from 1; 0 for text, which may have the style of a heading. Undefined for an invalid value. */
export function outlineLevel(value: string | undefined): number | undefined {
  const level = wholeNumber(value, 10)
  return level < 9 ? level + 1 : level === 9 ? 0 : undefined
}

/** @param part the part with the styles, if there is one */
export async function stylesOf(zip: ZipPackage, part: string | undefined): Promise<DocxStyles> {
  const styles = new Map<string, Style>()
  let style: Style = {}
  for await (const event of zip.xmlIfAny(part)) {
    if (event.kind !== 'open') continue
    const value = attribute(event, 'val')
    if (event.name === 'style') {
      style = {}
      styles.set(attribute(event, 'styleId') ?? '', style)
    } else if (event.name === 'basedOn') style.basedOn = value
    else if (event.name === 'outlineLvl') style.level = outlineLevel(value)
    else if (event.name === 'numId') style.list = value
    else if (event.name === 'ilvl') style.listLevel = wholeNumber(value, 0)
    else if (event.name === 'strike' || event.name === 'dstrike') style[event.name] = isOn(value)
    else if (event.name === 'name') {
      const [, level] = /^heading ([1-9])$/i.exec(value ?? '') ?? []
      if (level) style.level = Number(level)
    }
  }
  /** The first value found in a style or those it is based on. Bounded, since styles may form a cycle. */
  const find = <Found>(name: string | undefined, what: (style: Style) => Found | undefined) => {
    for (let style = styles.get(name ?? ''), steps = 0; style && steps < 20; steps++) {
      const found = what(style)
      if (found !== undefined) return found
      style = styles.get(style.basedOn ?? '')
    }
    return undefined
  }
  return {
    levelOf: (name) => find(name, ({ level }) => level),
    isStruck: (name, own) =>
      (['strike', 'dstrike'] as const).some((line) => own[line] ?? find(name, (style) => style[line])),
    // A style may inherit its list, but set its own level.
    listOf: (name) => ({
      id: find(name, ({ list }) => list),
      level: find(name, ({ listLevel }) => listLevel),
    }),
  }
}
