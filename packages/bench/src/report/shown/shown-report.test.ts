import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeRecord } from '../../testing/made-records.ts'
import { evaluation, stepEnd, writeLines } from '../../testing/made-results.ts'
import { recordedKind, type ShownReport, shownReport } from './shown-report.ts'

const folder = temporaryFolder(beforeEach, afterEach)

async function shown(lines: readonly object[]): Promise<ShownReport> {
  const path = folder.join('lines.jsonl')
  await writeLines(path, lines)
  return shownReport(path)
}

const tablesOf = ({ blocks }: ShownReport) => blocks.filter((block) => block.type === 'table')
const plotsOf = ({ blocks }: ShownReport) =>
  blocks.flatMap((block) => (block.type === 'figure' ? block.plots : []))

describe('a recorded benchmark', () => {
  it('is shown as tables and drawn plots, and names its weights, and that no commit is recorded', async () => {
    const settings = { weights: `sha256:${'ab'.repeat(32)}` }
    const report = await shown([0, 1, 2].map((index) => makeRecord({ index, settings })))
    expect(report.kind).toBe('benchmark')
    expect(report.of).toMatch(/, weights sha256:abababababab…; commit not recorded$/)
    expect(tablesOf(report).length).toBeGreaterThan(1)
    for (const { svg } of plotsOf(report)) expect(svg).toMatch(/^<svg [^>]*xmlns=/)
  })

  it('whose record names no weights says so', async () => {
    expect((await shown([makeRecord({ settings: {} })])).of).toContain('weights not recorded')
  })

  it('names the programs that recorded it, also where some lines do not say', async () => {
    const program = `0.1.0, commit ${'cd'.repeat(20)}, with changes`
    const all = [makeRecord({ index: 0, program }), makeRecord({ index: 1, program })]
    expect((await shown(all)).of).toMatch(/; memagent 0\.1\.0, commit cdcdcdcdcdcd…, with changes$/)
    const some = await shown([...all, makeRecord({ index: 2 })])
    expect(some.of).toMatch(/with changes; versions that were not recorded$/)
  })

  it('has what its record says as text in plots, never as markup', async () => {
    const report = await shown([makeRecord({ task: '<script>alert(1)</script>' })])
    const drawn = plotsOf(report).map(({ svg }) => svg)
    expect(drawn.length).toBeGreaterThan(0)
    expect(drawn.join()).not.toContain('<script')
  })
})

describe('the log of a training', () => {
  const check = (right: number) => ({
    'trained/answer': { right, count: 40 },
    'held-out/answer': { right, count: 50 },
  })
  const learning = (run?: string) =>
    Array.from({ length: 300 }, (_, i) => ({
      ...{ type: 'step-end', step: i + 1, run, loss: 3 / (i + 1), rightTokens: i / 300 },
    }))

  it('of examples has curves of at most a hundred points, and its last evaluation with intervals', async () => {
    const report = await shown([
      ...learning(),
      ...[100, 300].map((step) => ({ type: 'evaluation-end', step, results: check(step / 10) })),
    ])
    expect([report.kind, report.of]).toEqual(['training', 'The log names no weights and no commit'])
    expect(plotsOf(report).map(({ title }) => title)).toEqual(['Loss', 'Right tokens', 'Right responses'])
    const [loss] = plotsOf(report)
    expect(/polyline[^>]*points="([^"]*)"/.exec(loss!.svg)![1]!.split(' ')).toHaveLength(100)
    const [table] = tablesOf(report)
    expect(table).toMatchObject({
      caption: 'Right responses at the last evaluation (step 300), with 95 % intervals',
      rows: [
        { cells: ['held-out/answer', { value: '60.0', notes: ['46.2–72.4'] }, '30', '50'] },
        { cells: ['trained/answer', { value: '75.0' }, '30', '40'] },
      ],
    })
  })

  it('joins only evaluations with the settings of the last one', async () => {
    const evaluated = (step: number, identity: string) => ({
      type: 'evaluation-end',
      step,
      identity,
      results: check(20),
    })
    const pointsOf = async (...identities: string[]) => {
      const lines = identities.map((identity, i) => evaluated(100 * (i + 1), identity))
      const plot = plotsOf(await shown([...learning(), ...lines])).at(-1)!
      return /polyline[^>]*points="([^"]*)"/.exec(plot.svg)![1]!.split(' ').length
    }
    expect([await pointsOf('a', 'a', 'a'), await pointsOf('a', 'b', 'b')]).toEqual([3, 2])
  })

  it('says from which weights which program began', async () => {
    const start = (step: number, own: object) => ({ type: 'training-start', step, ...own })
    const startFrom = `weights sha256:${'ab'.repeat(32)}`
    expect((await shown([start(0, { startFrom, program: '0.1.0' }), ...learning()])).of).toBe(
      'From weights sha256:abababababab…; memagent 0.1.0',
    )
    expect((await shown([start(0, {}), ...learning()])).of).toBe(
      'Weights at the start not recorded; commit not recorded',
    )
  })

  it('of several runs has a line for each, and a plot for each part of the evaluations', async () => {
    const checked = (run: string) => ({ type: 'evaluation-end', step: 300, run, results: check(20) })
    const report = await shown([...learning('a'), ...learning('b'), checked('a'), checked('b')])
    expect(plotsOf(report).map(({ title }) => title)).toEqual([
      ...['Loss', 'Right tokens'],
      ...['Right responses, trained', 'Right responses, held-out'],
    ])
    expect(report.blocks[0]).toMatchObject({
      items: ['Last step: a 300, b 300', '2 evaluations during training'],
    })
  })

  it('of rewards has them as a curve, and held-out ones with intervals', async () => {
    const step = (at: number) => ({ ...stepEnd(at), metrics: { ...stepEnd(at).metrics, reward: 0.5 } })
    const report = await shown([step(1), step(2), evaluation(0, [0, 1, 0]), evaluation(2, [1, 1, 1])])
    expect(plotsOf(report).map(({ title }) => title)).toEqual([
      'Reward in training',
      'Held-out reward, 1,024 tokens',
    ])
    expect(tablesOf(report)).toHaveLength(1)
  })

  it('says which curve it does not draw, and why', async () => {
    const report = await shown([1, 2].map((step) => ({ type: 'step-end', step, loss: step - 1.5 })))
    expect(report.blocks[0]).toMatchObject({
      items: ['Last step: 2', 'Loss is not drawn: it goes from -0.5 to 0.5'],
    })
  })

  it('of rewards in another form says what it leaves out', async () => {
    const report = await shown([stepEnd(1), evaluation(1, [2, 2])])
    expect(report.blocks.at(-1)).toMatchObject({
      tone: 'warning',
      text: expect.stringMatching(/not shown.*from 0 to 1/),
    })
    expect(JSON.stringify(report)).not.toContain(folder.path)
  })
})

it('knows what a file is by its first line', async () => {
  for (const [text, kind] of [
    [JSON.stringify(makeRecord({})), 'benchmark'],
    [JSON.stringify({ type: 'step-end', step: 1 }), 'training'],
    [JSON.stringify({ time: 1795288695, type: 'evaluation-end', step: 0, results: [] }), 'training'],
    ['{"type":"begin","id":"3f2a"}', undefined],
    ['not JSON', undefined],
    ['', undefined],
  ] as const) {
    await writeFile(folder.join('one.jsonl'), `${text}\n`)
    expect([text.slice(0, 30), await recordedKind(folder.join('one.jsonl'))]).toEqual([
      text.slice(0, 30),
      kind,
    ])
  }
  await expect(shownReport(folder.join('one.jsonl'))).rejects.toThrow(/neither a record of a benchmark nor/)
})
