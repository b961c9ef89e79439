/** The final answer inside `\boxed{...}`. */

/** The content of the answer's box if the memory does not answer. */
export const notFoundPhrase = 'not in the text'

/**
 * Content of the last complete `\boxed{...}` (or `\fbox{...}`) that is not blank, with balanced braces, trimmed; empty
 * when all are blank, undefined without one. Models mention the box again after the answer: "I put it in \boxed{}."
 */
export function lastBoxed(response: string): string | undefined {
  const boxes = wholeBoxes(response)
  const last = filled(boxes, response)[0]
  return boxes.length === 0 ? undefined : last ? response.slice(last.from, last.end).trim() : ''
}

/**
 * The distinct contents, as plain text and in order, of boxes that are not blank and hold no other box. More than one means a
 * list with a box for each item, a correction, or words about the box beside the answer. The last is that of `lastBoxed`.
 */
export function boxedTexts(response: string): string[] {
  const boxes = filled(wholeBoxes(response), response)
  const innermost = boxes.filter(({ end }, i) => i === 0 || end < boxes[i - 1]!.from)
  const texts = innermost.map(({ from, end }) => withoutLatex(response.slice(from, end)))
  return [...new Map(texts.map((text) => [bare(text), text])).values()].reverse()
}

/** Boxes that are not blank, last first. */
function filled(boxes: readonly Box[], response: string): Box[] {
  const written = writtenUpTo(response)
  return boxes.filter(({ from, end }) => written[end]! > written[from]!).sort((a, b) => b.from - a.from)
}

const style = 'text(?:bf|it|md|normal|rm|sc|sf|sl|tt|up)?|math(?:bf|it|normal|rm|sf|tt)|emph|mbox'

/** Boxes, styles, braces and spaces: no content by themselves. */
const hollow = new RegExp(`\\\\(?:boxed|fbox|${style})\\s*\\{|\\\\[,;: ]|[{}\\s]`, 'g')

/** [characters + 1] How many meaningful characters precede each position. */
function writtenUpTo(response: string): Uint32Array {
  const says = new Uint8Array(response.length).fill(1)
  for (const { 0: sign, index } of response.matchAll(hollow)) says.fill(0, index, index + sign.length)
  const sums = new Uint32Array(response.length + 1)
  for (let i = 0; i < says.length; i++) sums[i + 1] = sums[i]! + says[i]!
  return sums
}

export interface ParsedAnswer {
  /** Empty when not found. */
  readonly text: string
  readonly found: boolean
  /** Where the answer was taken from: a complete box, a box that was never closed, or the whole response. */
  readonly source: 'box' | 'open-box' | 'response'
}

/**
 * The answer in a final response. Without a complete box it is what follows the last opened one, and without any box the
 * whole response. An empty answer, or one with the not-found phrase, means that the text does not answer.
 */
export function parseAnswer(response: string): ParsedAnswer {
  const boxed = lastBoxed(response)
  const open = boxed === undefined ? boxStarts(response).at(-1) : undefined
  const source = boxed !== undefined ? 'box' : open !== undefined ? 'open-box' : 'response'
  const raw = boxed ?? response.slice(open ?? 0).trim()
  const text = source === 'response' ? raw : withoutLatex(raw)
  const found = text !== '' && !saysNotFound(text, source === 'response')
  return { text: found ? text : '', found, source }
}

/** Whether a box opens after the last complete one and is never closed: its content is incomplete. */
export function endsInOpenBox(response: string): boolean {
  const lastStart = boxStarts(response).at(-1)
  return lastStart !== undefined && wholeBoxes(response).every(({ end }) => end < lastStart)
}

/** A longer text says something else, too. */
const longestPhrase = 120

/**
 * A box must hold nothing but the phrase. Free text may be a short sentence with it, unless another sentence may be an answer.
 */
function saysNotFound(text: string, isFreeText: boolean): boolean {
  const plain = bare(withoutLatex(text))
  if (plain.length > longestPhrase) return false
  const words = plain.replace(/[\s~_]+/g, ' ').replace(/^[\p{P}\p{S} ]+|[\p{P}\p{S} ]+$/gu, '')
  return words === notFoundPhrase || (isFreeText && words.includes(notFoundPhrase) && !saysMore(text))
}

/** White space after a mark, unless the mark belongs to an abbreviation or a list number. */
const betweenSentences =
  /(?<=[.!?…])(?<!(?:^|\s)(?:\p{Lu}|\d+|Mrs?|Ms|Dr|Prof|St|No|Nr|Jr|Sr)\.)(?<!\p{Lu}\.\p{Lu}\.)\s+|(?<=[。！？])|\n+/u
/** A number, or a name that does not begin a sentence; any word in a script without capitals. */
const naming = /\S\s.*(?:\d|(?!I\b)\p{Lu})|\d\d|\p{Lo}{4}/u

/** Whether a sentence without the phrase names something. */
const saysMore = (text: string): boolean =>
  text
    .split(betweenSentences)
    .some(
      (sentence) =>
        !bare(sentence).includes(notFoundPhrase) && naming.test(sentence.replace(/[:：]\s*$/, '')),
    )

/** In lower case, without quotes, full stops and space around words. */
const bare = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s"'`*.]+/g, ' ')
    .trim()

/** Depth of nested styles to remove; each level takes a pass over the text. */
const deepestStyle = 16
const styled = new RegExp(`\\\\(?:${style})\\s*\\{([^{}]*)\\}`, 'g')

/** A box invites LaTeX: `\text{Anna Mott}`, `50\%`, `4{,}711`. Converts these forms to plain text, and nothing else. */
function withoutLatex(text: string): string {
  let plain = text
  for (let [depth, inner] = [0, '']; depth < deepestStyle && inner !== plain; depth++) {
    inner = plain
    plain = plain.replace(styled, '$1')
  }
  return plain
    .replace(/\{,\}/g, ',')
    .replace(/\\[,;: ]/g, ' ')
    .replace(/\\([&%$#_])/g, '$1')
    .trim()
}

/** Positions after the opening brace of every box. */
function boxStarts(response: string): number[] {
  return [...response.matchAll(/\\(?:boxed|fbox)\s*\{/g)].map((match) => match.index + match[0].length)
}

interface Box {
  /** After the opening brace. */
  readonly from: number
  /** At the closing brace. */
  readonly end: number
}

/** Found in one pass, in the order in which they close; escaped braces do not count. */
function wholeBoxes(response: string): Box[] {
  const starts = new Set(boxStarts(response))
  const [first = response.length] = starts
  const boxes: Box[] = []
  const open: number[] = []
  for (let i = first - 1; i < response.length; i++) {
    if (response[i] === '\\') i++
    else if (response[i] === '{') open.push(i + 1)
    else if (response[i] === '}') {
      const from = open.pop()
      if (from !== undefined && starts.has(from)) boxes.push({ from, end: i })
    }
  }
  return boxes
}
