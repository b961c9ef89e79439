/** Operators that only move elements. */
import { checkShapes, type Graph, type Shape, sizeOf, type Value } from './graph.ts'

export function reshape(graph: Graph, x: Value, shape: Shape): Value {
  checkShapes(sizeOf(x.shape) === sizeOf(shape), 'Reshape', x.shape, shape)
  if (x.shape.join() === shape.join()) return x
  return graph.node('Reshape', [x, graph.integers(shape)], {
    shape,
    type: x.type,
    backward: (gradient) => [reshape(graph, gradient, x.shape), undefined],
  })
}

/** Axis i of the result is axis `order[i]` of x. */
export function transpose(graph: Graph, x: Value, order: readonly number[]): Value {
  checkShapes(order.length === x.shape.length, 'Transpose', x.shape, order)
  const inverse = order.map((_, axis) => order.indexOf(axis))
  return graph.node('Transpose', [x], {
    shape: order.map((axis) => x.shape[axis]!),
    type: x.type,
    attributes: { perm: order },
    backward: (gradient) => [transpose(graph, gradient, inverse)],
  })
}

/** Elements `from` (inclusive) to `to` (exclusive) of one axis. */
export function slice(graph: Graph, x: Value, axis: number, from: number, to: number): Value {
  const length = x.shape[axis]!
  checkShapes(0 <= from && from < to && to <= length, 'Slice', x.shape, [axis, from, to])
  if (from === 0 && to === length) return x
  const inputs = [x, graph.integers([from]), graph.integers([to]), graph.integers([axis])]
  return graph.node('Slice', inputs, {
    shape: x.shape.map((dimension, i) => (i === axis ? to - from : dimension)),
    type: x.type,
    backward: (gradient) => {
      const pads = [
        ...x.shape.map((_, i) => (i === axis ? from : 0)),
        ...x.shape.map((_, i) => (i === axis ? length - to : 0)),
      ]
      return [
        graph.node('Pad', [gradient, graph.integers(pads)], { shape: x.shape }),
        undefined,
        undefined,
        undefined,
      ]
    },
  })
}

export function concatenate(graph: Graph, parts: readonly Value[], axis: number): Value {
  const first = parts[0]!
  for (const part of parts) {
    checkShapes(
      part.shape.every((dimension, i) => i === axis || dimension === first.shape[i]),
      'Concat',
      first.shape,
      part.shape,
    )
  }
  return graph.node('Concat', parts, {
    shape: first.shape.map((dimension, i) =>
      i === axis ? parts.reduce((total, part) => total + part.shape[axis]!, 0) : dimension,
    ),
    type: first.type,
    attributes: { axis },
    backward: (gradient) => {
      let from = 0
      return parts.map((part) => {
        const start = from
        from += part.shape[axis]!
        return slice(graph, gradient, axis, start, from)
      })
    },
  })
}
