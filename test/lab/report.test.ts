/** The report of the lab's experiments, from made lines; the results recorded here are worked out by hand. */
import { writeMarkdown } from '@memagent/bench'
import { temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { entry } from '../../packages/bench/src/testing/made-records.ts'
import { sections } from '../../recipes/lab/report/page.ts'
import { readResults } from '../../recipes/lab/report/results.ts'
import { evaluation, reading, scored, size, stepEnd, writeLines } from './made-results.ts'

const folder = temporaryFolder(beforeEach, afterEach)

const record = (name: string, lines: readonly object[]) => writeLines(folder.join(`${name}.jsonl`), lines)
/** Without the padding of its columns. */
const report = async () =>
  writeMarkdown(sections(await readResults(folder.path), size)).text.replace(/ {2,}/g, ' ')
const section = (text: string, title: string) =>
  text.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!

describe('the report', () => {
  it('says of every section that nothing is recorded', async () => {
    const parts = (await report()).split(/^## /m).slice(1)
    expect(parts).toHaveLength(8)
    for (const part of parts) expect(part).toMatch(/^[\w ]+\n\nNot recorded yet\.\s*$/)
  })

  it('pairs first and last evaluation of a seed, and says whether the gain is there (Newcombe, 1998: 5.7 to 34.0)', async () => {
    const [first, last] = scored(36, 2, 12)
    await record('rl-1', [evaluation(0, first), stepEnd(1), evaluation(50, last)])
    const text = section(await report(), 'Reinforcement learning')
    expect(text).toMatch(
      /\| 1,024 \| rl-1 \| 50 \| 76\.0 \([^)]*\) \| 96\.0 \([^)]*\) \| \+20\.0 \(\+5\.7 to \+34\.0\) \| 50 \|/,
    )
    expect(text).toContain('Not recorded yet: rl-2, rl-3.')
    expect(text).toContain('rl-1 does not have them')
  })

  it('judges every length by itself, and all together, with a question drawn with all its lengths', async () => {
    const [before, after] = scored(100, 0, 156)
    const same = before.map(() => 1)
    await record('rl-1', [evaluation(0, same, before), evaluation(50, same, after)])
    const text = section(await report(), 'Reinforcement learning')
    const row = (group: string) => new RegExp(`^\\| ${group} \\| rl-1 .*$`, 'm').exec(text)![0]
    expect(row('1,024')).toContain('| 0.0 (')
    expect(row('2,048')).toContain('| +60.9 (')
    expect(row('all')).toMatch(/\| \+30\.5 \([^)]*\) \| 512 \|/)
    expect(text).toContain(
      'At 1,024 tokens: rl-1 does not have them. At 2,048 tokens: rl-1 has them. Over all lengths: rl-1 has them.',
    )
  })

  it('draws a question with its readings of all seeds: three times the same is no surer', async () => {
    const [first, last] = scored(36, 2, 12)
    for (const arm of ['rl-1', 'rl-2', 'rl-3'])
      await record(arm, [evaluation(0, first), evaluation(50, last)])
    const text = section(await report(), 'Reinforcement learning')
    const [, low, high] = /\| together .*?\| \+20\.0 \(\+([\d.]+) to \+([\d.]+)\) \| 150 \|/.exec(text)!
    // Three times as many independent pairs would give about 12 to 28.
    expect(Number(low)).toBeLessThan(9)
    expect(Number(high)).toBeGreaterThan(31)
  })

  it('compares with the best of the arms with more lessons, and shows what is lost over length', async () => {
    const arm = (rightShort: number, rightLong: number) =>
      [...Array(8).keys()].flatMap((i) => [
        reading(i, 1000, i < rightShort),
        reading(i, 64_000, i < rightLong),
      ])
    await record('lengths-sft-more-low', arm(4, 8))
    await record('lengths-sft-more-half', arm(6, 2))
    await record('lengths-rl-1', arm(7, 6))
    const text = section(await report(), 'Growing length')
    expect(text).toContain('Not recorded yet: cold, rl-2, rl-3.')
    expect(text).toContain('sft-more-half (no RL)')
    expect(text).toMatch(/\| 64,000 \| no RL \| 8 \| \+50\.0 \(/)
    expect(text).toMatch(/\| rl-1 \| 64,000 \| 8 \| \+12\.5 \(/)
    // Held to the end it is held for 8 rewrites, lost after 3: seven and one, six and two.
    expect(text).toMatch(/\| rl-1 \| 1,000 \| 59 \| 1 \|[^\n]*\n\| \| 64,000 \| 54 \| 2 \| 37,037 \(/)
    expect(text).toContain('+12.5 lost')
    expect(text).toContain('not reached')
    expect(text).toContain('+50.0 (')
  })

  it.each([
    ['dense', 'Growing length and decoys with it'],
    ['many', 'Growing length among many decoys'],
  ])('compares among %s decoys with the arm that was best among few', async (sweep, title) => {
    const at = (length: number, right: number) =>
      [...Array(8).keys()].map((i) => reading(i, length, i < right))
    await record('lengths-sft-more-low', at(1000, 4))
    await record('lengths-sft-more-half', at(1000, 6))
    await record(`${sweep}-decoys-sft-more-low`, at(8000, 8))
    await record(`${sweep}-decoys-sft-more-half`, at(8000, 2))
    await record(`${sweep}-decoys-rl-1`, at(8000, 6))
    const text = section(await report(), title)
    expect(text).toContain('sft-more-half (no RL)')
    expect(text).toMatch(/\| 8,000 \| no RL \| 8 \| \+50\.0 \(/)
    expect(text).toContain('Not recorded yet: cold.')
  })

  it('refuses to pair documents that differ', async () => {
    await record('lengths-cold', [reading(0, 1000, true)])
    await record('lengths-rl-1', [reading(0, 1000, true, { documentBytes: 999 })])
    await expect(report()).rejects.toThrow('question 0 at 1000 tokens differs')
  })

  it('shows sizes of memory against the trained one', async () => {
    const at = (memory: number, right: number) =>
      [...Array(4).keys()].map((i) => reading(i, 1000, i < right, { method: `overwrite:memory=${memory}` }))
    await record('memory-rl-1', [...at(16, 1), ...at(64, 3)])
    const text = section(await report(), 'Size of the memory')
    expect(text).toMatch(
      /\| rl-1, 1,000 \| 16 \(0\.25 ×\) \| 4 \| 25\.0 \([^)]*\) \| 25\.0 \([^)]*\) \| −50\.0 \(/,
    )
    expect(text).toMatch(/\| 64 \(1 ×\) \| 4 \| 75\.0 /)
  })

  it('compares ablations at the last step that both have', async () => {
    const [first, last] = scored(36, 2, 12)
    await record('rl-1', [evaluation(0, first), evaluation(50, last), evaluation(100, first)])
    await record('rl-final-1', [evaluation(0, first), evaluation(50, first)])
    const text = section(await report(), 'Ablations')
    expect(text).toMatch(
      /\| reward to the final answer alone \| 1 \| 50 \| 96\.0 \([^)]*\) \| 76\.0 \([^)]*\) \| −20\.0 \(−34\.0 to −5\.7\) \| 50 \|/,
    )
    expect(text).toContain(
      'Not recorded yet: rl-final-2, rl-final-3, rl-conversation-mean, rl-kl, rl-updates, rl-updates-clip-same.',
    )
  })

  it('marks comparisons across the repair of the task, and no others', async () => {
    const [scores] = scored(36, 2, 12)
    for (const name of ['rl-1', 'rl-final-1', 'rl-kl', 'rl-updates', 'rl-updates-clip-same']) {
      await record(name, [evaluation(100, scores)])
    }
    const text = section(await report(), 'Ablations')
    expect(text).toContain('| KL to the cold start, coefficient 0.001 † |')
    expect(text).toContain('| reward to the final answer alone |')
    expect(text).toContain('| four updates, the same bound above and below |')
    expect(text).toContain('† Compares across a repair of the task')
  })

  it('counts the cost of a step: sixteen groups drawn for eight, no reference or one, one update or four', async () => {
    await record('rl-1', [stepEnd(1), stepEnd(2)])
    await record('rl-kl', [stepEnd(1)])
    await record('rl-updates', [stepEnd(1)])
    await record('sft-more-low', [{ type: 'step-end', step: 1, loss: 1, tokensPerSecond: 1000, seconds: 2 }])
    const text = section(await report(), 'Cost')
    // 1000 tokens x 10^6 parameters x (6 + 2 x 2), 2 more for a reference, and 2 for three quarters of four updates.
    expect(text).toContain('| rl-1 | 2 | 1,000 | 100 | 10 | 100 | 30.0 | 10.0 | 50.0 | 5.0 | 5.0 | 10 |')
    expect(text).toMatch(/\| rl-kl \|.* 5\.0 \| 12 \|/)
    expect(text).toMatch(/\| rl-updates \|.* 5\.0 \| 12 \|/)
    // Two steps: 2,000 tokens trained on, 4,000 drawn.
    expect(text).toMatch(/\| rl-1 \|.* 10 \| 0 \| 0\.0 \| 0\.002 \| 0\.004 \|/)
    expect(text).toContain('| sft-more-low | 1 | 2,000 | 2 | 1,000 | 12 |')
  })

  it('lists the wrong answers at the longest length that both were read at, and counts how they are wrong', async () => {
    const none = { references: [] }
    const at = (length: number, lessons: readonly boolean[]) => [
      reading(0, length, lessons[0]!, { answer: 'Bo Ek' }),
      reading(1, length, lessons[1]!, { answer: '' }),
      reading(2, length, lessons[2]!, { ...none, answer: 'Mr. | Mr.' }),
      reading(3, length, true),
    ]
    await record('lengths-sft-more-low', [
      ...at(1000, [true, true, true]),
      ...at(8000, [false, false, false]),
      ...at(64_000, [false, false, false]),
    ])
    await record('lengths-rl-1', [...at(1000, [true, true, true]), ...at(8000, [true, false, true])])
    const text = section(await report(), 'What rewards changed')
    // Right readings changed the memory once, wrong ones twice.
    expect(text).toContain('| no RL | 4 | 3 | 1 | 1 | 1 | 1 | 2 |')
    expect(text).toContain('| rl-1 | 4 | 1 | 1 | 0 | 0 | 1 | 2 |')
    const [, list] = text.split('**Wrong answers at 8,000 tokens**')
    const rows = list!
      .trim()
      .split('\n\n')[0]!
      .split('\n')
      .slice(2)
      .map((row) => row.split(/ (?<!\\)\| /).slice(1))
    expect(rows).toEqual([
      ['Anna Lind', 'Bo Ek', 'right |'],
      ['Anna Lind', '(none)', '(none) |'],
      ['(none)', String.raw`Mr. \| Mr.`, 'right |'],
    ])
  })

  it('shows memories side by side, and text of documents as text', async () => {
    const hostile = '<script>x()</script>\n| a | ![b](http://c.example/d) **e** <!-- /experiments -->'
    await record('lengths-cold', [reading(0, 1000, false, { trace: [entry(2, hostile)], answer: hostile })])
    await record('lengths-rl-1', [reading(0, 1000, true)])
    const text = section(await report(), 'What rewards changed')
    expect(text).toContain('right only after rewards')
    const [, row] = /^(\| 3 \|.*)$/m.exec(text)!
    expect(row).toContain('&lt;script&gt;')
    expect(row!.match(/(?<!\\)\|/g)).toHaveLength(4)
    expect(row).toContain('Anna Lind')
    expect(text).not.toMatch(/<script|<!--|!\[b\]\(|http:\/\//)
  })
})
