/** Elementwise operators, with NumPy's broadcasting. */
import { checkShapes, type Graph, type Shape, type Value } from './graph.ts'
import { reduceToShape } from './reduce.ts'

function broadcastShape(operator: string, a: Shape, b: Shape): number[] {
  const rank = Math.max(a.length, b.length)
  return Array.from({ length: rank }, (_, i) => {
    const left = a[a.length - rank + i] ?? 1
    const right = b[b.length - rank + i] ?? 1
    checkShapes(left === right || left === 1 || right === 1, operator, a, b)
    return Math.max(left, right)
  })
}

export function add(graph: Graph, a: Value, b: Value): Value {
  return graph.node('Add', [a, b], {
    shape: broadcastShape('Add', a.shape, b.shape),
    backward: (gradient) => [
      reduceToShape(graph, gradient, a.shape),
      reduceToShape(graph, gradient, b.shape),
    ],
  })
}

export function subtract(graph: Graph, a: Value, b: Value): Value {
  return graph.node('Sub', [a, b], {
    shape: broadcastShape('Sub', a.shape, b.shape),
    backward: (gradient) => [
      reduceToShape(graph, gradient, a.shape),
      reduceToShape(graph, negate(graph, gradient), b.shape),
    ],
  })
}

export function multiply(graph: Graph, a: Value, b: Value): Value {
  return graph.node('Mul', [a, b], {
    shape: broadcastShape('Mul', a.shape, b.shape),
    backward: (gradient) => [
      reduceToShape(graph, multiply(graph, gradient, b), a.shape),
      reduceToShape(graph, multiply(graph, gradient, a), b.shape),
    ],
  })
}

export function negate(graph: Graph, a: Value): Value {
  return graph.node('Neg', [a], { shape: a.shape, backward: (gradient) => [negate(graph, gradient)] })
}

/** silu(x) = x * sigmoid(x); derivative sigmoid(x) * (1 + x * (1 - sigmoid(x))). */
export function silu(graph: Graph, x: Value): Value {
  const sigmoid = graph.node('Sigmoid', [x], { shape: x.shape })
  const result = graph.node('Mul', [x, sigmoid], { shape: x.shape })
  return graph.record([x], result, (gradient) => {
    const rest = subtract(graph, graph.scalar(1), sigmoid)
    return [multiply(graph, gradient, add(graph, sigmoid, multiply(graph, result, rest)))]
  })
}
