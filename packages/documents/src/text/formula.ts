/**
 * Formulas in one line: `(a + b)/2`, `10^6`. They come as elements, of MathML or of Office (OMML), and their signs in a row would say
 * something else: 12 for one half.
 */

/** MathML's elements are children in an order; those of OMML have names, but come in the same order. */
const meanings: Readonly<Record<string, (parts: readonly string[], frame: Frame) => string>> = {
  mfrac: fraction,
  f: fraction,
  msup: ([base = '', raised = '']) => withScripts(base, '', raised),
  sSup: ([base = '', raised = '']) => withScripts(base, '', raised),
  msub: ([base = '', lowered = '']) => withScripts(base, lowered, ''),
  sSub: ([base = '', lowered = '']) => withScripts(base, lowered, ''),
  msubsup: ([base = '', lowered = '', raised = '']) => withScripts(base, lowered, raised),
  sSubSup: ([base = '', lowered = '', raised = '']) => withScripts(base, lowered, raised),
  sPre: ([lowered = '', raised = '', base = '']) => `${withScripts('', lowered, raised)}${base}`,
  munder: ([base = '', below = '']) => withScripts(base, below, ''),
  limLow: ([base = '', below = '']) => withScripts(base, below, ''),
  mover: ([base = '', above = '']) => withScripts(base, '', above),
  limUpp: ([base = '', above = '']) => withScripts(base, '', above),
  munderover: ([base = '', below = '', above = '']) => withScripts(base, below, above),
  nary: ([below = '', above = '', base = ''], { sign = '\u222b' }) =>
    `${withScripts(sign, below, above)} ${base}`,
  msqrt: (parts) => `\u221a${grouped(parts.join(' '))}`,
  mroot: ([base = '', degree = '']) => root(degree, base),
  rad: ([degree = '', base = '']) => root(degree, base),
  acc: ([base = ''], { sign = '\u0302' }) => base + sign,
  bar: ([base = '']) => `${base}\u0305`,
  func: (parts) => parts.join(' '),
  d: (parts, { begin = '(', end = ')', separator = '|' }) => begin + parts.join(separator) + end,
  mfenced: (parts, { begin = '(', end = ')' }) => begin + parts.join(', ') + end,
  mr: (parts) => parts.join(', '),
  mtr: (parts) => parts.join(', '),
  m: (parts) => parts.join('; '),
  mtable: (parts) => parts.join('; '),
  eqArr: (parts) => parts.join('; '),
  mphantom: () => '',
  // The formula once more, as its author typed it.
  annotation: () => '',
  'annotation-xml': () => '',
}
const tokens = new Set(['mi', 'mn', 'mo', 'ms', 'mtext', 'mspace'])
/** Deeper elements are read as their signs in a row. */
const deepest = 100
/** In characters. */
const longest = 1 << 16

interface Frame {
  readonly name: string
  readonly parts: string[]
  sign?: string | undefined
  begin?: string | undefined
  end?: string | undefined
  separator?: string | undefined
  /** Of a fraction: it has no line, as in binomial coefficients. */
  isWithoutLine?: boolean
}

export class Formula {
  readonly #isOffice: boolean
  readonly #stack: Frame[] = [{ name: '', parts: [] }]
  #deeper = 0
  #length = 0

  constructor(kind: 'mathml' | 'omml') {
    this.#isOffice = kind === 'omml'
  }

  /** @param attribute gives one by its local name */
  open(name: string, attribute: (name: string) => string | undefined): void {
    if (tokens.has(this.#stack.at(-1)!.name)) this.#pop()
    if (this.#stack.length > deepest) {
      this.#deeper++
      return
    }
    const [begin, end] = [attribute('open'), attribute('close')]
    this.#stack.push({ name, parts: [], begin, end, isWithoutLine: attribute('linethickness') === '0' })
    if (!this.#isOffice) return
    const value = attribute('val')
    // Inside the properties of its element.
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
    // Invisible signs say that two factors are multiplied, and the like.
    const shown = text.replaceAll(/[\u2061-\u2064]/g, '')
    if (this.#isOffice) {
      if (top.name === 't' || this.#deeper > 0) top.parts.push(shown)
    } else if (shown.trim() !== '') top.parts.push(shown.replaceAll(/\s+/g, ' ').trim())
  }

  close(name: string): void {
    if (this.#deeper > 0) this.#deeper--
    else if (this.#stack.slice(1).some((frame) => frame.name === name)) while (this.#pop() !== name);
  }

  /** Longer than any formula: somebody forgot to close it. */
  get isTooLong(): boolean {
    return this.#length > longest
  }

  /** All of it. */
  end(): string {
    while (this.#stack.length > 1) this.#pop()
    return this.#joined(this.#stack[0]!.parts).trim()
  }

  #pop(): string {
    const frame = this.#stack.pop()!
    const { name, parts } = frame
    const meaning = Object.hasOwn(meanings, name) ? meanings[name] : undefined
    // Properties of Office have no text.
    if (!name.endsWith('Pr')) this.#stack.at(-1)!.parts.push(meaning?.(parts, frame) ?? this.#joined(parts))
    return name
  }

  #joined(parts: readonly string[]): string {
    return this.#isOffice ? parts.join('') : parts.filter((part) => part !== '').join(' ')
  }
}

function fraction([above = '', below = '']: readonly string[], { isWithoutLine }: Frame): string {
  return isWithoutLine ? `${above} over ${below}` : `${grouped(above)}/${grouped(below)}`
}

const root = (degree: string, base: string) =>
  degree === '' ? `\u221a${grouped(base)}` : `${grouped(base)}^(1/${grouped(degree)})`

function withScripts(base: string, lowered: string, raised: string): string {
  const below = lowered === '' ? '' : `_${grouped(lowered)}`
  // A prime, a degree and an accent are no power.
  const isMark =
    /^[\u2032\u2033\u2034'*\u00b0\u2218\u00af\u02c6\u02c7\u02d9\u02dc\u00a8\u2192~^\u203e]$/.test(raised)
  const above =
    raised === '' ? '' : isMark ? raised : `^${/^[-+\u2212][\d.,]+$/.test(raised) ? raised : grouped(raised)}`
  const isSum = /[\s+=\u2212-]/.test(base) && !/^[([{|]/.test(base)
  return (isSum ? `(${base})` : base) + below + above
}

/** Several signs are in brackets, but for those of a number. */
const grouped = (text: string) =>
  text === '' || /^(?:[\p{N}.,]+|.|\([^()]*\))$/su.test(text) ? text : `(${text})`
