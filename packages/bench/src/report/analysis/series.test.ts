import { describe, expect, it } from 'vitest'
import { methodNames } from '../../methods/registry.ts'
import type { BenchRecord } from '../../record.ts'
import { analysed, makeRecord } from '../../testing/made-records.ts'
import { colourOf, shapeOf } from '../plots/style.ts'
import { methodsByLook } from './series.ts'

describe('the reader', () => {
  const records = [
    makeRecord({ method: 'bm25' }),
    makeRecord({ method: 'overwrite' }),
    makeRecord({ method: 'truncate' }),
  ]

  it('is the series with a workflow, and comes first', () => {
    expect(analysed(records).series.map(({ name }) => name)).toEqual(['overwrite', 'truncate', 'bm25'])
  })

  it('is the usual workflow, or the first by name, whichever sample ended first', () => {
    const made = (method: string, workflow: string) => makeRecord({ method, workflow })
    const [usual, gated, recall] = [
      made('overwrite', 'overwrite'),
      made('gated', 'gated'),
      made('recall', 'recall'),
    ]
    expect(analysed([recall, gated, usual]).series[0]!.name).toBe('overwrite')
    expect(analysed([recall, gated]).series[0]!.name).toBe('gated')
    expect(analysed([gated, recall]).series[0]!.name).toBe('gated')
  })

  it('can be named; an unknown name lists the known ones', () => {
    expect(analysed(records, 'truncate').series[0]!.name).toBe('truncate')
    expect(() => analysed(records, 'magic')).toThrow(/"magic"/)
  })
})

describe('the place and look of a method', () => {
  const records = ['refine', 'own:k=3', 'bm25', 'bm25:k=4', 'overwrite', 'truncate', 'map-reduce'].map(
    (method) => makeRecord({ method }),
  )
  const looks = (list: readonly BenchRecord[]) =>
    Object.fromEntries(analysed(list).series.map(({ name, style }) => [name, style]))

  it('are those of the registry, whichever method answered first', () => {
    const names = ['overwrite', 'truncate', 'bm25', 'bm25:k=4', 'map-reduce', 'refine', 'own:k=3']
    expect(analysed(records).series.map(({ name }) => name)).toEqual(names)
    expect(analysed(records.toReversed()).series.map(({ name }) => name)).toEqual(names)
  })

  it('stay when another method is left out, or is the one compared with', () => {
    const all = looks(records)
    for (const left of records) {
      const { [left.method]: _, ...others } = all
      expect(looks(records.filter((record) => record !== left))).toEqual(others)
    }
    expect(analysed(records, 'bm25').series[0]).toMatchObject({ name: 'bm25', style: all.bm25 })
  })

  it('stay those of recorded reports when a method is added: new ones come last', () => {
    const recorded = ['overwrite', 'whole', 'truncate', 'bm25', 'embeddings', 'map-reduce', 'refine']
    const all = looks(methodNames.map((method) => makeRecord({ method })))
    expect(Object.fromEntries(recorded.map((name) => [name, all[name]]))).toEqual(
      Object.fromEntries(recorded.map((name, style) => [name, style])),
    )
    for (const name of methodNames) expect(methodsByLook, `add ${name} to its end`).toContain(name)
  })

  it('tell methods apart by colour and shape, and variants of one method by shape alone', () => {
    const all = looks(records)
    const plain = ['overwrite', 'truncate', 'bm25', 'map-reduce', 'refine'].map((name) => all[name]!)
    expect(new Set(plain.map(colourOf)).size).toBe(plain.length)
    expect(new Set(plain.map(shapeOf)).size).toBe(plain.length)
    expect(colourOf(all['bm25:k=4']!)).toBe(colourOf(all.bm25!))
    expect(shapeOf(all['bm25:k=4']!)).not.toBe(shapeOf(all.bm25!))
  })

  it('are never those of another series of the report, however many variants it has', () => {
    const variants = Array.from({ length: 12 }, (_, k) => makeRecord({ method: `bm25:k=${k + 1}` }))
    const models = ['a', 'b', 'c', 'd', 'e', 'f'].map((model) => makeRecord({ method: 'overwrite', model }))
    const own = ['keep', 'agent', 'mine'].map((method) => makeRecord({ method }))
    for (const list of [models, [...variants, ...own, makeRecord({ method: 'bm25' })]]) {
      const seen = Object.values(looks(list)).map((style) => `${colourOf(style)} ${shapeOf(style)}`)
      expect(new Set(seen).size).toBe(list.length)
    }
  })
})
