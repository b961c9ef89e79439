import { describe, expect, it } from 'vitest'
import { run, textWith } from '../testing/docx-of.ts'

describe('numbers of clauses', () => {
  const level = (at: number, pattern: string, more = '') =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/>${more}<w:lvlText w:val="${pattern}"/></w:lvl>`
  const format = (name: string) => `<w:numFmt w:val="${name}"/>`
  const lists = (levels: string, overridden = '') => ({
    type: 'numbering',
    name: 'numbering.xml',
    content: `<w:numbering><w:abstractNum w:abstractNumId="7">${levels}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="7"/>${overridden}</w:num></w:numbering>`,
  })
  const item = (at: number, text: string, marks = '') =>
    `</w:p><w:p><w:pPr><w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="1"/></w:numPr>${marks}</w:pPr>${run(text)}`
  const numbers = async (levels: string, at: readonly number[], overridden?: string) =>
    (await textWith(at.map((one) => item(one, 'x')).join(''), lists(levels, overridden))).split(' x\n')

  it('go on behind a higher level, or start again, as the level says', async () => {
    const kept = (restart: number) =>
      level(0, 'Part %1') + level(1, '%1.%2') + level(2, '%3.', `<w:lvlRestart w:val="${restart}"/>`)
    const at = [0, 2, 1, 2, 0, 2]
    expect(await numbers(kept(0), at)).toEqual(['Part 1', '1.', '1.1', '2.', 'Part 2', '3.', ''])
    expect(await numbers(kept(1), at)).toEqual(['Part 1', '1.', '1.1', '2.', 'Part 2', '1.', ''])
    expect(await numbers(kept(2), at)).toEqual(['Part 1', '1.', '1.1', '1.', 'Part 2', '1.', ''])
  })

  it('are in digits where the level says so, and of the list where it has a level of its own', async () => {
    const legal =
      level(0, 'Article %1.', format('upperRoman')) +
      level(1, 'Section %1.%2', `${format('decimalZero')}<w:isLgl/>`)
    expect(await numbers(legal, [0, 1])).toEqual(['Article I.', 'Section 1.01', ''])
    const own = `<w:lvlOverride w:ilvl="0">${level(0, '(%1)', format('upperLetter'))}</w:lvlOverride>`
    expect(await numbers(legal, [0, 1], own)).toEqual(['(A)', 'Section 1.01', ''])
  })

  it('have their list from one style and their level from another', async () => {
    const styles = {
      type: 'styles',
      name: 'styles.xml',
      content:
        '<w:styles><w:style w:styleId="A"><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>' +
        '<w:style w:styleId="B"><w:basedOn w:val="A"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr></w:style></w:styles>',
    }
    const styled = (style: string, text: string) =>
      `</w:p><w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${run(text)}`
    const body = styled('A', 'Rent') + styled('B', 'Due') + styled('A', 'Term')
    expect(await textWith(body, lists(level(0, '%1.') + level(1, '%1.%2')), styles)).toBe(
      '1. Rent\n1.1 Due\n2. Term\n',
    )
  })

  it('leave out a paragraph that is deleted, and one that goes on in the next has the number of that', async () => {
    const deleted = '<w:rPr><w:del w:id="9"/></w:rPr>'
    const body = [
      item(0, 'Rent.'),
      item(0, '<w:del/>', deleted),
      item(0, 'The fee', deleted),
      run('<w:footnoteReference w:id="1"/>'),
      item(0, ' is 10', deleted),
      item(0, '00 EUR.'),
      item(0, 'End', deleted),
      `</w:p><w:tbl><w:tr><w:tc><w:p>${run('a')}</w:p></w:tc></w:tr></w:tbl><w:p>`,
      `<w:pPr>${deleted}</w:pPr>${run('last')}`,
    ]
    const notes = {
      type: 'footnotes',
      name: 'notes.xml',
      content:
        '<w:footnotes><w:footnote w:id="1"><w:p><w:r><w:t>net</w:t></w:r></w:p></w:footnote></w:footnotes>',
    }
    expect(await textWith(body.join(''), lists(level(0, '%1.')), notes)).toBe(
      '1. Rent.\n2. The fee[1] is 1000 EUR.\n[1] net\nEnd\na\nlast\n',
    )
  })
})
