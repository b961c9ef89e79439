/**
 * Makes text from documents, memories and questions unable to close a section, open another one or end a turn: the opening
 * character of a prompt marker, or of a chat model's control token, is replaced by a look-alike.
 * The change is visible and small. Nothing is removed, so parts cannot join into a new marker; and every rule treats a look-alike
 * like the original, so neutralizing is idempotent.
 *
 * Characters are compared as the most lenient tokenizers do: ignoring case, compatibility forms (`＜`, `ｓ`), white space and
 * invisible characters. Letters of other alphabets that only look alike are other tokens, and stay.
 */
import { ConfigurationError } from '../../errors.ts'
import { controlTokenFamilies } from './control-tokens.ts'

/** Characters that open a marker, and look-alikes that no Unicode normalization turns back. */
const lookalikes: Readonly<Record<string, string>> = {
  '<': '‹',
  '[': '〔',
  ']': '〕',
  '\\': '∖',
  '|': '¦',
}
const openingSigns = /[<[\]\\|＜﹤［］＼﹨]/g

const whiteSpace = /\s/u
const invisible = /[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
/** Characters that continue a tag's name. */
const inName = /[\p{L}\p{M}\p{N}_.:-]/u
/** Characters after a name in source code: `Map<Memory, T>`, `i<memory;`. Includes look-alikes of brackets. */
const inExpression = /[,;@$&()[\]〔〕+*%?!~^]/u

/** `tag`: only if the name ends there, with or without attributes. `bar`: only without white space on its inner side. */
type MarkerEnd = 'whole' | 'tag' | 'bar'

/** A node with an end is a marker. */
interface TrieNode {
  readonly next: Map<string, TrieNode>
  end?: MarkerEnd
}

/** Cached by their markers: every reading uses the same few. */
const trees = new Map<string, TrieNode>()
const mostTrees = 64

/**
 * @param markers of the prompts in use, opening with `<`, `[`, `]`, `|` or a backslash. `<name>` and `</name>` are caught
 * with attributes too, and when nothing closes them. @throws ConfigurationError for other markers
 */
export function createNeutralizer(markers: readonly string[]): (text: string) => string {
  const key = JSON.stringify(markers)
  const tree = trees.get(key) ?? treeOf(markers)
  if (trees.size < mostTrees) trees.set(key, tree)
  return (text) => {
    let lastClosing: number | undefined
    return text.replace(openingSigns, (sign, at: number) => {
      lastClosing ??= Math.max(...['>', '＞', '﹥'].map((closing) => text.lastIndexOf(closing)))
      return opensMarker(text, at, tree, lastClosing) ? (lookalikes[folded(sign)] as string) : sign
    })
  }
}

function treeOf(markers: readonly string[]): TrieNode {
  const root: TrieNode = { next: new Map() }
  // `<|im_end|>`, `<｜User｜>`, `<turn|>`: models have hundreds of them. `x |> f` is an operator.
  for (const shape of ['<|', '|>']) add(root, shape, 'bar')
  for (const token of controlTokenFamilies.flatMap((family) => family.tokens)) {
    add(root, token, 'whole')
    if (/^[<[]\w/u.test(token)) add(root, `${token[0]}/${token.slice(1)}`, 'whole')
  }
  for (const marker of markers) {
    if (/^<\/?[\p{L}\p{N}_.:-]+>$/u.test(marker)) add(root, marker.slice(0, -1), 'tag')
    else add(root, marker, 'whole')
  }
  return root
}

/** @throws ConfigurationError */
function add(root: TrieNode, marker: string, end: MarkerEnd): void {
  const signs = [...folded(marker)]
  if (signs[0] === undefined || !(signs[0] in lookalikes)) {
    throw new ConfigurationError({
      code: 'workflow/unknown-marker',
      message: `The marker ${JSON.stringify(marker)} cannot be kept out of documents.`,
      hint: `Markers begin with one of ${Object.keys(lookalikes).join(' ')}`,
      details: { marker },
    })
  }
  let node = root
  for (const sign of signs) {
    let next = node.next.get(sign)
    if (next === undefined) {
      next = { next: new Map() }
      node.next.set(sign, next)
    }
    node = next
  }
  node.end = end
}

/**
 * Whether a marker begins at this character. Reads at most as many characters as the longest marker has, and the invisible ones
 * between them once, so a whole text takes linear time.
 */
function opensMarker(text: string, start: number, tree: TrieNode, lastClosing: number): boolean {
  let node = tree
  let [isSpaced, isClosing] = [false, false]
  for (let at = start, count = 0; ; count++) {
    const sign = String.fromCodePoint(text.codePointAt(at) as number)
    for (const part of folded(sign)) {
      const next = node.next.get(part)
      if (next === undefined) return false
      node = next
    }
    if (count === 1) isClosing = node === tree.next.get('<')?.next.get('/')
    at += sign.length
    const gap = gapAt(text, at)
    if (count === 0) isSpaced = gap.hasWhiteSpace
    if (node.end === 'whole') return true
    if (node.end === 'bar' && !isSpaced && !hasSpaceInside(text, start, sign, gap)) return true
    // `if (x < memory)` is an expression, and `< memory >` a tag.
    const canBeTag = !isSpaced || isClosing || start < lastClosing
    if (node.end === 'tag' && canBeTag && endsName(text, gap, isClosing)) return true
    if (gap.end === text.length) return false
    at = gap.end
  }
}

/** Also true at the end of a text: what follows it in the prompt may close the tag. */
function endsName(text: string, { hasWhiteSpace, end }: Gap, isClosing: boolean): boolean {
  if (hasWhiteSpace || end === text.length) return true
  const sign = String.fromCodePoint(text.codePointAt(end) as number)
  return !inName.test(sign) && (isClosing || !inExpression.test(sign))
}

/** White space after `<|` or before `|>`. */
const hasSpaceInside = (text: string, start: number, sign: string, gap: Gap): boolean =>
  folded(sign) === '>' ? whiteSpace.test(text[start - 1] ?? ' ') : gap.hasWhiteSpace

interface Gap {
  readonly end: number
  readonly hasWhiteSpace: boolean
}

/** Skips invisible characters. */
function gapAt(text: string, from: number): Gap {
  let end = from
  let hasWhiteSpace = false
  while (end < text.length) {
    const code = text.charCodeAt(end)
    if (code > 32 && code < 127) break
    const sign = code === 32 ? ' ' : String.fromCodePoint(text.codePointAt(end) as number)
    if (code !== 32 && !invisible.test(sign)) break
    hasWhiteSpace ||= code === 32 || whiteSpace.test(sign)
    end += sign.length
  }
  return { end, hasWhiteSpace }
}

/** As tokenizers with the strongest normalization see it, without invisible characters. */
function folded(text: string): string {
  const code = text.charCodeAt(0)
  if (text.length === 1 && code > 32 && code < 127) return text.toLowerCase()
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
}
