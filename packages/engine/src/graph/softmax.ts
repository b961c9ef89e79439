/** Softmax over the last axis, and its logarithm. */
import { multiply, subtract } from './elementwise.ts'
import type { Graph, Value } from './graph.ts'
import { sum } from './reduce.ts'

const lastAxis = { axis: -1 }

/** Derivative: p * (g - sum(g * p)). */
export function softmax(graph: Graph, x: Value): Value {
  const last = x.shape.length - 1
  const probabilities = graph.node('Softmax', [x], { shape: x.shape, attributes: lastAxis })
  return graph.record([x], probabilities, (gradient) => {
    const weighted = multiply(graph, gradient, probabilities)
    return [subtract(graph, weighted, multiply(graph, probabilities, sum(graph, weighted, [last])))]
  })
}

/** Derivative: g - softmax * sum(g). */
export function logSoftmax(graph: Graph, x: Value): Value {
  const last = x.shape.length - 1
  return graph.node('LogSoftmax', [x], {
    shape: x.shape,
    attributes: lastAxis,
    backward: (gradient) => {
      const probabilities = graph.node('Softmax', [x], { shape: x.shape, attributes: lastAxis })
      return [subtract(graph, gradient, multiply(graph, probabilities, sum(graph, gradient, [last])))]
    },
  })
}
