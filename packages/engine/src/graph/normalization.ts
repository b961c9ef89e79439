/** Root-mean-square normalization (Zhang and Sennrich, arXiv 1910.07467). */
import { multiply, subtract } from './elementwise.ts'
import { checkShapes, type Graph, type Value } from './graph.ts'
import { reduceToShape, sum } from './reduce.ts'

/**
 * y = w * x / sqrt(mean(x^2) + epsilon), over the last axis: x [M, D], w [D].
 * Derivative with n = x / rms and u = g * w: dx = (u - n * mean(u * n)) / rms, dw = sum over rows of g * n.
 */
export function rmsNorm(graph: Graph, x: Value, weight: Value, epsilon: number): Value {
  const [rows, width] = x.shape as [number, number]
  checkShapes(x.shape.length === 2 && weight.shape.join() === `${width}`, 'RMSNorm', x.shape, weight.shape)
  const column = [rows, 1]
  const square = graph.node('Mul', [x, x], { shape: x.shape })
  const total = graph.node('ReduceSum', [square, graph.integers([1])], {
    shape: column,
    attributes: { keepdims: 1 },
  })
  const mean = graph.node('Mul', [total, graph.scalar(1 / width)], { shape: column })
  const shifted = graph.node('Add', [mean, graph.scalar(epsilon)], { shape: column })
  const root = graph.node('Sqrt', [shifted], { shape: column })
  const inverse = graph.node('Reciprocal', [root], { shape: column })
  const normalized = graph.node('Mul', [x, inverse], { shape: x.shape })
  const result = graph.node('Mul', [normalized, weight], { shape: x.shape })
  return graph.record([x, weight], result, (gradient) => {
    const scaled = multiply(graph, gradient, weight)
    const along = multiply(
      graph,
      sum(graph, multiply(graph, scaled, normalized), [1]),
      graph.scalar(1 / width),
    )
    const dx = multiply(graph, subtract(graph, scaled, multiply(graph, normalized, along)), inverse)
    return [dx, reduceToShape(graph, multiply(graph, gradient, normalized), weight.shape)]
  })
}
