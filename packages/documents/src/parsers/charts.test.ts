import { expect, it } from 'vitest'
import { parsedOf, textWith } from '../testing/docx-of.ts'

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

const point = (i: number, text: string) => `<c:pt idx="${i}"><c:v>${text}</c:v></c:pt>`

it('categories of several levels are named by all of them, from where each begins', async () => {
  const level = (...points: string[]) => `<c:lvl>${points.join('')}</c:lvl>`
  const categories =
    level(point(0, 'Q1'), point(1, 'Q2'), point(3, 'Q2')) + level(point(0, '2023'), point(2, '2024'))
  const ser = `<c:ser><c:cat><c:multiLvlStrCache>${categories}</c:multiLvlStrCache></c:cat><c:val><c:numCache>${cache([5, 6, 7, 8])}</c:numCache></c:val></c:ser>`
  expect(await textOf(ser)).toBe('[chart]\n2023 Q1\t5\n2023 Q2\t6\n2024\t7\n2024 Q2\t8\nAbove.\n')
})

it('values without a category are kept, in order, and empty ones are no zeros', async () => {
  const categories = `<c:cat><c:strCache>${point(2, 'Q3')}${point(0, 'Q1')}</c:strCache></c:cat>`
  const values = `<c:val><c:numCache>${cache([5, 6, 7, ''])}</c:numCache></c:val>`
  expect(await textOf(`<c:ser>${categories}${values}</c:ser>`)).toBe('[chart]\nQ1\t5\n\t6\nQ3\t7\nAbove.\n')
})

it('the formats of literal numbers hold, too', async () => {
  const literals = `<c:cat><c:numLit>${cache([45000], 'yyyy-mm-dd')}</c:numLit></c:cat><c:val><c:numLit>${cache([0.5], '0%')}</c:numLit></c:val>`
  expect(await textOf(`<c:ser>${literals}</c:ser>`)).toBe('[chart]\n2023-03-15\t50%\nAbove.\n')
})

it('labels are no names of series, and hidden series are not shown', async () => {
  const rich = (text: string) => title(text).replaceAll('c:title', 'c:label')
  const labels = `<c:dLbls><c:dLbl><c:idx val="1"/>${rich('Peak!')}</c:dLbl></c:dLbls><c:trendline>${rich('y = 2x')}</c:trendline>`
  const [shown, hidden] = [series('North', ['Q1'], [10]), series('South', ['Q1'], [20])]
  const units = `<c:dispUnits><c:dispUnitsLbl>${rich('Millions')}</c:dispUnitsLbl></c:dispUnits>`
  const plot = `${shown.replace('<c:cat>', `${labels}<c:cat>`)}${units}<c:extLst>${hidden}</c:extLst>`
  expect(await textOf(plot)).toBe('[chart]\n\tNorth\nQ1\t10\nAbove.\n')
})

it('the paragraphs and lines of a title are words apart', async () => {
  const twoLines = title('Tolls</a:t></a:r></a:p><a:p><a:r><a:t>by</a:t></a:r><a:br/><a:r><a:t>quarter')
  expect(await textOf(twoLines)).toBe('[chart]\nTolls by quarter\nAbove.\n')
})

it('a broken chart does not keep the document from being read, and a missing or newer one adds nothing', async () => {
  const above = '<w:r><w:t>Above.</w:t><w:drawing><c:chart r:id="1"/></w:drawing></w:r>'
  const chart = { type: 'chart', name: 'charts/chart1.xml', content: `<c:chart>${title('Tolls')}<c:ser>` }
  expect(await parsedOf(above, chart)).toEqual([
    { warning: 'a part of it, word/charts/chart1.xml, is not read' },
    { text: 'Above.\n' },
  ])
  expect(await textWith(above)).toBe('Above.\n')
  expect(await textWith(above, { ...chart, type: 'chartEx', content: '<cx:chart/>' })).toBe('Above.\n')
})

it('a table with hardly any value in its cells is one for each series', async () => {
  const at = (i: number) => `<c:val><c:numCache>${point(i, '7')}</c:numCache></c:val>`
  const one = (i: number) => `<c:ser><c:cat><c:strCache>${point(0, 'x')}</c:strCache></c:cat>${at(i)}</c:ser>`
  const text = await textOf(Array.from({ length: 3000 }, (_, i) => one(i + 1)).join(''))
  expect(text.length).toBeLessThan(100_000)
  expect(text.match(/7/g)).toHaveLength(3000)
})
