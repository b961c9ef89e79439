/** What the format of a cell shows beside its number: a currency, a unit, or words in its place. */

interface Section {
  readonly before: string
  readonly after: string
  /** Words alone, such as `"yes"`. */
  readonly isWords: boolean
  /** How often the number is divided by a thousand. */
  readonly thousands: number
}

/** For positive numbers, negative ones and zero; the first holds for those that are missing. */
export type Units = readonly Section[]

/** A format may repeat in each of a million cells. */
const longest = 40
const numberSigns = /^(?:general|[0#?]|[.,/](?=[0#?])|e[+-])/i

/** Parses a code such as `[$€-407] #,##0.00`. @returns undefined if it shows nothing else that matters */
export function unitsOf(code: string): Units | undefined {
  const sections: Section[] = []
  for (const one of sectionsOf(code).slice(0, 3)) {
    const section = parsed(one)
    // A condition, a fraction in parts, or a second number: only the number is shown.
    if (!section) return undefined
    sections.push(section)
  }
  return sections.some(tells) ? sections : undefined
}

/** @param text the number as it is shown without units */
export function withUnits(text: string, number: number, units: Units): string {
  const [first, negative = first, zero = first] = units
  const own = number < 0 ? negative : number === 0 ? zero : first
  if (own === undefined || !tells(own)) return text
  if (own.isWords) return own.before.trim()
  const scaled = Number((Math.abs(number) / 1000 ** own.thousands).toPrecision(15))
  // A format of the same words only shows differently that the number is negative, or puts a dash for its zeros.
  const isSame = own === first || wordsOf(own) === wordsOf(first!)
  const hasSign = number < 0 && isSame
  const { before, after } = isSame ? first! : own
  return `${hasSign ? '-' : ''}${before.trimStart()}${scaled}${after.trimEnd()}`
}

const wordsOf = ({ before, after }: Section): string => (before + after).replaceAll(/[-()\s]/g, '')
const tells = (section: Section): boolean => /[\p{L}\p{N}\p{Sc}%‰°]/u.test(section.before + section.after)

/** Divided by semicolons that are not text. */
const sectionsOf = (code: string): readonly string[] =>
  code.match(/(?:"[^"]*"|\\.|[_*].|\[[^\]]*\]|[^;])+|(?<=;|^)(?=;|$)/gs) ?? []

function parsed(section: string): Section | undefined {
  let [before, after, number, thousands] = ['', '', '', 0]
  let isBehind = false
  for (let at = 0; at < section.length; ) {
    const rest = section.slice(at)
    const [sign] = numberSigns.exec(rest) ?? []
    if (sign !== undefined) {
      if (isBehind) return undefined
      number += sign
      at += sign.length
      continue
    }
    if (number !== '' && !isBehind && /^,+/.test(rest)) {
      thousands = /^,+/.exec(rest)![0].length
      at += thousands
      continue
    }
    // Stands for the width of a character, or fills the cell.
    const [all, quoted, escaped, currency, bracket] =
      /^(?:"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[([^\]]*)\]|[_*].)/s.exec(rest) ?? []
    if (bracket !== undefined && /[<>=]/.test(bracket)) return undefined
    const shown = all === undefined ? rest[0]! : (quoted ?? escaped ?? currency ?? '')
    if (all === undefined && (shown === '@' || shown === '%')) return undefined
    if (number === '') before += shown
    else {
      after += shown
      isBehind ||= shown.trim() !== ''
    }
    if (before.length + after.length > longest) return undefined
    at += all?.length ?? 1
  }
  return {
    before: before.replaceAll(/[()]/g, ''),
    after: after.replaceAll(/[()]/g, ''),
    isWords: number === '',
    thousands,
  }
}
