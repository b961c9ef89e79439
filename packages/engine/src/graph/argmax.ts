/** Index of the largest element of each row. Has no derivative. */
import type { Graph, Value } from './graph.ts'

/** x [N, V] to int64 [N]; the first index of equal maxima. */
export function argmaxOf(graph: Graph, x: Value): Value {
  return graph.node('ArgMax', [x], {
    shape: [x.shape[0]!],
    type: 'int64',
    attributes: { axis: 1, keepdims: 0 },
  })
}
