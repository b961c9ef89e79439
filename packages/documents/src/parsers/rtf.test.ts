import { expect, it } from 'vitest'
import type { Parsed } from './parser.ts'
import { parseRtf } from './rtf.ts'

async function parsed(rtf: string): Promise<readonly Parsed[]> {
  const parts: Parsed[] = []
  for await (const part of parseRtf(Buffer.from(rtf, 'latin1'))) parts.push(part)
  return parts
}
const textOf = async (rtf: string) =>
  (await parsed(rtf)).map((part) => ('text' in part ? part.text : '')).join('')

it('decodes bytes by the font, then by the file, and escapes with what stands for them', async () => {
  const fonts = '{\\fonttbl{\\f0\\fcharset0 Times;}{\\f1\\fcharset204 Times;}{\\f2\\fcharset128 Mincho;}}'
  expect(
    await textOf(`{\\rtf1\\ansi\\ansicpg1252${fonts}caf\\'e9 {\\f1 \\'c7\\'ee\\'ff} {\\f2 \\'93\\'8c}\\par}`),
  ).toBe('café Зоя 東\n')
  const byDefault = `{\\rtf1\\ansi\\ansicpg1252\\deff1${fonts}\\'c7 {\\f0\\'e9\\plain\\'ee}\\par}`
  expect(await textOf(byDefault)).toBe('З éо\n')
  expect(await textOf('{\\rtf1\\uc1 \\u8217?\\u-10179?\\u-8704? {\\uc2\\u233 e!x}\\par}')).toBe('’😀 éx\n')
})

it('takes a sign behind a character in Unicode for its repetition, but no tab', async () => {
  const text = 'Price\\u160\\~1234 and \\u8211\\endash 5678 \\u8226\\tab ?x'
  expect(await textOf(`{\\rtf1\\ansi\\uc1 ${text}\\par}`)).toBe('Price\u00a01234 and –5678 •\tx\n')
})

it('has no entries of an index or a table of contents between its words', async () => {
  expect(
    await textOf('{\\rtf1 The bridge{\\xe {\\v Bridge{\\rxe m}}}{\\tc {\\v Bridges}\\tcl1} opened.\\par}'),
  ).toBe('The bridge opened.\n')
})

it('has no deleted text, fonts, pictures and unknown groups, and the results of fields', async () => {
  const rtf =
    '{\\rtf1{\\info{\\title T}}{\\pict ffd8}{\\*\\unknown x}a{\\deleted gone}{\\field{\\*\\fldinst LINK}{\\fldrslt b}}\\bin3 }}}c\\par}'
  expect(await textOf(rtf)).toBe('abc\n')
  const object = '{\\object\\objemb{\\*\\objclass Word}{\\*\\objdata 0105}{\\result {\\pict ffd8}4711}}'
  expect(await textOf(`{\\rtf1 The key is ${object}.\\par}`)).toBe('The key is 4711.\n')
})

it('puts notes and comments behind their line, rows on a line, and knows headings', async () => {
  const styles = '{\\stylesheet{\\s0 Normal;}{\\s1 heading 1;}}'
  const note = '{\\super\\chftn}{\\*\\footnote\\chftn  See \\par here.}'
  const comment = '{\\*\\atnauthor Z}{\\*\\annotation{\\*\\atnref 1} Why?}'
  const table = '\\pard\\intbl A\\cell B\\par C\\cell\\row'
  expect(
    await parsed(`{\\rtf1${styles}\\s1 The ford\\par\\pard\\s0 Deep${note}${comment}.\\par${table}}`),
  ).toEqual(
    ['The ford\n', 'Deep[1][comment].\n', '[1] See here.\n', '[comment] Why?\n', 'A\tB C\n'].map((text) => ({
      text,
      position: { headings: ['The ford'] },
    })),
  )
})

it('goes on behind a table in a group, and has the cells of a row that nothing ends', async () => {
  expect(await textOf('{\\rtf1 {\\trowd\\intbl A\\cell\\row}The code\\par is 5.\\par}')).toBe(
    'A\nThe code\nis 5.\n',
  )
  expect(await textOf('{\\rtf1 \\trowd\\intbl A\\cell B\\cell The code\\par is 5.\\par}')).toBe(
    'A\tB\nThe code is 5.\n',
  )
})

it('has spaces of every width between words, and of two forms of a text the one in Unicode', async () => {
  const spaces = 'Rooms 10\\emspace 20\\enspace 30\\qmspace 40, end\\column Start'
  expect(await textOf(`{\\rtf1 ${spaces}\\par}`)).toBe('Rooms 10\u200320\u200230\u200540, end\nStart\n')
  expect(await textOf('{\\rtf1 {\\upr{Koln}{\\*\\ud{K\\u246?ln}}} is {\\deleted x}here.\\par}')).toBe(
    'Köln is here.\n',
  )
})

it('does not make a number of a number and its power or note', async () => {
  expect(
    await textOf("{\\rtf1 10{\\super\\u8722 -3} m{\\super 2} in 1998\\super 1\\'32\\nosupersub , 5\\par}"),
  ).toBe('10^\u22123 m2 in 1998^12, 5\n')
})

it('does not make a number of a number and its power in a note, header or footer either', async () => {
  const power = '10{\\super 6} kg'
  expect(
    await textOf(`{\\rtf1 {\\header ${power}\\par}{\\footer ${power}\\par}a{\\footnote  ${power}}\\par}`),
  ).toBe('a[1]\n[1] 10^6 kg\n10^6 kg\n')
})

it('refuses a file that ends inside a group', async () => {
  await expect(parsed('{\\rtf1 half a sen')).rejects.toThrow('it ends in the middle of the text')
})

it('marks what is struck out, in each paragraph and cell', async () => {
  expect(
    await textOf('{\\rtf1 {\\strike 12 \\b days}\\strike \\strike0 15{\\strike  a\\par b} c\\par}'),
  ).toBe('~~12 days~~15~~ a~~\n~~b~~ c\n')
  expect(
    await textOf('{\\rtf1\\trowd\\intbl{\\strike a\\cell b\\cell}\\row\\pard\\striked1 c\\plain d\\par}'),
  ).toBe('~~a~~\t~~b~~\n~~c~~d\n')
})
