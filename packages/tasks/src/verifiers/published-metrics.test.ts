/** Checks metrics against the output of the published code. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longBenchMetrics } from '../published/longbench-metrics.ts'
import { stringMatchAll, stringMatchPart } from '../ruler/string-match.ts'
import { subExactMatch } from './sub-exact-match.ts'

interface Case {
  readonly answer: string
  readonly reference: string
  readonly value: number
}

interface Golden {
  readonly ruler: readonly {
    readonly response: string
    readonly references: readonly string[]
    readonly all: number
    readonly part: number
  }[]
  readonly subEm: readonly Case[]
  readonly count: readonly Case[]
  readonly foreignDigits: readonly Case[]
}

const path = join(import.meta.dirname, '__fixtures__/published-metrics.json')
const golden = JSON.parse(await readFile(path, 'utf8')) as Golden
const { count } = longBenchMetrics

it('ruler equals string_match_all and string_match_part for whole responses', () => {
  for (const { response, references, all, part } of golden.ruler) {
    const where = JSON.stringify([response, references])
    // Published as a percentage with two decimals.
    expect(100 * stringMatchAll(response, references), where).toBeCloseTo(all, 1.9)
    expect(100 * stringMatchPart(response, references), where).toBe(part)
  }
  expect(new Set(golden.ruler.map(({ all }) => all)).size).toBeGreaterThan(4)
})

describe('sub_em', () => {
  it('is what MemAgent gives', () => {
    for (const { answer, reference, value } of golden.subEm) {
      expect(subExactMatch(answer, reference), JSON.stringify([answer, reference])).toBe(value)
    }
    expect(new Set(golden.subEm.map(({ value }) => value)).size).toBe(2)
  })

  it('is 0 without an answer', () => {
    expect(subExactMatch(undefined, 'yes')).toBe(0)
    expect(subExactMatch('', 'yes')).toBe(0)
  })
})

describe('count', () => {
  it('is what LongBench gives', () => {
    for (const { answer, reference, value } of golden.count) {
      expect(count(answer, reference, []), JSON.stringify(answer)).toBe(value)
    }
  })

  it('reads only the digits 0 to 9, unlike the published pattern', () => {
    const ours = golden.foreignDigits.map(({ answer, reference }) => count(answer, reference, []))
    expect(ours).toEqual([1, 0])
    expect(golden.foreignDigits.map(({ value }) => value)).toEqual([0.5, 0])
  })
})
