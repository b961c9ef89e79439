/** Every operator's vector-Jacobian product against central finite differences. */
import { describe, expect, it } from 'vitest'
import { runGraph } from '../testing/run-graph.ts'
import { attend } from './attention.ts'
import { differentiate } from './differentiate.ts'
import { add, multiply, negate, silu, subtract } from './elementwise.ts'
import { gatherElements, gatherRows } from './gather.ts'
import { Graph, type Shape, sizeOf, type Value } from './graph.ts'
import { batchedMatmul, gemm, linear } from './matmul.ts'
import { rmsNorm } from './normalization.ts'
import { expand, reduceToShape, sum } from './reduce.ts'
import { rotate } from './rotary.ts'
import { concatenate, reshape, slice, transpose } from './shape.ts'
import { logSoftmax, softmax } from './softmax.ts'

interface Case {
  readonly name: string
  readonly shapes: readonly Shape[]
  readonly build: (graph: Graph, inputs: readonly Value[]) => Value
}

const angles = (graph: Graph) =>
  [0.3, 1.1].map((start, part) => {
    const numbers = Float32Array.from({ length: 2 * 3 * 2 }, (_, i) =>
      part === 0 ? Math.cos(start + i) : Math.sin(0.3 + i),
    )
    return graph.tensor(`angles${part}`, [2, 3, 1, 2], numbers)
  }) as [Value, Value]

const cases: readonly Case[] = [
  {
    name: 'add',
    shapes: [
      [2, 3],
      [2, 3],
    ],
    build: (g, [a, b]) => add(g, a!, b!),
  },
  { name: 'add, broadcast rows', shapes: [[2, 3], [3]], build: (g, [a, b]) => add(g, a!, b!) },
  {
    name: 'subtract, broadcast columns',
    shapes: [
      [2, 1],
      [2, 3],
    ],
    build: (g, [a, b]) => subtract(g, a!, b!),
  },
  {
    name: 'multiply, broadcast both ways',
    shapes: [
      [2, 1, 3],
      [4, 1],
    ],
    build: (g, [a, b]) => multiply(g, a!, b!),
  },
  { name: 'negate', shapes: [[5]], build: (g, [a]) => negate(g, a!) },
  { name: 'silu', shapes: [[3, 4]], build: (g, [a]) => silu(g, a!) },
  { name: 'sum over axes', shapes: [[2, 3, 4]], build: (g, [a]) => sum(g, a!, [0, 2]) },
  { name: 'expand', shapes: [[2, 1, 3]], build: (g, [a]) => expand(g, a!, [2, 4, 3]) },
  { name: 'reduce to a shape', shapes: [[4, 2, 3]], build: (g, [a]) => reduceToShape(g, a!, [1, 3]) },
  { name: 'reshape', shapes: [[2, 6]], build: (g, [a]) => reshape(g, a!, [3, 4]) },
  { name: 'transpose', shapes: [[2, 3, 4]], build: (g, [a]) => transpose(g, a!, [2, 0, 1]) },
  { name: 'slice', shapes: [[2, 5]], build: (g, [a]) => slice(g, a!, 1, 1, 4) },
  {
    name: 'concatenate',
    shapes: [
      [2, 2],
      [2, 3],
    ],
    build: (g, [a, b]) => concatenate(g, [a!, b!], 1),
  },
  {
    name: 'linear',
    shapes: [
      [3, 4],
      [5, 4],
    ],
    build: (g, [x, w]) => linear(g, x!, w!),
  },
  ...[false, true].flatMap((transposeA) =>
    [false, true].flatMap((transposeB): Case[] => [
      {
        name: `gemm, transposes ${transposeA} ${transposeB}`,
        shapes: [transposeA ? [4, 3] : [3, 4], transposeB ? [5, 4] : [4, 5]],
        build: (g, [a, b]) => gemm(g, a!, b!, { transposeA, transposeB }),
      },
      {
        name: `batched matmul, transposes ${transposeA} ${transposeB}`,
        shapes: [
          [2, 2, ...(transposeA ? [4, 3] : [3, 4])],
          [2, 2, ...(transposeB ? [5, 4] : [4, 5])],
        ],
        build: (g, [a, b]) => batchedMatmul(g, a!, b!, { transposeA, transposeB, alpha: 0.7 }),
      },
    ]),
  ),
  {
    name: 'attention, two query heads a key-value head, causal',
    shapes: [
      [1, 2, 6, 4],
      [1, 2, 5, 4],
      [1, 2, 5, 4],
    ],
    build: (g, [q, k, v]) => {
      const seen = Float32Array.from({ length: 15 }, (_, i) => (i % 5 <= Math.floor(i / 5) + 2 ? 0 : -1e9))
      return attend(g, q!, k!, v!, g.tensor('mask', [1, 1, 3, 5], seen))
    },
  },
  { name: 'softmax', shapes: [[3, 4]], build: (g, [a]) => softmax(g, a!) },
  { name: 'log softmax', shapes: [[3, 4]], build: (g, [a]) => logSoftmax(g, a!) },
  { name: 'rms norm', shapes: [[3, 6], [6]], build: (g, [x, w]) => rmsNorm(g, x!, w!, 1e-5) },
  { name: 'rotary', shapes: [[2, 3, 2, 4]], build: (g, [x]) => rotate(g, x!, ...angles(g)) },
  {
    name: 'gather rows, one twice',
    shapes: [[4, 3]],
    build: (g, [t]) => gatherRows(g, t!, g.integers([2, 0, 2])),
  },
  {
    name: 'gather elements',
    shapes: [[3, 4]],
    build: (g, [x]) => gatherElements(g, x!, reshape(g, g.integers([1, 3, 0]), [3, 1])),
  },
]

/** Reproducible numbers in about [-1.5, 1.5]. */
const numbers = (count: number, seed: number) =>
  Array.from({ length: count }, (_, i) => 1.5 * Math.sin(12.9898 * (i + 1) + 78.233 * seed))

describe.each(cases)('$name', ({ shapes, build }) => {
  it('has the gradient that finite differences measure', async () => {
    const graph = new Graph()
    const inputs = shapes.map((shape, i) => graph.input(`x${i}`, shape))
    const output = build(graph, inputs)
    const weights = numbers(sizeOf(output.shape), 9)
    const seed = graph.input('seed', output.shape)
    graph.output('y', output)
    differentiate(graph, new Map([[output, seed]]), inputs).forEach((gradient, i) => {
      expect(gradient.shape).toEqual(shapes[i])
      graph.output(`dx${i}`, gradient)
    })
    const feeds: Record<string, number[]> = { seed: weights }
    shapes.forEach((shape, i) => {
      feeds[`x${i}`] = numbers(sizeOf(shape), i)
    })
    const { y, ...gradients } = await runGraph(graph, feeds)
    expect(y).toHaveLength(sizeOf(output.shape))

    const forward = new Graph()
    forward.output(
      'y',
      build(
        forward,
        shapes.map((shape, i) => forward.input(`x${i}`, shape)),
      ),
    )
    const value = async () =>
      (await runGraph(forward, feeds)).y!.reduce((total, part, i) => total + part * weights[i]!, 0)
    const step = 1e-2
    for (const [i, shape] of shapes.entries()) {
      for (let j = 0; j < sizeOf(shape); j++) {
        const point = feeds[`x${i}`]!
        const kept = point[j]!
        point[j] = kept + step
        const above = await value()
        point[j] = kept - step
        const below = await value()
        point[j] = kept
        const measured = (above - below) / (2 * step)
        expect(Math.abs(gradients[`dx${i}`]![j]! - measured)).toBeLessThan(2e-3 * (1 + Math.abs(measured)))
      }
    }
  })
})

describe('differentiate', () => {
  it('adds up the gradients of a value used twice', async () => {
    const graph = new Graph()
    const x = graph.input('x', [2])
    const output = multiply(graph, x, x)
    const [gradient] = differentiate(graph, new Map([[output, graph.input('seed', [2])]]), [x])
    graph.output('dx', gradient!)
    expect((await runGraph(graph, { x: [3, -1], seed: [1, 2] })).dx).toEqual([6, -4])
  })

  it('reports a value that does not reach the output', () => {
    const graph = new Graph()
    const [x, y] = [graph.input('x', [2]), graph.input('y', [2])]
    expect(() => differentiate(graph, new Map([[negate(graph, x), y]]), [y])).toThrow(/no path/)
  })

  it('names operator and shapes when they do not fit', () => {
    const graph = new Graph()
    expect(() => add(graph, graph.input('x', [2]), graph.input('y', [3]))).toThrow(
      'Add cannot take shapes [2] and [3]',
    )
  })
})
