/**
 * The grammar of edits: what a model writes to change a memory of numbered lines.
 *
 *   none          nothing changes; alone
 *   + TEXT        adds a line
 *   = #2 TEXT     replaces line 2 with TEXT
 *   - #2          drops line 2
 *
 * One edit a line, each about the memory as it was shown. A response with anything else in it, with two edits of one id or with
 * an id that was not shown has no meaning at all: nothing is guessed. Only what cannot mean anything is ignored: white space
 * around lines and before an id, empty lines, a colon after an id, a code fence round the whole response, and quotes, a full stop
 * or another case of `none`. The sign before an id keeps a list (`- 2 gates`) and a number (`-2`) from being edits.
 *
 * A text is one line, and cannot be taken for an id or an edit: these count only at the beginning of a line, and a text that
 * begins like one gets a look-alike for its first character.
 */

/** A line of a memory. It keeps its id for as long as it lives. */
export type Line = { readonly id: number; readonly text: string }

export type Edit =
  | { readonly type: 'add'; readonly text: string }
  | { readonly type: 'replace'; readonly id: number; readonly text: string }
  | { readonly type: 'drop'; readonly id: number }

/** The edits of a response, or why it has none. */
export type ParsedEdits = { readonly edits: readonly Edit[] } | { readonly problem: string }

const fence = /^```\w*[^\S\n]*\n(.*?)\n?```$/s
const lineEnd = /\r\n|\r|\n/
const add = /^\+\s+(.+)$/su
const replacement = /^=\s*#([1-9]\d{0,8}):?\s+(.+)$/su
const drop = /^-\s*#([1-9]\d{0,8})$/u
export const greatestId = 999_999_999
const nothing = /^["'`*]*none["'`*.]*$/iu
/** The beginning of an id or an edit. */
const beginning = /^(?:#\d|[=-] ?#\d|\+(?: |$))/u
const lookalikes: Readonly<Record<string, string>> = { '#': '♯', '=': '꞊', '-': '‐', '+': '➕' }

/** A text in the form it has in a memory. Idempotent. */
export function lineText(text: string): string {
  const line = text
    .replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/^[ \p{Cf}]+/u, '')
    .trim()
  return beginning.test(line) ? `${lookalikes[line[0]!]}${line.slice(1)}` : line
}

export const renderLines = (lines: readonly Line[]): string =>
  lines.map(({ id, text }) => `#${id} ${text}`).join('\n')

/** The text that `parseEdits` reads as these edits; models are taught to write it. */
export const renderEdits = (edits: readonly Edit[]): string =>
  edits.length === 0 ? 'none' : edits.map(renderEdit).join('\n')

function renderEdit(edit: Edit): string {
  switch (edit.type) {
    case 'add':
      return `+ ${edit.text}`
    case 'replace':
      return `=#${edit.id} ${edit.text}`
    case 'drop':
      return `-#${edit.id}`
  }
}

/** @param shown the lines that the response is about */
export function parseEdits(response: string, shown: readonly Line[]): ParsedEdits {
  const whole = response.trim()
  const rows = (fence.exec(whole)?.[1] ?? whole)
    .split(lineEnd)
    .map((row) => row.trim())
    .filter((row) => row !== '')
  if (rows.length === 0) return { problem: 'the response is empty' }
  if (rows.length === 1 && nothing.test(rows[0]!)) return { edits: [] }
  const left = new Set(shown.map(({ id }) => id))
  const edits: Edit[] = []
  for (const [i, row] of rows.entries()) {
    const edit = parseEdit(row)
    if (typeof edit === 'string') return { problem: `line ${i + 1} of the response ${edit}` }
    if (edit.type !== 'add' && !left.delete(edit.id)) {
      const isKnown = shown.some(({ id }) => id === edit.id)
      const fault = isKnown ? `edits #${edit.id} a second time` : `names #${edit.id}, which is no line`
      return { problem: `line ${i + 1} of the response ${fault}` }
    }
    edits.push(edit)
  }
  return { edits }
}

/** @returns the edit, or what is wrong with the row */
function parseEdit(row: string): Edit | string {
  const dropped = drop.exec(row)
  if (dropped) return { type: 'drop', id: Number(dropped[1]) }
  const replaced = replacement.exec(row)
  const text = lineText(replaced?.[2] ?? add.exec(row)?.[1] ?? '')
  if (text === '') return 'is no edit'
  if (nothing.test(text)) return 'says both that something changes and that nothing does'
  return replaced ? { type: 'replace', id: Number(replaced[1]), text } : { type: 'add', text }
}

export interface EditedLines {
  readonly lines: readonly Line[]
  /** Ids of the new lines, in order. */
  readonly added: readonly number[]
  /** Edits that were ignored because their text was already in the memory. */
  readonly repeated: number
}

/**
 * The memory after these edits. Lines that no edit names stay as they are, and no text occurs twice: a replacement that repeats
 * another line removes its own.
 * @param edits as parsed with these lines
 */
export function applyEdits(lines: readonly Line[], edits: readonly Edit[]): EditedLines {
  const before = new Map(lines.map(({ id, text }) => [id, text]))
  const changing = edits.filter((edit) => edit.type !== 'replace' || edit.text !== before.get(edit.id))
  let repeated = edits.length - changing.length
  const byId = new Map(changing.flatMap((edit) => (edit.type === 'add' ? [] : [[edit.id, edit]])))
  const texts = new Set(lines.filter(({ id }) => !byId.has(id)).map(({ text }) => text))
  const isNew = (text: string) => {
    if (!texts.has(text)) return Boolean(texts.add(text))
    repeated++
    return false
  }
  const after = lines.flatMap((line) => {
    const edit = byId.get(line.id)
    if (edit === undefined) return [line]
    return edit.type === 'replace' && isNew(edit.text) ? [{ id: line.id, text: edit.text }] : []
  })
  // The id of a line dropped just now is not reused at once.
  const ids = new Set(before.keys())
  const added: Line[] = []
  for (const edit of changing) {
    if (edit.type === 'add' && isNew(edit.text)) added.push({ id: freeId(ids), text: edit.text })
  }
  return { lines: [...after, ...added], added: added.map(({ id }) => id), repeated }
}

/** The smallest free id, so that ids stay short over any number of steps. */
function freeId(ids: Set<number>): number {
  let id = 1
  while (ids.has(id)) id++
  ids.add(id)
  return id
}
