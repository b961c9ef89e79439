import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { evaluation, scored, stepEnd, writeLines } from '../../testing/made-results.ts'
import type { Block } from '../block.ts'
import { writeMarkdown } from '../formats/markdown.ts'
import { costTables, rewriteTrendTable } from './cost.ts'
import { changesTable, evaluationPlots, evaluationTable } from './evaluations.ts'
import { readTrainingLog, type TrainingLog } from './training-log.ts'

const folder = temporaryFolder(beforeEach, afterEach)

/** Without the padding of columns. */
const text = (blocks: readonly Block[]) => writeMarkdown(blocks).text.replace(/ {2,}/g, ' ')

async function logs(runs: Readonly<Record<string, readonly object[]>>): Promise<Map<string, TrainingLog>> {
  const read = new Map<string, TrainingLog>()
  for (const [name, lines] of Object.entries(runs)) {
    const path = folder.join(`${name}.jsonl`)
    await writeLines(path, lines)
    read.set(name, await readTrainingLog(path))
  }
  return read
}

describe('a training log', () => {
  it('has each step once, the last line of it, in order, without a line that was cut short', async () => {
    const path = folder.join('metrics.jsonl')
    const at = (step: number, entropy: number) => {
      const line = stepEnd(step)
      return JSON.stringify({ ...line, metrics: { ...line.metrics, entropy } })
    }
    await writeFile(path, `${[at(2, 2), at(1, 1), at(2, 3)].join('\n')}\n{"type":"step-end","st`)
    expect((await readTrainingLog(path)).rewarded.map(({ entropy }) => entropy)).toEqual([1, 3])
  })

  it.each([
    [
      'rewards outside of 0 to 1',
      { ...evaluation(50, [0, 1]), results: [{ ...evaluation(50, [0, 1]).results[0], scores: [-1, 1] }] },
      /scores/,
    ],
    [
      'a reward that was no number',
      { ...evaluation(50, [0, 1]), results: [{ ...evaluation(50, [0, 1]).results[0], scores: [null, 1] }] },
      /scores/,
    ],
    [
      'a step without its times',
      { ...stepEnd(50), metrics: { ...stepEnd(50).metrics, seconds: undefined } },
      /seconds/,
    ],
  ])('with %s is refused: what is left out would not be missed', async (_, line, field) => {
    const read = logs({ 'rl-1': [evaluation(0, [0, 1]), line, evaluation(100, [1, 1])] })
    await expect(read).rejects.toThrow(/rl-1\.jsonl: \S+ of step 50/)
    await expect(read).rejects.toThrow(field)
  })

  it('is refused by its name when there is none', async () => {
    await expect(readTrainingLog(folder.join('none.jsonl'))).rejects.toThrow('none.jsonl')
    await writeFile(folder.join('other.jsonl'), '{"version":1}\n')
    await expect(readTrainingLog(folder.join('other.jsonl'))).rejects.toThrow('holds no step')
  })
})

describe('evaluations', () => {
  it('pair the first and the last of a run (Newcombe, 1998: 5.7 to 34.0)', async () => {
    const [first, last] = scored(36, 2, 12)
    const read = await logs({ 'rl-1': [evaluation(0, first), stepEnd(1), evaluation(50, last)] })
    expect(text(evaluationTable(read))).toMatch(
      /\| 1,024 \| rl-1 \| 50 \| 76\.0 \([^)]*\) \| 96\.0 \([^)]*\) \| \+20\.0 \(\+5\.7 to \+34\.0\) \| 50 \|/,
    )
    expect(writeMarkdown(evaluationPlots(read, 'Reward')).plots[0]!.text).toMatch(
      /^<svg .*steps of training/s,
    )
  })

  it('are told by length, and all together, with a question drawn with all its lengths', async () => {
    const [before, after] = scored(100, 0, 156)
    const same = before.map(() => 1)
    const rows = text(
      evaluationTable(await logs({ 'rl-1': [evaluation(0, same, before), evaluation(50, same, after)] })),
    )
    const row = (group: string) => new RegExp(`^\\| ${group} \\| rl-1 .*$`, 'm').exec(rows)![0]
    expect(row('1,024')).toContain('| 0.0 (')
    expect(row('2,048')).toContain('| +60.9 (')
    expect(row('all')).toMatch(/\| \+30\.5 \([^)]*\) \| 512 \|/)
  })

  it('draw a question with its readings of all seeds: three times the same is no surer', async () => {
    const [first, last] = scored(36, 2, 12)
    const lines = [evaluation(0, first), evaluation(50, last)]
    const rows = text(evaluationTable(await logs({ a: lines, b: lines, c: lines })))
    const [, low, high] = /\| together .*?\| \+20\.0 \(\+([\d.]+) to \+([\d.]+)\) \| 150 \|/.exec(rows)!
    // Three times as many independent pairs would give about 12 to 28.
    expect(Number(low)).toBeLessThan(9)
    expect(Number(high)).toBeGreaterThan(31)
  })

  it('pair the questions that both read, where some could not be read', async () => {
    const line = evaluation(50, [1, 1, 0])
    const partly = { ...line, results: [{ ...line.results[0], passedOver: [1] }] }
    const read = await logs({ 'rl-1': [evaluation(0, [1, 0, 1, 0]), partly] })
    // Questions 0, 2 and 3 are unchanged.
    expect(text(evaluationTable(read))).toMatch(/\| 0\.0 \([^)]*\) \| 3 \|/)
  })

  it('of runs with one thing changed are compared at the last step that both have', async () => {
    const [first, last] = scored(36, 2, 12)
    const read = await logs({
      full: [evaluation(0, first), evaluation(50, last), evaluation(100, first)],
      final: [evaluation(0, first), evaluation(50, first)],
    })
    expect(text(changesTable(read, [{ name: 'credit', before: ['full'], after: ['final'] }]))).toMatch(
      /\| credit \| final \| 50 \| 96\.0 \([^)]*\) \| 76\.0 \([^)]*\) \| −20\.0 \(−34\.0 to −5\.7\) \| 50 \|/,
    )
  })
})

describe('evaluations of a training whose evaluation was changed', () => {
  const [first, last] = scored(36, 2, 12)
  const of = (identity: string, line: object) => ({ ...line, identity })
  const changed = [of('a', evaluation(0, first)), of('a', evaluation(50, last))]

  it('are not paired with those of other questions, which the page says', async () => {
    const none = await logs({ 'rl-1': [...changed, of('b', evaluation(100, first))] })
    expect(text(evaluationTable(none))).toBe(
      '> **Note:** rl-1: the evaluation was changed on the way. Of its 3 evaluations, 2 of other questions, or scored otherwise, are left out.\n',
    )
    expect(JSON.stringify(evaluationPlots(none, 'Reward'))).not.toContain('"x":50')
    const two = await logs({
      'rl-1': [...changed, of('b', evaluation(100, first)), of('b', evaluation(150, last))],
    })
    expect(text(evaluationTable(two))).toMatch(/\| rl-1 \| 150 \| 76\.0 .*\| 96\.0 /)
    // Older logs have no identity.
    const old = await logs({ 'rl-1': [evaluation(0, first), of('b', evaluation(50, last))] })
    expect(text(evaluationTable(old))).toMatch(/\| rl-1 \| 50 \| 76\.0 .*\| 96\.0 /)
  })

  it('are not compared with another training that was asked other questions', async () => {
    const read = await logs({ full: changed, final: [of('b', evaluation(50, first))] })
    const change = { name: 'credit', before: ['full'], after: ['final'] }
    expect(() => changesTable(read, [change])).toThrow('full and final cannot be compared at step 50')
  })
})

describe('the cost', () => {
  it('of a step: sixteen groups drawn for eight, no reference or one, one update or four', async () => {
    const read = await logs({
      'rl-1': [stepEnd(1), stepEnd(2)],
      'rl-kl': [stepEnd(1, 0.01)],
      'rl-updates': [stepEnd(1)],
      rejection: [
        {
          ...stepEnd(1),
          metrics: { ...stepEnd(1).metrics, promptTokensCredited: 450, sampledTokensCredited: 40 },
        },
      ],
      sft: [{ type: 'step-end', step: 1, loss: 1, tokensPerSecond: 1000, seconds: 2 }],
      counted: [
        {
          type: 'step-end',
          step: 1,
          loss: 1,
          tokensPerSecond: 1000,
          seconds: 2,
          conversationTokens: 3_000,
          targetTokens: 500,
        },
      ],
    })
    const rows = text(costTables(read, { parameters: 1e6, groups: 8, updates: { 'rl-updates': 4 } }))
    // 1000 tokens x 10^6 parameters x (6 + 2 x 2), 2 more for a reference, and 2 for three quarters of four updates.
    expect(rows).toContain('| rl-1 | 2 | 1,000 | 100 | 10 | 100 | 30.0 | 10.0 | 50.0 | 5.0 | 5.0 | 10 |')
    expect(rows).toMatch(/\| rl-kl \|.* 5\.0 \| 12 \|/)
    expect(rows).toMatch(/\| rl-updates \|.* 5\.0 \| 12 \|/)
    // Two steps: trained on 2,000 tokens, drew 4,000.
    expect(rows).toMatch(/\| rl-1 \|.* 10 \| 0 \| 0\.0 \| 0\.002 \| 0\.004 \| 32 \|/)
    // Of 1,000 tokens, 490 are of conversations with an advantage: 6 x 490 + 2 x 2,000.
    expect(rows).toMatch(/\| rejection \|.* 7 \| 0 \| 0\.0 \| 0\.00049 \| 0\.002 \| 16 \|/)
    expect(rows).toMatch(/\| sft \| 1 \| 2,000 \| 2 \| 1,000 \| 12 \|.* 0\.002 \| – \| – \|/)
    expect(rows).toMatch(/\| counted \|.* 0\.002 \| 0\.003 \| 0\.0005 \|/)
  })

  it('and the rewrites of the first and the last steps', async () => {
    const [first, last] = scored(36, 2, 12)
    const read = await logs({ 'rl-1': [evaluation(0, first), stepEnd(1), evaluation(1, last)] })
    expect(text(rewriteTrendTable(read))).toContain(
      '| rl-1 | 10 → 10 | 0.0 → 0.0 | 0.5 → 0.5 | 0.1 → 0.1 | – |',
    )
    const { memoryTokens, memoriesCut, ...metrics } = stepEnd(1).metrics
    const without = await logs({ 'rl-1': [evaluation(0, first), { ...stepEnd(1), metrics }] })
    expect(text(rewriteTrendTable(without))).toContain('| rl-1 | – → – | – → – |')
  })
})
