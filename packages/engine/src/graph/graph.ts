/**
 * A graph of tensor operators with static shapes, as ONNX Runtime executes it. Operators (see the other files of this
 * folder) emit nodes; each node that can be differentiated carries its vector-Jacobian product, which emits further nodes.
 */
import { EngineError } from '../errors.ts'

export type DataType = 'float32' | 'int64' | 'int32' | 'int8' | 'uint8' | 'bool'
/** -1 is a dimension known only at run time (in inference graphs, not in training graphs). */
export type Shape = readonly number[]

/** The result of a node, a graph input, or a constant. */
export interface Value {
  readonly name: string
  readonly type: DataType
  readonly shape: Shape
}

export type Attribute = number | { readonly float: number } | readonly number[] | string

/** Given the gradient with respect to the output, the gradients with respect to the inputs (undefined: none). */
export type VectorJacobianProduct = (gradient: Value) => readonly (Value | undefined)[]

export interface GraphNode {
  readonly operator: string
  /** '' is ONNX itself; 'com.microsoft' are the runtime's own operators. */
  readonly domain: string
  readonly inputs: readonly Value[]
  readonly outputs: readonly Value[]
  readonly attributes: Readonly<Record<string, Attribute>>
}

/** How a value was computed from others, for differentiation; may stand for several nodes. */
export interface TapeEntry {
  readonly inputs: readonly Value[]
  readonly output: Value
  readonly backward: VectorJacobianProduct
}

export interface Constant {
  readonly value: Value
  readonly data: Float32Array | BigInt64Array | Int8Array | Uint8Array
}

export interface NodeOptions {
  readonly shape: Shape
  /** @default 'float32' */
  readonly type?: DataType
  readonly attributes?: Readonly<Record<string, Attribute>>
  readonly domain?: string
  readonly backward?: VectorJacobianProduct
}

export class Graph {
  readonly inputs: Value[] = []
  readonly nodes: GraphNode[] = []
  readonly tape: TapeEntry[] = []
  readonly constants: Constant[] = []
  readonly outputs: { readonly name: string; readonly value: Value }[] = []
  readonly #shared = new Map<string, Value>()
  #count = 0

  input(name: string, shape: Shape, type: DataType = 'float32'): Value {
    const value = { name, type, shape }
    this.inputs.push(value)
    return value
  }

  output(name: string, value: Value): void {
    this.outputs.push({ name, value })
  }

  /** A scalar; equal scalars are one constant. */
  scalar(number: number): Value {
    return this.#constant(`f${number}`, 'float32', [], Float32Array.of(number))
  }

  /** A vector of integers (shapes, axes, indices); equal vectors are one constant. */
  integers(numbers: readonly number[]): Value {
    return this.#constant(
      `i${numbers.join(',')}`,
      'int64',
      [numbers.length],
      BigInt64Array.from(numbers, BigInt),
    )
  }

  node(operator: string, inputs: readonly Value[], options: NodeOptions): Value {
    const [output] = this.nodeWithOutputs(operator, inputs, [options.shape], options) as [Value]
    if (options.backward) this.record(inputs, output, options.backward)
    return output
  }

  /** A node with several outputs of one type, one per shape; has no derivative. */
  nodeWithOutputs(
    operator: string,
    inputs: readonly Value[],
    shapes: readonly Shape[],
    options: Pick<NodeOptions, 'type' | 'attributes' | 'domain'>,
  ): Value[] {
    const outputs = shapes.map((shape) => ({ shape, type: options.type ?? 'float32' }))
    return this.nodeWithTypedOutputs(operator, inputs, outputs, options)
  }

  /** A node with several outputs; has no derivative. */
  nodeWithTypedOutputs(
    operator: string,
    inputs: readonly Value[],
    outputs: readonly Pick<Value, 'shape' | 'type'>[],
    options: Pick<NodeOptions, 'attributes' | 'domain'> = {},
  ): Value[] {
    const values = outputs.map((output) => ({ name: `v${this.#count++}`, ...output }))
    this.nodes.push({
      operator,
      domain: options.domain ?? '',
      inputs,
      outputs: values,
      attributes: options.attributes ?? {},
    })
    return values
  }

  /** A tensor that is part of the model: weights of an inference graph. */
  tensor(name: string, shape: Shape, data: Float32Array): Value {
    return this.#constant(`t${name}`, 'float32', shape, data)
  }

  /** Quantized weights of an inference graph: signed bytes, or unsigned ones. */
  bytes(name: string, shape: Shape, data: Int8Array | Uint8Array): Value {
    return this.#constant(`b${name}`, data instanceof Int8Array ? 'int8' : 'uint8', shape, data)
  }

  /** Records a vector-Jacobian product for a value that several nodes computed from `inputs`. */
  record(inputs: readonly Value[], output: Value, backward: VectorJacobianProduct): Value {
    this.tape.push({ inputs, output, backward })
    return output
  }

  #constant(key: string, type: DataType, shape: Shape, data: Constant['data']): Value {
    const known = this.#shared.get(key)
    if (known) return known
    const value = { name: `c${this.#count++}`, type, shape }
    this.#shared.set(key, value)
    this.constants.push({ value, data })
    return value
  }
}

export const sizeOf = (shape: Shape): number => shape.reduce((product, dimension) => product * dimension, 1)

/** @throws EngineError naming the operator and both shapes */
export function checkShapes(condition: boolean, operator: string, ...shapes: readonly Shape[]): void {
  if (condition) return
  throw new EngineError({
    code: 'engine/shape-mismatch',
    message: `${operator} cannot take shapes ${shapes.map((shape) => `[${shape.join(', ')}]`).join(' and ')}.`,
  })
}
