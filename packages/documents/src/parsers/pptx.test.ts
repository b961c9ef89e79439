import { expect, it } from 'vitest'
import { defaultLimits } from '../limits.ts'
import { zipOf } from '../testing/zip-of.ts'
import { parseOffice } from './office.ts'
import type { Parsed } from './parser.ts'

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="x/${type}" Target="${target}"/>`

it('counts slides that sections name again once, tells of those that are missing, has pictures and charts, and marks what is struck out', async () => {
  const slides = '<p:sldIdLst><p:sldId id="256" r:id="r1"/><p:sldId id="257" r:id="r2"/></p:sldIdLst>'
  const sections =
    '<p14:sectionLst><p14:section><p14:sldIdLst><p14:sldId id="256"/></p14:sldIdLst></p14:section></p14:sectionLst>'
  const file = zipOf([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: '_rels/.rels',
      content: `<Relationships>${relation('r1', 'officeDocument', 'ppt/presentation.xml')}</Relationships>`,
    },
    {
      name: 'ppt/presentation.xml',
      content: `<p:presentation>${slides}<p:extLst><p:ext>${sections}</p:ext></p:extLst></p:presentation>`,
    },
    {
      name: 'ppt/_rels/presentation.xml.rels',
      content: `<Relationships>${relation('r1', 'slide', 'slide1.xml')}</Relationships>`,
    },
    {
      name: 'ppt/_rels/slide1.xml.rels',
      content: `<Relationships>${relation('r2', 'chart', 'charts/chart1.xml')}</Relationships>`,
    },
    {
      name: 'ppt/charts/chart1.xml',
      content: '<c:chartSpace><c:title><a:p><a:r><a:t>By gate</a:t></a:r></a:p></c:title></c:chartSpace>',
    },
    {
      name: 'ppt/slide1.xml',
      content:
        '<p:sld><p:pic><p:nvPicPr><p:cNvPr id="4" name="Picture 3" descr="A map of Velm"/></p:nvPicPr></p:pic><a:p><a:r><a:rPr strike="sngStrike"/><a:t>Tides</a:t></a:r><a:r><a:rPr strike="noStrike"/><a:t> Tolls</a:t></a:r></a:p></p:sld>',
    },
  ])
  const parsed: Parsed[] = []
  for await (const part of parseOffice(file, defaultLimits)) parsed.push(part)
  expect(parsed).toEqual([
    { text: '[picture: A map of Velm]\n', position: { slide: 1 } },
    { text: '~~Tides~~ Tolls\n', position: { slide: 1 } },
    { text: '[chart]\n', position: { slide: 1 } },
    { text: 'By gate\n', position: { slide: 1 } },
    { warning: 'slide 2 is missing' },
  ])
})
