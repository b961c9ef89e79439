/** What every format promises, on a synthetic benchmark with hostile texts. */
import { beforeAll, describe, expect, it } from 'vitest'
import { hostileText, madeBenchmark } from '../../testing/made-benchmark.ts'
import { analysed, makeRecord } from '../../testing/made-records.ts'
import { type Analysis, analyse } from '../analysis/analyse.ts'
import { observe } from '../observation.ts'
import { writeReport } from '../write-report.ts'
import { csvFiles } from './csv.ts'
import { htmlFiles } from './html.ts'
import { reportJson } from './json.ts'
import { markdownFiles, markdownText } from './markdown.ts'

let analysis: Analysis
let html: string
let markdown: string
let csv: Map<string, string>
let svgs: string[]
beforeAll(() => {
  const records = madeBenchmark({ samples: 6 })
  const hostile = makeRecord({
    task: `task ${hostileText}`,
    method: `method ${hostileText}`,
    model: `model ${hostileText}`,
    answer: hostileText,
    outcome: 'found',
    response: hostileText,
    warnings: [{ code: `code ${hostileText}`, message: hostileText, steps: [1] }],
    references: [`wanted ${hostileText}`],
    metrics: { strict: 0, lenient: 0, [`metric ${hostileText}`]: 0.5 },
    deviations: [`deviation ${hostileText}`],
    settings: { [hostileText]: hostileText },
    taskOptions: { [hostileText]: hostileText },
    error: { code: `code ${hostileText}`, message: hostileText },
    finishedAt: '<script>x',
  })
  analysis = analyse(
    {
      observations: [...records, hostile].map((record) => observe(record, `<script>${hostileText}`)),
      sources: [{ path: hostileText, records: 1, cutLines: 2 }],
    },
    { reader: 'overwrite' },
  )
  html = htmlFiles(analysis)[0]!.text
  const files = markdownFiles(analysis)
  markdown = files[0]!.text
  svgs = files.slice(1).map(({ text }) => text)
  csv = new Map(csvFiles(analysis).map(({ name, text }) => [name, text]))
})

/** Elements in order; throws if they are not properly nested. */
function elementsOf(markup: string): string[] {
  const open: string[] = []
  const names: string[] = []
  for (const [, slash, name] of markup.matchAll(/<(\/?)([a-zA-Z][\w-]*)((?:\s[\w:-]+="[^"<>]*")*)>/g)) {
    if (slash === '/') expect(open.pop()).toBe(name)
    else {
      names.push(name!)
      if (name !== 'meta') open.push(name!)
    }
  }
  expect(open).toEqual([])
  return names
}

describe('the HTML page', () => {
  it('is markup of this package alone: text of documents, answers and names stays text', () => {
    const names = new Set(elementsOf(html.replace('<!doctype html>', '')))
    expect([...names].sort()).toEqual(
      (
        'a body caption circle div figcaption figure g h1 h2 h3 head html li line main meta nav p polygon polyline rect ' +
        'span style svg table tbody td text th thead title tr ul'
      ).split(' '),
    )
    // Every "<" begins an element counted above.
    const elements = html.match(/<\/?[a-zA-Z][\w-]*(?:\s[\w:-]+="[^"<>]*")*>/g)!.length
    expect(html.match(/</g)!.length).toBe(elements + 1)
    expect(html).toContain('&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;')
    expect(html).not.toMatch(/[\u202a-\u202e]/)
  })

  it('needs nothing from outside, and forbids it', () => {
    expect(html.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|url\(|@import|\ssrc=/)
    expect(html.match(/\shref="([^"]*)"/g)!.every((link) => / href="#s\d+"/.test(link))).toBe(true)
    expect(html).toContain('default-src &#39;none&#39;')
    expect(html).not.toMatch(/\son\w+=/)
  })

  it('has the plots: accuracy and cost over length, positions, differences', () => {
    const records = madeBenchmark({ samples: 3 })
    const page = htmlFiles(analysed(records))[0]!.text
    const titles = [...page.matchAll(/<text class="title start"[^>]*>([^<]*)</g)].map(([, title]) => title)
    expect(titles).toEqual([
      'Mean over 4 tasks',
      'facts-in-prose (seen)',
      'niah-multivalue (unseen)',
      'ruler/niah-single-1 (unseen)',
      'two-hop',
      'two-hop, no answer',
      'truncate minus overwrite',
      'bm25 minus overwrite',
      'refine minus overwrite',
      'truncate minus overwrite, no answer',
      'bm25 minus overwrite, no answer',
      'refine minus overwrite, no answer',
      'facts-in-prose',
      'ruler/niah-single-1',
      'two-hop',
      'Tokens',
      'Calls',
      'Seconds',
      'Price',
    ])
    expect(page).not.toContain('NaN')
    expect(html).not.toContain('NaN')
  })

  it('has styles for dark windows, narrow windows and paper', () => {
    for (const rule of ['prefers-color-scheme: dark', 'max-width: 480px', '@media print', 'tabular-nums']) {
      expect(html).toContain(rule)
    }
  })
})

describe('every format', () => {
  it('names each deviation, and does not call such a task by the name of the benchmark', () => {
    for (const text of [html, markdown, csv.get('cells.csv')!]) {
      expect(text).toContain('no essays at hand: licence texts instead')
      expect(text).toContain('own word list')
      expect(text).not.toMatch(/ruler.{0,3}niah-multivalue/i)
      expect(text).toMatch(/ruler\/niah-single-1/)
    }
  })

  it('names the tasks seen in training', () => {
    expect(markdown).toContain('Seen in training.')
    expect(markdown).toContain('Unseen in training.')
    expect(markdown).toContain('Not said whether training saw it.')
  })

  it('counts failed calls, cut lines and the position-less', () => {
    const failed = analysis.observations.filter(({ error }) => error).length
    expect(failed).toBeGreaterThan(1)
    for (const text of [html, markdown]) {
      expect(text).toContain(`Failed calls: ${failed}; each counts as a wrong answer`)
      expect(text).toContain('2 recorded lines were cut short')
      expect(text).toContain('chat/timeout')
    }
  })

  it('is deterministic, byte for byte', () => {
    expect(htmlFiles(analysis)[0]!.text).toBe(html)
    expect(markdownFiles(analysis)[0]!.text).toBe(markdown)
  })
})

describe('Markdown', () => {
  it('has tables with as many fields in each row as in their head, whatever texts hold', () => {
    const tables = markdown.split('\n\n').filter((block) => block.startsWith('| '))
    expect(tables.length).toBeGreaterThan(10)
    for (const table of tables) {
      const fields = table.split('\n').map((line) => line.replace(/\\\|/g, '').split('|').length)
      expect(new Set(fields).size).toBe(1)
    }
  })

  it('contains no HTML, links or headings from texts', () => {
    expect(markdown).not.toMatch(/<[a-z/!]/i)
    expect(markdown).not.toMatch(/(?<!\\)\]\((?!plots\/)/)
    expect(markdown.match(/^# .*/gm)).toEqual(['# Benchmark report'])
  })

  it('has its plots beside it, each a well-formed picture on its own', () => {
    const links = [...markdown.matchAll(/!\[[^\n]*\]\((plots\/[a-z0-9-]+\.svg)\)/g)].map(([, name]) => name)
    expect(links.length).toBe(svgs.length)
    expect(new Set(links).size).toBe(links.length)
    for (const svg of svgs) {
      expect(elementsOf(svg)[0]).toBe('svg')
      expect(svg).toContain('xmlns="http://www.w3.org/2000/svg"')
      expect(svg).not.toContain('NaN')
    }
  })
})

describe('Markdown for a terminal', () => {
  it('has every heading but those under which only plots would stand', () => {
    const text = markdownText(analysis)
    const blocks = text.trim().split('\n\n')
    const level = (block = '# ') => /^#+(?= )/.exec(block)?.[0].length ?? 9
    for (const [i, block] of blocks.entries()) {
      if (level(block) < 9) expect([block, level(blocks[i + 1]) > level(block)]).toEqual([block, true])
    }
    expect(text).not.toContain('Differences to')
    expect(text).toMatch(/^## Accuracy/m)
  })
})

describe('plots of the same title', () => {
  it('are files of their own', () => {
    const records = ['x', 'X', 'x-2', 'x!'].map((task) => makeRecord({ task }))
    const names = markdownFiles(analysed(records)).map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    expect(names).toContain('plots/lines-x-3.svg')
  })
})

/** Fields of a CSV text. */
const parse = (text: string) =>
  text
    .trimEnd()
    .split('\r\n')
    .map((line) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map((m) =>
        (m[1] ?? m[2])!.replaceAll('""', '"'),
      ),
    )

describe('CSV', () => {
  it('has a row for each cell, with interval and n of each metric', () => {
    const [head, ...rows] = parse(csv.get('cells.csv')!)
    expect(rows).toHaveLength(analysis.cells.length)
    expect(rows.every((row) => row.length === head!.length)).toBe(true)
    const field = (row: readonly string[], name: string) => row[head!.indexOf(name)]
    const first = analysis.cells[0]!
    expect(field(rows[0]!, 'n')).toBe(String(first.count))
    expect(Number(field(rows[0]!, 'strict'))).toBe(first.metrics.strict!.value)
    expect(Number(field(rows[0]!, 'strict_low'))).toBe(first.metrics.strict!.low)
    expect(field(rows[0]!, 'strict_interval')).toBe(first.metrics.strict!.interval)
  })

  it('has a row for each sample, in one line whatever it holds, and no formula', () => {
    const [head, ...rows] = parse(csv.get('samples.csv')!)
    expect(rows).toHaveLength(analysis.observations.length)
    expect(rows.every((row) => row.length === head!.length)).toBe(true)
    const texts = rows.flat().filter((text) => Number.isNaN(Number(text)))
    expect(texts.filter((text) => /^[=+\-@\t]/.test(text))).toEqual([])
    const answer = analysed([makeRecord({ answer: '=1+1' })])
    expect(csvFiles(answer).at(-1)!.text).toContain(",'=1+1,")
  })
})

describe('a method that the weights were not trained for', () => {
  it('is marked in every format', () => {
    const untrained = makeRecord({ method: 'edits', workflow: 'edits', trained: false })
    const both = analysed([makeRecord(), untrained])
    const [cells] = csvFiles(both)
    const [head, ...rows] = parse(cells!.text)
    expect(rows.map((row) => ['method', 'trained'].map((name) => row[head!.indexOf(name)]))).toEqual([
      ['overwrite', ''],
      ['edits (not trained)', 'false'],
    ])
    expect(reportJson(both).methods).toMatchObject([
      { name: 'overwrite' },
      { method: 'edits', trained: false },
    ])
    expect(reportJson(both).differences).toEqual([])
    const markdown = markdownFiles(both)
    expect(markdown[0]!.text).toContain('The weights were not trained for edits')
    const plots = markdown.filter(({ name }) => name.endsWith('.svg'))
    expect(plots.some(({ text }) => text.includes('not trained'))).toBe(true)
    expect(plots.some(({ name }) => name.includes('edits-not-trained-minus'))).toBe(false)
  })
})

describe('a report of one sample', () => {
  it('can be written', () => {
    const one = analysed([makeRecord({ trace: [] })])
    expect(htmlFiles(one)[0]!.text).not.toContain('NaN')
    expect(markdownFiles(one)[0]!.text).toContain('1 answer to samples of 1 task')
    expect(csvFiles(one)).toHaveLength(4)
  })

  it('can be written when its only call failed', () => {
    const failed = makeRecord({
      metrics: {},
      error: { code: 'chat/timeout', message: 'late' },
      outcome: 'failed',
      answer: '',
      seconds: 0,
      usage: { calls: 0, promptTokens: 0, completionTokens: 0, modelMs: 0 },
    })
    const one = analysed([failed])
    expect(htmlFiles(one)[0]!.text).not.toContain('NaN')
    expect(markdownFiles(one)[0]!.text).toContain('Failed calls: 1')
  })
})

it('refuses a format that there is none of', async () => {
  await expect(writeReport(analysis, 'none', ['pdf'] as never)).rejects.toThrow(
    'There is no report format pdf',
  )
})
