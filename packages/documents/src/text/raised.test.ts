/** DOCX, RTF and HTML have their own tests. */
import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { parseOffice } from '../parsers/office.ts'
import { parseOpenDocument } from '../parsers/opendocument.ts'
import type { Parsed } from '../parsers/parser.ts'
import { zipOf } from '../testing/zip-of.ts'

async function textOf(parts: AsyncIterable<Parsed>): Promise<string> {
  let text = ''
  for await (const part of parts) if ('text' in part) text += part.text
  return text
}
const wanted = '10^6 m2 in 1998, H2O.\n'

it('is read as one in OpenDocument, by the position that its style has', async () => {
  const style = (name: string, position: string) =>
    `<style:style style:name="${name}"><style:text-properties style:text-position="${position}"/></style:style>`
  const span = (name: string, text: string) => `<text:span text:style-name="${name}">${text}</text:span>`
  const styles = `${style('T1', 'super 58%')}${style('T2', '33% 58%')}${style('T3', 'sub 58%')}`
  const text = `10${span('T1', span('T4', '6'))} m${span('T2', '2')} in 199${span('T4', '8')}, H${span('T3', '2')}O.`
  const content =
    `<office:document-content><office:automatic-styles>${styles}</office:automatic-styles>` +
    `<office:body><office:text><text:p>${text}</text:p></office:text></office:body></office:document-content>`
  const file = zipOf([{ name: 'content.xml', content }])
  expect(await textOf(parseOpenDocument(file, defaultLimits))).toBe(wanted)
})

it('is read as one in PPTX, by the baseline of its run', async () => {
  const relations = (id: string, type: string, target: string) =>
    `<Relationships><Relationship Id="${id}" Type="x/${type}" Target="${target}"/></Relationships>`
  const run = (text: string, baseline = 0) =>
    `<a:r><a:rPr${baseline === 0 ? '' : ` baseline="${baseline}"`}/><a:t>${text}</a:t></a:r>`
  const runs = [
    run('10'),
    run('6', 30_000),
    run(' m'),
    run('2', 30_000),
    run(' in 1998, H'),
    run('2', -25_000),
  ]
  const file = zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    { name: '_rels/.rels', content: relations('r1', 'officeDocument', 'ppt/presentation.xml') },
    {
      name: 'ppt/presentation.xml',
      content: '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
    },
    { name: 'ppt/_rels/presentation.xml.rels', content: relations('r1', 'slide', 'slides/slide1.xml') },
    {
      name: 'ppt/slides/slide1.xml',
      content: `<p:sld><p:sp><a:p>${runs.join('')}${run('O.')}</a:p></p:sp></p:sld>`,
    },
  ])
  expect(await textOf(parseOffice(file, defaultLimits))).toBe(wanted)
})
