/** `memagent bench report`: from a record to files, and what it says when it cannot. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeRecord } from '../../packages/bench/src/testing/made-records.ts'
import { runCommand } from './run-cli.ts'

const record = (method: string, index: number, strict: number) =>
  makeRecord({
    ...{ method, index, seenInTraining: false },
    question: 'Who keeps <b>the lighthouse</b>?',
    evidence: [{ startByte: 100 * index, endByte: 100 * index + 9 }],
    answer: strict === 1 ? 'Anna Lind' : 'Otto Berg',
    metrics: { strict, lenient: strict },
  })

const folder = temporaryFolder(beforeAll, afterAll)
let path: string
beforeAll(async () => {
  path = folder.join('record.jsonl')
  const lines = [0, 1, 2, 3].flatMap((index) => [
    record('bm25', index, index < 1 ? 1 : 0),
    record('overwrite', index, index < 3 ? 1 : 0),
  ])
  await writeFile(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"version":1,"key":"cut`)
})

describe('bench report', { timeout: 60_000 }, () => {
  it('uses the given names of readers, and writes the pages of a configuration', async () => {
    const named = await runCommand(['bench', 'report', `first=${path}`, `second=${path}`])
    for (const name of ['first, overwrite', 'first, bm25', 'second, overwrite', 'second, bm25']) {
      expect(named.stdout).toMatch(new RegExp(`- Methods: .*\\b${name}\\b`, 'm'))
    }
    const [config, page] = [folder.join('report.yaml'), folder.join('page.md')]
    const section = `{ kind: comparison, records: { first: ${path}, second: ${path} }, show: [accuracy] }`
    await writeFile(config, `pages: [{ file: ${page}, title: Named, sections: [${section}] }]`)
    const { code, stdout } = await runCommand(['bench', 'report', '--config', config])
    expect([code, stdout]).toEqual([0, `${page}\n`])
    expect(await readFile(page, 'utf8')).toMatch(/^# Named\n[\s\S]*\| second, bm25 +\| +4 \| +25\.0/)
  })

  it('requires records or a configuration, and not both', async () => {
    const none = await runCommand(['bench', 'report'])
    expect(none.code).toBe(2)
    expect(none.stderr).toContain('--config FILE')
    const both = await runCommand(['bench', 'report', path, '--config', 'x.yaml'])
    expect(both.code).toBe(2)
    expect(both.stderr).toContain('use it alone')
  })

  it('prints tables without any option, and says that a line was cut short', async () => {
    const { code, stdout, stderr } = await runCommand(['bench', 'report', path])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# Benchmark report\n/)
    // Wilson's interval of 3 in 4, by hand: (0.9802 +- 0.6479) / 1.9604 -> 30.1 to 95.4.
    expect(stdout).toMatch(/overwrite +\| +4 \| 75\.0 \(30\.1–95\.4\)/)
    expect(stdout).toMatch(/bm25 .*−50\.0 .*p 0\.500/)
    expect(stdout).toContain('Unseen in training.')
    expect(stderr).toMatch(/record\.jsonl: lines cut short and left out: 1/)
  })

  it('writes all formats to a folder, and names the files', async () => {
    const output = folder.join('all')
    const { code, stdout } = await runCommand(['bench', 'report', path, '--output', output])
    expect(code).toBe(0)
    const names = ['report.md', 'cells.csv', 'differences.csv', 'positions.csv', 'samples.csv', 'report.html']
    expect(stdout.trim().split('\n')).toEqual(names.map((name) => join(output, name)))
    expect((await readdir(output)).sort()).toEqual([...names, 'plots'].sort())
    const html = await readFile(join(output, 'report.html'), 'utf8')
    expect(html).toContain('Who keeps &lt;b&gt;the lighthouse&lt;/b&gt;?')
  })

  it('writes only what is asked for, and gives every number as JSON', async () => {
    const output = folder.join('some')
    const { code, stdout } = await runCommand([
      'bench',
      'report',
      path,
      '--output',
      output,
      '--format',
      'csv',
      '--reader',
      'bm25',
      '--json',
    ])
    expect(code).toBe(0)
    const { files, reader, cells, differences } = JSON.parse(stdout)
    expect(files).toHaveLength(4)
    expect(reader).toBe('bm25')
    expect(cells[0]).toMatchObject({
      task: 'facts',
      method: 'bm25',
      count: 4,
      metrics: { strict: { value: 0.25 } },
    })
    expect(differences[0]).toMatchObject({
      method: 'overwrite',
      metric: 'strict',
      value: 0.5,
      better: 2,
      worse: 0,
    })
    expect(await readdir(output)).toHaveLength(4)
  })

  it.each([
    [['none.jsonl'], 1, /no such file/],
    [['package.json'], 1, /package\.json, line 1, .*not JSON/],
    [[], 2, /No records were given/],
    [['FILE', '--format', 'pdf', '--output', 'x'], 2, /no format pdf/],
    [['FILE', '--format', 'html'], 2, /--output FOLDER/],
    [['FILE', '--output', 'package.json'], 1, /package\.json is a file[\s\S]*name a folder/],
    [['FILE', '--reader', 'magic'], 2, /"magic"[\s\S]*"overwrite"/],
  ])('says what is wrong with %j', async (args, expected, message) => {
    const { code, stderr, stdout } = await runCommand([
      'bench',
      'report',
      ...args.map((arg) => (arg === 'FILE' ? path : arg)),
    ])
    expect(stderr).toMatch(message)
    expect(code).toBe(expected)
    expect(stdout).toBe('')
  })
})
