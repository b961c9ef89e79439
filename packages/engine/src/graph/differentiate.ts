/** Reverse-mode differentiation: walks the tape backwards and lets every entry emit its vector-Jacobian product. */
import { EngineError } from '../errors.ts'
import { add } from './elementwise.ts'
import type { Graph, Value } from './graph.ts'

/**
 * Emits the gradients of sum_i <seed_i, output_i> with respect to `wanted`.
 * @param seeds outputs with the gradient that flows into each (same shape)
 * @returns gradients in the order of `wanted`
 * @throws EngineError when no differentiable path leads from a wanted value to an output
 */
export function differentiate(
  graph: Graph,
  seeds: ReadonlyMap<Value, Value>,
  wanted: readonly Value[],
): Value[] {
  const depends = new Set<Value>(wanted)
  const tape = [...graph.tape]
  for (const { inputs, output } of tape) {
    if (inputs.some((input) => depends.has(input))) depends.add(output)
  }
  const gradients = new Map<Value, Value>(seeds)
  for (const { inputs, output, backward } of tape.reverse()) {
    const gradient = gradients.get(output)
    if (!gradient || !depends.has(output)) continue
    backward(gradient).forEach((part, i) => {
      const input = inputs[i]!
      if (!part || !depends.has(input)) return
      const known = gradients.get(input)
      gradients.set(input, known ? add(graph, known, part) : part)
    })
  }
  return wanted.map((value) => {
    const gradient = gradients.get(value)
    if (!gradient) {
      throw new EngineError({
        code: 'engine/no-gradient',
        message: `The value ${value.name} has no path to the outputs that are differentiated.`,
      })
    }
    return gradient
  })
}
