/**
 * Formulas on one line: `(a + b)/2`, `10^6`. They come as elements of MathML or Office (OMML); their characters in a row would
 * mean something else: 12 for one half.
 */

type Meaning = (parts: readonly string[], frame: Frame) => string | undefined

/** MathML identifies children by their order; OMML names them, but in the same order. */
const meanings: Readonly<Record<string, Meaning>> = {
  mfrac: taking(2, fraction),
  f: taking(2, fraction),
  msup: taking(2, ([base = '', raised = '']) => withScripts(base, '', raised)),
  sSup: taking(2, ([base = '', raised = '']) => withScripts(base, '', raised)),
  msub: taking(2, ([base = '', lowered = '']) => withScripts(base, lowered, '')),
  sSub: taking(2, ([base = '', lowered = '']) => withScripts(base, lowered, '')),
  msubsup: taking(3, ([base = '', lowered = '', raised = '']) => withScripts(base, lowered, raised)),
  sSubSup: taking(3, ([base = '', lowered = '', raised = '']) => withScripts(base, lowered, raised)),
  sPre: taking(3, ([lowered = '', raised = '', base = '']) => `${withScripts('', lowered, raised)}${base}`),
  munder: taking(2, ([base = '', below = '']) => withScripts(base, below, '')),
  limLow: taking(2, ([base = '', below = '']) => withScripts(base, below, '')),
  mover: taking(2, ([base = '', above = '']) => withScripts(base, '', above)),
  limUpp: taking(2, ([base = '', above = '']) => withScripts(base, '', above)),
  munderover: taking(3, ([base = '', below = '', above = '']) => withScripts(base, below, above)),
  nary: (parts, { sign = '\u222b' }) => {
    const [below = '', above = '', base = ''] = parts
    return parts.length > 3 ? [sign, ...parts].join(' ') : `${withScripts(sign, below, above)} ${base}`
  },
  msqrt: (parts) => `\u221a${grouped(parts.join(' '))}`,
  mroot: taking(2, ([base = '', degree = '']) => root(degree, base)),
  rad: (parts) => (parts.length > 2 ? undefined : root(parts.at(-2) ?? '', parts.at(-1) ?? '')),
  acc: taking(1, ([base = ''], { sign = '\u0302' }) => base + sign),
  bar: taking(1, ([base = '']) => `${base}\u0305`),
  func: (parts) => parts.join(' '),
  d: (parts, { begin = '(', end = ')', separator = '|' }) => begin + parts.join(separator) + end,
  mfenced: (parts, { begin = '(', end = ')' }) => begin + parts.join(', ') + end,
  mr: (parts) => parts.join(', '),
  mtr: (parts) => parts.join(', '),
  m: (parts) => parts.join('; '),
  mtable: (parts) => parts.join('; '),
  eqArr: (parts) => parts.join('; '),
  mphantom: hidden,
  // Repeats the formula as its author typed it.
  annotation: hidden,
  'annotation-xml': hidden,
}
/** OMML elements that keep their place in their parent even if empty. */
const places = new Set('e num den sub sup deg fName lim'.split(' '))
const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext', 'mspace'])
/** Deeper elements are read as a row of characters. */
const deepest = 100
/** In characters. */
const longest = 1 << 16

interface Part {
  readonly text: string
  /** It is more than a row of characters, such as a fraction, or contains something that is. */
  readonly isBuilt: boolean
}

interface Frame {
  readonly name: string
  readonly parts: Part[]
  /** Text so far, which comes in pieces. */
  raw: string
  /** It was never closed, so it may contain what is not its own. */
  isOpen?: boolean
  sign?: string | undefined
  begin?: string | undefined
  end?: string | undefined
  separator?: string | undefined
  /** A fraction without a line, as in binomial coefficients. */
  isWithoutLine?: boolean
}

export class Formula {
  readonly #isOffice: boolean
  readonly #stack: Frame[] = [{ name: '', parts: [], raw: '' }]
  #deeper = 0
  #length = 0

  constructor(kind: 'mathml' | 'omml') {
    this.#isOffice = kind === 'omml'
  }

  /** @param attribute returns an attribute by its local name */
  open(name: string, attribute: (name: string) => string | undefined): void {
    if (tokens.has(this.#stack.at(-1)!.name)) this.#pop()
    this.#endText()
    if (this.#stack.length > deepest) {
      this.#deeper++
      return
    }
    const [begin, end] = [attribute('open'), attribute('close')]
    this.#stack.push({
      name,
      parts: [],
      raw: '',
      begin,
      end,
      isWithoutLine: attribute('linethickness') === '0',
    })
    if (!this.#isOffice) return
    const value = attribute('val')
    // `owner` is the element that these properties belong to.
    const owner = this.#stack.at(-3)
    if (owner === undefined) return
    if (name === 'chr') owner.sign = value
    else if (name === 'begChr') owner.begin = value
    else if (name === 'endChr') owner.end = value
    else if (name === 'sepChr') owner.separator = value
    else if (name === 'type') owner.isWithoutLine = value === 'noBar'
  }

  text(text: string): void {
    const top = this.#stack.at(-1)!
    this.#length += text.length
    // White space between Office elements is not part of the formula.
    if (!this.#isOffice || top.name === 't' || this.#deeper > 0) top.raw += text
  }

  /** A character that is an element, such as a line break. */
  sign(text: string): void {
    this.#stack.at(-1)!.raw += text
  }

  close(name: string): void {
    if (this.#deeper > 0) {
      this.#endText()
      this.#deeper--
    } else if (this.#stack.slice(1).some((frame) => frame.name === name)) {
      while (this.#stack.at(-1)!.name !== name) this.#pop(true)
      this.#pop()
    }
  }

  /** Longer than any formula: it was not closed. */
  get isTooLong(): boolean {
    return this.#length > longest
  }

  /** Ends the formula. @returns its text */
  end(): string {
    while (this.#stack.length > 1) this.#pop(true)
    this.#endText()
    return this.#joined(this.#stack[0]!.parts)
  }

  #endText(): void {
    const top = this.#stack.at(-1)!
    // Invisible operators, as for multiplication.
    const shown = top.raw.replaceAll(/[\u2061-\u2064]/g, '')
    top.raw = ''
    const text = this.#isOffice ? shown : shown.replaceAll(/\s+/g, ' ').trim()
    if (text !== '') top.parts.push({ text, isBuilt: false })
  }

  #pop(isOpen = false): void {
    this.#endText()
    const frame = this.#stack.pop()!
    const { name, parts } = frame
    // Properties of Office have no text.
    if (name.endsWith('Pr')) return
    const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined
    const texts = parts.map((part) => part.text)
    const text = meaning
      ? (meaning(texts, { ...frame, isOpen }) ?? texts.filter((one) => one !== '').join(' '))
      : this.#joined(parts)
    if (text === '' && this.#isOffice && !places.has(name)) return
    const isBuilt = meaning !== undefined || parts.some((part) => part.isBuilt)
    this.#stack.at(-1)!.parts.push({ text, isBuilt })
  }

  #joined(parts: readonly Part[]): string {
    const shown = parts.filter(({ text }) => text !== '')
    if (!this.#isOffice) return shown.map(({ text }) => text).join(' ')
    const spaced = shown.map(({ text, isBuilt }, at) => {
      const before = shown[at - 1]
      return before && (isBuilt || before.isBuilt) && wouldFuse(before.text, text) ? ` ${text}` : text
    })
    return spaced.join('')
  }
}

/** Whether a formula and the text beside it would run together into one number or word. */
export const wouldFuse = (before: string, behind: string): boolean =>
  /[\p{L}\p{N}]$/u.test(before.slice(-2)) && /^[\p{L}\p{N}]/u.test(behind)

/** Parts of another number are kept as they are: which is which is unknown. */
function taking(count: number, meaning: Meaning): Meaning {
  return (parts, frame) => (frame.isOpen || parts.length !== count ? undefined : meaning(parts, frame))
}

function hidden(_: readonly string[], { isOpen }: Frame): string | undefined {
  return isOpen ? undefined : ''
}

function fraction([above = '', below = '']: readonly string[], { isWithoutLine }: Frame): string {
  return isWithoutLine ? `${above} over ${below}` : `${grouped(above)}/${grouped(below)}`
}

const root = (degree: string, base: string) =>
  degree === '' ? `\u221a${grouped(base)}` : `${grouped(base)}^(1/${grouped(degree)})`

function withScripts(base: string, lowered: string, raised: string): string {
  const below = lowered === '' ? '' : `_${grouped(lowered)}`
  // A prime, a degree sign or an accent is not a power.
  const isMark =
    /^[\u2032\u2033\u2034'*\u00b0\u2218\u00af\u02c6\u02c7\u02d9\u02dc\u00a8\u2192~^\u203e]$/.test(raised)
  const above =
    raised === '' ? '' : isMark ? raised : `^${/^[-+\u2212][\d.,]+$/.test(raised) ? raised : grouped(raised)}`
  return (isOne(base) ? base : `(${base})`) + below + above
}

/** A character, a number, a word, perhaps with an index, or one bracketed expression. */
function isOne(base: string): boolean {
  if (/^(?:.?|[\p{L}\p{M}\p{N}.,'\u2032-\u2034]+(?:_[\p{L}\p{N}]+)?)$/su.test(base)) return true
  if (/^\|[^|]*\|$/.test(base)) return true
  let depth = 0
  for (let at = 0; at < base.length; at++) {
    if ('([{'.includes(base[at]!)) depth++
    else if (')]}'.includes(base[at]!)) depth--
    if (depth <= 0) return depth === 0 && at > 0 && at === base.length - 1
  }
  return false
}

/** Puts brackets around several characters, unless they are a number. */
const grouped = (text: string) =>
  text === '' || /^(?:[\p{N}.,]+|.|\([^()]*\))$/su.test(text) ? text : `(${text})`
