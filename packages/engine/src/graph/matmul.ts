/** Matrix products. */
import { checkShapes, type Graph, type Value } from './graph.ts'

export interface MatmulOptions {
  readonly transposeA?: boolean
  readonly transposeB?: boolean
  /** Factor of the product. @default 1 */
  readonly alpha?: number
}

/** x [M, K] times w [N, K] transposed: what a linear layer with weights [out, in] computes. */
export function linear(graph: Graph, x: Value, w: Value): Value {
  return gemm(graph, x, w, { transposeB: true })
}

/** Product of two matrices, each optionally transposed. */
export function gemm(graph: Graph, a: Value, b: Value, options: MatmulOptions = {}): Value {
  const { transposeA = false, transposeB = false } = options
  const [m, k] = transposeA ? [a.shape[1]!, a.shape[0]!] : [a.shape[0]!, a.shape[1]!]
  const [k2, n] = transposeB ? [b.shape[1]!, b.shape[0]!] : [b.shape[0]!, b.shape[1]!]
  checkShapes(a.shape.length === 2 && b.shape.length === 2 && k === k2, 'Gemm', a.shape, b.shape)
  return graph.node('Gemm', [a, b], {
    shape: [m, n],
    attributes: { transA: Number(transposeA), transB: Number(transposeB) },
    backward: (gradient) => [
      transposeA
        ? gemm(graph, b, gradient, { transposeA: transposeB, transposeB: true })
        : gemm(graph, gradient, b, { transposeB: !transposeB }),
      transposeB
        ? gemm(graph, gradient, a, { transposeA: true, transposeB: transposeA })
        : gemm(graph, a, gradient, { transposeA: !transposeA }),
    ],
  })
}

/** Products over the last two axes for equal leading axes, scaled by `alpha`; transposes cost nothing. */
export function batchedMatmul(graph: Graph, a: Value, b: Value, options: MatmulOptions = {}): Value {
  const { transposeA = false, transposeB = false, alpha = 1 } = options
  const lead = a.shape.slice(0, -2)
  const [a0, a1] = a.shape.slice(-2) as [number, number]
  const [b0, b1] = b.shape.slice(-2) as [number, number]
  const [m, k] = transposeA ? [a1, a0] : [a0, a1]
  const [k2, n] = transposeB ? [b1, b0] : [b0, b1]
  checkShapes(k === k2 && lead.join() === b.shape.slice(0, -2).join(), 'FusedMatMul', a.shape, b.shape)
  return graph.node('FusedMatMul', [a, b], {
    domain: 'com.microsoft',
    shape: [...lead, m, n],
    attributes: { transA: Number(transposeA), transB: Number(transposeB), alpha: { float: alpha } },
    backward: (gradient) => [
      transposeA
        ? batchedMatmul(graph, b, gradient, { transposeA: transposeB, transposeB: true, alpha })
        : batchedMatmul(graph, gradient, b, { transposeB: !transposeB, alpha }),
      transposeB
        ? batchedMatmul(graph, gradient, a, { transposeA: true, transposeB: transposeA, alpha })
        : batchedMatmul(graph, a, gradient, { transposeA: !transposeA, alpha }),
    ],
  })
}
