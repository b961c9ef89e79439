import { describe, expect, it } from 'vitest'
import { parseTaskSpec, showTaskSpec, splitSpecs } from './task-spec.ts'

describe('parseTaskSpec', () => {
  it('reads a name, and options with the types they have in YAML', () => {
    expect(parseTaskSpec('multi-hop')).toEqual({ name: 'multi-hop', options: {} })
    expect(parseTaskSpec('multi-hop:hops=2,order=forward,absentShare=0.5')).toEqual({
      name: 'multi-hop',
      options: { hops: 2, order: 'forward', absentShare: 0.5 },
    })
  })

  it.each(['', ':hops=2', 'multi-hop:', 'multi-hop:hops', 'multi-hop:hops='])('refuses "%s"', (spec) => {
    expect(() => parseTaskSpec(spec)).toThrow(/names no task/)
  })
})

describe('splitSpecs', () => {
  it('leaves the options with their names', () => {
    expect(splitSpecs('overwrite,bm25:k=8,passage=64, refine')).toEqual([
      'overwrite',
      'bm25:k=8,passage=64',
      'refine',
    ])
  })
})

describe('showTaskSpec', () => {
  it('writes what was read', () => {
    for (const spec of ['multi-hop', 'multi-hop:hops=2,order=forward']) {
      expect(showTaskSpec(parseTaskSpec(spec))).toBe(spec)
    }
  })

  it('names a file without its folder', () => {
    expect(showTaskSpec(parseTaskSpec('jsonl:path=/data/mine/questions.jsonl'))).toBe(
      'jsonl:path=questions.jsonl',
    )
  })
})
