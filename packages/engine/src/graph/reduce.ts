/** Sums over axes. */
import { type Graph, type Shape, sizeOf, type Value } from './graph.ts'
import { reshape } from './shape.ts'

/** Sum over axes, which are kept with length 1. */
export function sum(graph: Graph, x: Value, axes: readonly number[]): Value {
  return graph.node('ReduceSum', [x, graph.integers(axes)], {
    shape: x.shape.map((dimension, axis) => (axes.includes(axis) ? 1 : dimension)),
    attributes: { keepdims: 1 },
    backward: (gradient) => [expand(graph, gradient, x.shape), undefined],
  })
}

/** Repeats axes of length 1. */
export function expand(graph: Graph, x: Value, shape: Shape): Value {
  if (x.shape.join() === shape.join()) return x
  return graph.node('Expand', [x, graph.integers(shape)], {
    shape,
    backward: (gradient) => [reduceToShape(graph, gradient, x.shape), undefined],
  })
}

/** Undoes broadcasting: sums over repeated axes, so that the result has `shape`. */
export function reduceToShape(graph: Graph, x: Value, shape: Shape): Value {
  if (x.shape.join() === shape.join()) return x
  const lead = x.shape.length - shape.length
  const axes = x.shape.flatMap((dimension, axis) =>
    axis < lead || (shape[axis - lead] === 1 && dimension !== 1) ? [axis] : [],
  )
  const summed = axes.length > 0 ? sum(graph, x, axes) : x
  return sizeOf(summed.shape) === sizeOf(shape) ? reshape(graph, summed, shape) : summed
}
