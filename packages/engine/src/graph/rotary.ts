/** Rotary position embedding in transformers' half-split form (Su et al., arXiv 2104.09864; `rotate_half`). */
import { checkShapes, type Graph, type Value } from './graph.ts'

/**
 * Rotates x [B, T, H, D] by the angles whose cosines and sines are given as [B, T, 1, D/2].
 * Derivative: the rotation by the opposite angles.
 */
export function rotate(graph: Graph, x: Value, cosines: Value, sines: Value, isBackward = false): Value {
  const half = x.shape[3]! / 2
  checkShapes(
    cosines.shape.join() === `${x.shape[0]},${x.shape[1]},1,${half}`,
    'Rotary',
    x.shape,
    cosines.shape,
  )
  const halfShape = [...x.shape.slice(0, 3), half]
  const part = (from: number) =>
    graph.node('Slice', [x, graph.integers([from]), graph.integers([from + half]), graph.integers([3])], {
      shape: halfShape,
    })
  const product = (a: Value, b: Value) => graph.node('Mul', [a, b], { shape: halfShape })
  const [first, second] = [part(0), part(half)]
  const [minus, plus] = isBackward ? ['Add', 'Sub'] : ['Sub', 'Add']
  const left = graph.node(minus!, [product(first, cosines), product(second, sines)], { shape: halfShape })
  const right = graph.node(plus!, [product(second, cosines), product(first, sines)], { shape: halfShape })
  const rotated = graph.node('Concat', [left, right], { shape: x.shape, attributes: { axis: 3 } })
  return graph.record([x], rotated, (gradient) => [rotate(graph, gradient, cosines, sines, !isBackward)])
}
