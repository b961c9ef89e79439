/** Masked scaled-dot-product attention with grouped queries, as one operator with its own derivative. */
import { multiply, subtract } from './elementwise.ts'
import { checkShapes, type Graph, type Value } from './graph.ts'
import { batchedMatmul } from './matmul.ts'
import { sum } from './reduce.ts'
import { reshape } from './shape.ts'

/**
 * softmax(scale * Q K^T + mask) V. The G query heads that share a key-value head are stacked.
 *
 * The derivative needs the row sums of P * dP, which equal those of dO * O (Dao et al., arXiv 2205.14135, appendix B.2):
 * a pass over the small output instead of two over the large matrix of weights.
 *
 * @param queries [B, K, G*Q, E] @param keys [B, K, T, E] @param values [B, K, T, E]
 * @param mask [B, 1, Q, T] @returns [B, K, G*Q, E]
 */
export function attend(graph: Graph, queries: Value, keys: Value, values: Value, mask: Value): Value {
  const [B, K, rows, E] = queries.shape as [number, number, number, number]
  const [, , Q, T] = mask.shape as [number, number, number, number]
  checkShapes(
    keys.shape.join() === `${B},${K},${T},${E}` && rows % Q === 0,
    'Attention',
    queries.shape,
    keys.shape,
  )
  const scale = 1 / Math.sqrt(E)
  const byHead = [B, (K * rows) / Q, Q, T]
  const shared = [B, K, rows, T]
  const scores = reshape(
    graph,
    batchedMatmul(graph, queries, keys, { transposeB: true, alpha: scale }),
    byHead,
  )
  const masked = graph.node('Add', [scores, mask], { shape: byHead })
  const probabilities = graph.node('Softmax', [masked], { shape: byHead, attributes: { axis: -1 } })
  const weights = graph.node('Reshape', [probabilities, graph.integers(shared)], { shape: shared })
  const output = graph.node('FusedMatMul', [weights, values], {
    domain: 'com.microsoft',
    shape: queries.shape,
    attributes: { transA: 0, transB: 0, alpha: { float: 1 } },
  })
  return graph.record([queries, keys, values], output, (gradient) => {
    const along = sum(graph, multiply(graph, gradient, output), [3])
    const weightGradient = batchedMatmul(graph, gradient, values, { transposeB: true })
    const scoreGradient = multiply(graph, weights, subtract(graph, weightGradient, along))
    return [
      batchedMatmul(graph, scoreGradient, keys, { alpha: scale }),
      batchedMatmul(graph, scoreGradient, queries, { transposeA: true, alpha: scale }),
      batchedMatmul(graph, weights, gradient, { transposeA: true }),
    ]
  })
}
