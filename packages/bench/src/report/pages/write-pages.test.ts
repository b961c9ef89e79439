import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evaluation, reading, scored, writeLines } from '../../testing/made-results.ts'
import { parseReportConfig } from './report-config.ts'
import { collectOnce, writeBlocks, writeReports } from './write-pages.ts'

const folder = temporaryFolder(beforeEach, afterEach)

/** Paths in the configuration are relative to the folder. */
const write = (yaml: string) =>
  writeReports(parseReportConfig(yaml.replaceAll('HERE', folder.path), 'report.yaml'))

it('records are read once for sections in a row that name the same, and anew for others', async () => {
  const path = folder.join('reader.jsonl')
  await writeLines(path, [reading(0, 1000, true)])
  const collect = collectOnce()
  const first = await collect([path])
  await writeLines(path, [reading(0, 1000, true), reading(1, 1000, true)])
  expect(await collect([path])).toBe(first)
  const named = await collect({ warm: path })
  expect(named.observations.map(({ reader }) => reader)).toEqual(['warm', 'warm'])
  expect((await collect([path])).observations).toHaveLength(2)
})

describe('pages', () => {
  beforeEach(async () => {
    const [first, last] = scored(3, 1, 4)
    await writeLines(folder.join('rl-1.jsonl'), [evaluation(0, first), evaluation(50, last)])
    await writeLines(folder.join('cold.jsonl'), [reading(0, 1000, false), reading(1, 1000, true)])
    await writeLines(folder.join('warm.jsonl'), [reading(0, 1000, true), reading(1, 1000, true)])
  })

  it('are written whole, with readers by their names, twice the same', async () => {
    const yaml = `
pages:
  - file: HERE/report/README.md
    title: Rewards
    sections:
      - { kind: training, title: Reward, runs: { rl-1: HERE/rl-1.jsonl } }
      - kind: comparison
        title: Memories
        text: On the same questions.
        reader: warm
        records: { cold: HERE/cold.jsonl, warm: HERE/warm.jsonl }
`
    const [file, ...plots] = await write(yaml)
    const page = await readFile(file!, 'utf8')
    expect(page).toMatch(/^# Rewards\n\n## Reward\n/)
    expect(page).toContain('\n\n## Memories\n\nOn the same questions.\n')
    expect(page).toMatch(/\| 1,000 +\| cold +\| +2 \| +\+50\.0 \(/)
    for (const plot of plots) expect(page).toContain(plot.slice(plot.indexOf('plots/')).replaceAll('\\', '/'))
    expect(plots).toHaveLength(3)
    await write(yaml)
    expect(await readFile(file!, 'utf8')).toBe(page)
  })

  it('that people write keep all but what stands between the marks', async () => {
    const path = folder.join('card.md')
    await writeFile(path, '# Title\n\n<!-- numbers -->\nold\n<!-- /numbers -->\n\nEnd.\n')
    await write(`
pages:
  - file: HERE/card.md
    block: numbers
    sections:
      - { kind: comparison, show: [accuracy], records: [HERE/cold.jsonl] }
`)
    const page = await readFile(path, 'utf8')
    expect(page).toMatch(/^# Title\n\n<!-- numbers -->\n\n\*\*Right answers/)
    expect(page).toMatch(/\n<!-- \/numbers -->\n\nEnd\.\n$/)
    expect(page).not.toContain('\nold\n')
  })

  it('say that lines of their records were cut short', async () => {
    await writeFile(
      folder.join('cold.jsonl'),
      `${await readFile(folder.join('cold.jsonl'), 'utf8')}{"version":1,"k`,
    )
    const methods =
      '{ kind: methods, records: [HERE/cold.jsonl], length: 1k, methods: { overwrite: reader } }'
    const comparison = '{ kind: comparison, show: [accuracy], records: [HERE/cold.jsonl] }'
    const [file] = await write(`pages: [{ file: HERE/a.md, sections: [${methods}, ${comparison}] }]`)
    const told = (await readFile(file!, 'utf8')).match(
      /cold\\?\.jsonl has 1 line that was cut short; it is left out\./g,
    )
    expect(told).toHaveLength(2)
  })

  it('compare with the methods that they name alone', async () => {
    const section = (against: string) =>
      `{ kind: comparison, show: [means], against: [${against}], reader: warm, records: { cold: HERE/cold.jsonl, warm: HERE/warm.jsonl } }`
    const page = (against: string) => write(`pages: [{ file: HERE/a.md, sections: [${section(against)}] }]`)
    const [file] = await page('cold')
    expect(await readFile(file!, 'utf8')).toMatch(/\| cold +\|/)
    await expect(page('bm25')).rejects.toThrow(/"bm25" is recorded[\s\S]*/)
  })

  it('that share a folder each have their own plots, however often they are written', async () => {
    const page = (name: string) =>
      `{ file: HERE/${name}.md, block: b, sections: [{ kind: comparison, show: [plots], records: [HERE/${name}.jsonl] }] }`
    const yaml = `pages: [${page('cold')}, ${page('warm')}]`
    // As written before, when both had the plots of the last.
    const old = '<!-- b -->\n![plot](plots/lines-right-answers.svg)\n<!-- /b -->\n'
    for (const name of ['cold', 'warm']) await writeFile(folder.join(`${name}.md`), old)
    const plotsOf = async (name: string) => {
      const text = await readFile(folder.join(`${name}.md`), 'utf8')
      return Array.from(text.matchAll(/\((plots\/lines-right[\w-]*\.svg)\)/g), ([, plot]) => plot!)
    }
    for (const _ of [1, 2]) {
      await write(yaml)
      const [[cold], [warm]] = [await plotsOf('cold'), await plotsOf('warm')]
      expect(warm).not.toBe(cold)
      const [one, other] = await Promise.all([cold, warm].map((plot) => readFile(folder.join(plot!), 'utf8')))
      expect(other).not.toBe(one)
    }
  })

  it('are refused twice in one place', async () => {
    const page = '{ file: HERE/a.md, sections: [{ kind: comparison, records: [HERE/cold.jsonl] }] }'
    await expect(write(`pages: [${page}, ${page}]`)).rejects.toMatchObject({ code: 'bench/same-page' })
  })

  it('stand beside the standard report', async () => {
    await write('reports: [{ records: [HERE/cold.jsonl], folder: HERE/out, formats: [markdown] }]')
    expect(await readFile(folder.join('out/report.md'), 'utf8')).toMatch(/^# Benchmark report/)
  })

  it.each([
    ['a kind that there is not', 'pages: [{ file: a, sections: [{ kind: magic }] }]', /pages\[0\]|kind/],
    [
      'seeds without a partner',
      'pages: [{ file: a, sections: [{ kind: training, runs: { a: b }, changes: [{ name: x, before: [a], after: [a, a] }] }] }]',
      /one run each for every seed/,
    ],
  ])('are refused with %s', (_, yaml, message) => {
    expect(() => parseReportConfig(yaml, 'report.yaml')).toThrow(message)
    expect(() => parseReportConfig(yaml, 'report.yaml')).toThrow('report.yaml')
  })

  it.each(['', 'parameters: 1000,', 'groups: 6,'])('count no cost from a guess (%s)', async (sizes) => {
    const cost = `{ kind: training, runs: { rl-1: HERE/rl-1.jsonl }, ${sizes} show: [cost] }`
    await expect(write(`pages: [{ file: HERE/a.md, sections: [${cost}] }]`)).rejects.toThrow(
      /needs `parameters`.*`groups`/,
    )
  })

  it('name a run that is not there, and records that cannot be read', async () => {
    const changes = '[{ name: x, before: [rl-1], after: [rl-9] }]'
    await expect(
      write(
        `pages: [{ file: HERE/a.md, sections: [{ kind: training, runs: { rl-1: HERE/rl-1.jsonl }, show: [changes], changes: ${changes} }] }]`,
      ),
    ).rejects.toThrow('rl-9')
    await expect(
      write('pages: [{ file: HERE/a.md, sections: [{ kind: comparison, records: [HERE/none.jsonl] }] }]'),
    ).rejects.toThrow('none.jsonl')
  })
})

describe('blocks of a page', () => {
  it('take away the plots that the block no longer shows, and no other file', async () => {
    const page = folder.join('page.md')
    await mkdir(folder.join('plots'))
    for (const name of ['old', 'another-page']) await writeFile(folder.join(`plots/${name}.svg`), '<svg/>')
    await writeFile(folder.join('notes.svg'), '<svg/>')
    const links = ['plots/old.svg', 'plots/../notes.svg', 'plots/gone.svg'].map((link) => `![plot](${link})`)
    await writeFile(page, `<!-- a -->\n${links.join('\n')}\n<!-- /a -->\n![plot](plots/another-page.svg)`)
    await writeBlocks([], page, 'a')
    expect(await readdir(folder.join('plots'))).toEqual(['another-page.svg'])
    expect(await readdir(folder.path)).toContain('notes.svg')
  })

  it('need their marks', async () => {
    const page = folder.join('page.md')
    await writeFile(page, '# Title\n')
    await expect(writeBlocks([], page, 'a')).rejects.toThrow('lacks the marks <!-- a -->')
  })
})
