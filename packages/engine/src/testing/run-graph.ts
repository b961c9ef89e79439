/** Runs a small graph once, for tests of operators. */

import type { Graph } from '../graph/graph.ts'
import { createSession, Tensor } from '../onnx/runtime.ts'
import { serializeModel } from '../onnx/serialize.ts'

/** Outputs by name; inputs by name, flat, float32 or int64 as the graph declares them. */
export async function runGraph(
  graph: Graph,
  inputs: Readonly<Record<string, readonly number[]>>,
): Promise<Record<string, number[]>> {
  const session = await createSession(serializeModel(graph), 1)
  try {
    const feeds = Object.fromEntries(
      graph.inputs.map(({ name, type, shape }) => {
        const data = inputs[name]!
        return [
          name,
          type === 'int64'
            ? new Tensor('int64', BigInt64Array.from(data, BigInt), shape)
            : new Tensor('float32', Float32Array.from(data), shape),
        ]
      }),
    )
    const outputs = await session.run(feeds)
    return Object.fromEntries(
      Object.entries(outputs).map(([name, tensor]) => [
        name,
        Array.from(tensor.data as Float32Array, Number),
      ]),
    )
  } finally {
    await session.release()
  }
}
