import { expect, it } from 'vitest'
import { textWith } from '../testing/docx-of.ts'

const cache = (values: readonly (string | number)[], format = '') =>
  `<c:formatCode>${format}</c:formatCode>${values.map((value, i) => `<c:pt idx="${i}"><c:v>${value}</c:v></c:pt>`).join('')}`
const labels =
  '<c:dLbls><c:dLbl><c:idx val="0"/><c:tx><c:rich><a:p><a:r><a:t>top</a:t></a:r></a:p></c:rich></c:tx></c:dLbl></c:dLbls>'
const series = (name: string, categories: readonly string[], values: readonly number[], format?: string) =>
  `<c:ser><c:idx val="0"/><c:tx><c:strRef><c:f>B1</c:f><c:strCache>${cache([name])}</c:strCache></c:strRef></c:tx>${labels}${
    categories.length === 0
      ? ''
      : `<c:cat><c:strRef><c:strCache>${cache(categories)}</c:strCache></c:strRef></c:cat>`
  }<c:val><c:numRef><c:numCache>${cache(values, format)}</c:numCache></c:numRef></c:val></c:ser>`
const title = (text: string) =>
  `<c:title><c:tx><c:rich><a:p><a:r><a:t>${text}</a:t></a:r></a:p></c:rich></c:tx></c:title>`

const textOf = (content: string) =>
  textWith('<w:r><w:t>Above.</w:t><w:drawing><c:chart r:id="1"/></w:drawing></w:r>', {
    ...{ type: 'chart', name: 'charts/chart1.xml' },
    content: `<c:chartSpace><c:chart>${content}</c:chart></c:chartSpace>`,
  })

it('a chart is its titles and a table of what it shows, in the format of its numbers', async () => {
  const quarters = ['Q1', 'Q2']
  const plot = series('North Gate', quarters, [10, 0.1 + 0.2]) + series('Share', quarters, [0.12, 0.5], '0%')
  expect(await textOf(`${title('Tolls')}<c:plotArea>${plot}${title('Quarter')}</c:plotArea>`)).toBe(
    '[chart]\nTolls\nQuarter\n\tNorth Gate\tShare\nQ1\t10\t12%\nQ2\t0.3\t50%\nAbove.\n',
  )
})

it('series with categories of their own, or none, are tables of their own', async () => {
  expect(await textOf(series('a', ['x'], [1]) + series('b', ['y'], [2]))).toBe(
    '[chart]\n\ta\nx\t1\n\tb\ny\t2\nAbove.\n',
  )
  expect(await textOf(series('a', [], [1, 2]))).toBe('[chart]\n\ta\n\t1\n\t2\nAbove.\n')
})

it('categories of several levels are named by all of them', async () => {
  const level = (...points: string[]) => `<c:lvl>${points.join('')}</c:lvl>`
  const point = (i: number, text: string) => `<c:pt idx="${i}"><c:v>${text}</c:v></c:pt>`
  const categories = level(point(0, 'Q1'), point(1, 'Q2')) + level(point(0, '2023'))
  const ser = `<c:ser><c:cat><c:multiLvlStrCache>${categories}</c:multiLvlStrCache></c:cat><c:val><c:numCache>${cache([5, 6])}</c:numCache></c:val></c:ser>`
  expect(await textOf(ser)).toBe('[chart]\n2023 Q1\t5\n2023 Q2\t6\nAbove.\n')
})
