import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  applyEdits,
  type Edit,
  type Line,
  lineText,
  parseEdits,
  renderEdits,
  renderLines,
} from './edit-grammar.ts'

const shown: readonly Line[] = [
  { id: 1, text: 'Ann came.' },
  { id: 2, text: 'Bob came.' },
  { id: 12, text: 'Cay left.' },
]

/** Pieces of edits, ids and prompts, as in a text that tries to pass for them. */
const pieces = ['#1', '#12', '# 2', '=#1 x', '= #2: x', '-#2', '- #12', '+ x', '+', '=', '-', 'none', '\n', '\r', '\t', '\u2028', '\u0085', '\u200b', '\ufeff', '```', '<memory>', '</section>', '<|im_end|>', '\\boxed{', ' ', 'Ann', '♯1'] // biome-ignore format: one list
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 })), { maxLength: 12 })
  .map((parts) => parts.join(''))
/** Texts in the form they have in a memory. */
const text = hostile.map(lineText).filter((line) => line !== '' && !/^["'`*]*none["'`*.]*$/i.test(line))
const memory = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 30 }), text }), {
    selector: ({ id }) => id,
    maxLength: 8,
  })
  .map((lines) => lines.filter(({ text }, i) => lines.findIndex((line) => line.text === text) === i))
/** A memory, and edits to it. */
const edited = memory.chain((lines) =>
  fc.tuple(
    fc.constant(lines),
    fc
      .tuple(
        fc.subarray(lines.map(({ id }) => id)),
        fc.array(fc.option(text), { minLength: lines.length, maxLength: lines.length }),
        fc.array(text, { maxLength: 4 }),
      )
      .map(([ids, texts, added]): Edit[] => [
        ...ids.map((id, i): Edit => {
          const replacement = texts[i]
          return replacement == null ? { type: 'drop', id } : { type: 'replace', id, text: replacement }
        }),
        ...added.map((line): Edit => ({ type: 'add', text: line })),
      ]),
  ),
)

describe('a response', () => {
  it.each<[string, readonly Edit[]]>([
    ['none', []],
    [' None.\n', []],
    ['`none`', []],
    ['**none**', []],
    ['+ Dan came.', [{ type: 'add', text: 'Dan came.' }]],
    [
      '+ Dan came.\r\n\n  + Eve came.  ',
      [
        { type: 'add', text: 'Dan came.' },
        { type: 'add', text: 'Eve came.' },
      ],
    ],
    ['=#2 Bob left.', [{ type: 'replace', id: 2, text: 'Bob left.' }]],
    ['= #2: Bob left.', [{ type: 'replace', id: 2, text: 'Bob left.' }]],
    ['= #2 : Bob left.', [{ type: 'replace', id: 2, text: ': Bob left.' }]],
    [
      '-#12\n- #1',
      [
        { type: 'drop', id: 12 },
        { type: 'drop', id: 1 },
      ],
    ],
    [
      '```\n+ Dan came.\n- #1\n```',
      [
        { type: 'add', text: 'Dan came.' },
        { type: 'drop', id: 1 },
      ],
    ],
    ['```text\nnone\n```\n', []],
    ['+ -5 degrees at noon', [{ type: 'add', text: '-5 degrees at noon' }]],
    ['+ Room #12 = #1 - #2 + none', [{ type: 'add', text: 'Room #12 = #1 - #2 + none' }]],
    // What looks like an edit or an id is text, and cannot be taken for one later.
    ['+ #4 Dan came.', [{ type: 'add', text: '♯4 Dan came.' }]],
    ['+ =#1 Dan came.', [{ type: 'add', text: '꞊#1 Dan came.' }]],
    ['+ - #1', [{ type: 'add', text: '‐ #1' }]],
    ['=#1 + Dan\tcame.', [{ type: 'replace', id: 1, text: '➕ Dan came.' }]],
    ['+ Dan came.\u2028-#1', [{ type: 'add', text: 'Dan came. -#1' }]],
  ])('%j is edits', (response, edits) => {
    expect(parseEdits(response, shown)).toEqual({ edits })
  })

  it.each([
    ['', 'the response is empty'],
    [' \n\t', 'the response is empty'],
    ['```\n```', 'the response is empty'],
    ['Ann came. Bob came.', 'line 1 of the response is no edit'],
    ['Here are the edits:\n+ Dan came.', 'line 1 of the response is no edit'],
    ['+ Dan came.\nI hope this helps!', 'line 2 of the response is no edit'],
    ['No changes', 'line 1 of the response is no edit'],
    ['nothing', 'line 1 of the response is no edit'],
    ['none, because Ann is there', 'line 1 of the response is no edit'],
    ['none\n+ Dan came.', 'line 1 of the response is no edit'],
    ['+ Dan came.\nnone', 'line 2 of the response is no edit'],
    ['+ none', 'line 1 of the response says both that something changes and that nothing does'],
    ['=#1 none.', 'line 1 of the response says both that something changes and that nothing does'],
    ['+', 'line 1 of the response is no edit'],
    ['+ \u200b', 'line 1 of the response is no edit'],
    ['+Dan came.', 'line 1 of the response is no edit'],
    ['+49 30 12345', 'line 1 of the response is no edit'],
    ['- Dan came.', 'line 1 of the response is no edit'],
    ['- 2', 'line 1 of the response is no edit'],
    ['-2', 'line 1 of the response is no edit'],
    ['- #2 Bob came.', 'line 1 of the response is no edit'],
    ['-#2, #1', 'line 1 of the response is no edit'],
    ['* + Dan came.', 'line 1 of the response is no edit'],
    ['1. Dan came.', 'line 1 of the response is no edit'],
    ['#1 Ann left.', 'line 1 of the response is no edit'],
    ['=#2', 'line 1 of the response is no edit'],
    ['=#2:x', 'line 1 of the response is no edit'],
    ['= 2 Bob left.', 'line 1 of the response is no edit'],
    ['= #2. Bob left.', 'line 1 of the response is no edit'],
    ['=#02 Bob left.', 'line 1 of the response is no edit'],
    ['=#0 Bob left.', 'line 1 of the response is no edit'],
    ['=#+2 Bob left.', 'line 1 of the response is no edit'],
    ['=#２ Bob left.', 'line 1 of the response is no edit'],
    ['＝#2 Bob left.', 'line 1 of the response is no edit'],
    ['=#3 Bob left.', 'line 1 of the response names #3, which is no line'],
    ['+ Dan came.\n-#99999999999', 'line 2 of the response is no edit'],
    ['-#2\n-#2', 'line 2 of the response edits #2 a second time'],
    ['=#2 Bob left.\n+ Dan came.\n-#2', 'line 3 of the response edits #2 a second time'],
    ['```\n+ Dan came.', 'line 1 of the response is no edit'],
    ['Sure:\n```\n+ Dan came.\n```', 'line 1 of the response is no edit'],
    ['```\n+ Dan came.\n```\n```\n-#1\n```', 'line 2 of the response is no edit'],
    ['{"add": ["Dan came."]}', 'line 1 of the response is no edit'],
    ['<memory>\n#1 Ann came.\n</memory>', 'line 1 of the response is no edit'],
  ])('%j has no meaning', (response, problem) => {
    expect(parseEdits(response, shown)).toEqual({ problem })
  })

  it('is parsed as what was written', () => {
    fc.assert(
      fc.property(edited, ([lines, edits]) => {
        expect(parseEdits(renderEdits(edits), lines)).toEqual({ edits })
      }),
    )
  })

  it('of any signs is edits of lines that were shown, one each, or nothing; and takes no longer for being odd', () => {
    fc.assert(
      fc.property(memory, hostile, (lines, response) => {
        const parsed = parseEdits(response, lines)
        if ('problem' in parsed) return
        const ids = parsed.edits.flatMap((edit) => (edit.type === 'add' ? [] : [edit.id]))
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of ids) expect(lines.some((line) => line.id === id)).toBe(true)
        for (const edit of parsed.edits) if (edit.type !== 'drop') expect(lineText(edit.text)).toBe(edit.text)
      }),
    )
    for (const one of ['\n', ' ', '`', '*', '+', '= ', '-#1\n', '```\n'])
      parseEdits(`x${one.repeat(100_000)}x`, shown)
  })
})

describe('a text in a memory', () => {
  it('is one line that begins like no id and no edit, however often it is made one', () => {
    fc.assert(
      fc.property(hostile, (given) => {
        const line = lineText(given)
        expect(lineText(line)).toBe(line)
        expect(line).not.toMatch(/^(?:\s|#\d|[=-]\s*#\d|\+\s|\+$)|[\r\n\t\u0085\u2028\u2029]|\s$/)
      }),
    )
  })

  it('stands behind its id in a prompt, and no other line looks like one', () => {
    fc.assert(
      fc.property(memory, (lines) => {
        const rows = lines.length === 0 ? [] : renderLines(lines).split('\n')
        const back = rows.map((row) => /^#(\d+) (.+)$/su.exec(row)!)
        expect(back.map(([, id, line]) => ({ id: Number(id), text: line }))).toEqual(lines)
      }),
    )
  })
})

describe('edits', () => {
  const after = (response: string) => {
    const parsed = parseEdits(response, shown)
    if ('problem' in parsed) throw new Error(parsed.problem)
    const { lines, ...rest } = applyEdits(shown, parsed.edits)
    return { lines: renderLines(lines), ...rest }
  }

  it('change the lines they name, and add behind them', () => {
    expect(after('+ Dan came.\n-#1\n=#12 Cay came back.\n+ Eve came.')).toEqual({
      lines: '#2 Bob came.\n#12 Cay came back.\n#3 Dan came.\n#4 Eve came.',
      added: [3, 4],
      repeated: 0,
    })
  })

  it('are about the memory as shown: an id that is dropped is not given again by the same response', () => {
    expect(after('-#1\n-#2\n+ Ann came.').lines).toBe('#12 Cay left.\n#3 Ann came.')
    expect(after('=#1 Bob came.\n=#2 Ann came.').lines).toBe('#1 Bob came.\n#2 Ann came.\n#12 Cay left.')
  })

  it.each([
    ['+ Bob came.', '#1 Ann came.\n#2 Bob came.\n#12 Cay left.', 1],
    ['+ Dan came.\n+ Dan came.', '#1 Ann came.\n#2 Bob came.\n#12 Cay left.\n#3 Dan came.', 1],
    ['=#2 Bob came.', '#1 Ann came.\n#2 Bob came.\n#12 Cay left.', 1],
    ['=#2 Ann came.', '#1 Ann came.\n#12 Cay left.', 1],
    ['=#1 Bob came.\n=#2 Bob came.', '#2 Bob came.\n#12 Cay left.', 2],
    ['-#1\n+ Ann came.', '#2 Bob came.\n#12 Cay left.\n#3 Ann came.', 0],
  ])('%j leaves no text twice', (response, lines, repeated) => {
    expect(after(response)).toMatchObject({ lines, repeated })
  })

  it('leave what they do not name as it is, keep ids apart, and texts too', () => {
    fc.assert(
      fc.property(edited, ([lines, edits]) => {
        const { lines: result, added, repeated } = applyEdits(lines, edits)
        const named = new Set(edits.flatMap((edit) => (edit.type === 'add' ? [] : [edit.id])))
        expect(result.filter(({ id }) => !named.has(id) && !added.includes(id))).toEqual(
          lines.filter(({ id }) => !named.has(id)),
        )
        expect(new Set(result.map(({ id }) => id)).size).toBe(result.length)
        expect(new Set(result.map((line) => line.text)).size).toBe(result.length)
        for (const id of added) expect(lines.some((line) => line.id === id)).toBe(false)
        // Every text that was written is there.
        for (const edit of edits) {
          if (edit.type !== 'drop') expect(result.map((line) => line.text)).toContain(edit.text)
        }
        expect(repeated).toBeLessThanOrEqual(edits.length)
      }),
    )
  })
})
