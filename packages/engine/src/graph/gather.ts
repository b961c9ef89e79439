/** Selecting rows and elements by index. */
import { checkShapes, type Graph, type Value } from './graph.ts'
import { reshape } from './shape.ts'

/** Rows of `table` [R, D] by `indices` [N]: [N, D]. Repeated indices add up in the gradient. */
export function gatherRows(graph: Graph, table: Value, indices: Value): Value {
  checkShapes(table.shape.length === 2 && indices.shape.length === 1, 'Gather', table.shape, indices.shape)
  const count = indices.shape[0]!
  return graph.node('Gather', [table, indices], {
    shape: [count, table.shape[1]!],
    backward: (gradient) => {
      const zeros = graph.node('ConstantOfShape', [graph.integers(table.shape)], { shape: table.shape })
      const scattered = graph.node('ScatterND', [zeros, reshape(graph, indices, [count, 1]), gradient], {
        shape: table.shape,
        attributes: { reduction: 'add' },
      })
      return [scattered, undefined]
    },
  })
}

/** One element per row: x [N, V] at `indices` [N, 1], as [N, 1]. */
export function gatherElements(graph: Graph, x: Value, indices: Value): Value {
  checkShapes(indices.shape.join() === `${x.shape[0]},1`, 'GatherElements', x.shape, indices.shape)
  return graph.node('GatherElements', [x, indices], {
    shape: indices.shape,
    attributes: { axis: 1 },
    backward: (gradient) => {
      const zeros = graph.node('ConstantOfShape', [graph.integers(x.shape)], { shape: x.shape })
      const scattered = graph.node('ScatterElements', [zeros, indices, gradient], {
        shape: x.shape,
        attributes: { axis: 1 },
      })
      return [scattered, undefined]
    },
  })
}
