/** Forward and backward pass of one batch shape as one ONNX model. */
import { argmaxOf } from '../graph/argmax.ts'
import { differentiate } from '../graph/differentiate.ts'
import { multiply, negate } from '../graph/elementwise.ts'
import { gatherElements } from '../graph/gather.ts'
import { Graph } from '../graph/graph.ts'
import { logSoftmax } from '../graph/softmax.ts'
import { decoder, logitsOf, parameterInputs } from '../models/llama.ts'
import type { LlamaConfig } from '../models/llama-config.ts'
import { serializeModel } from '../onnx/serialize.ts'

export interface TrainingShape {
  readonly rows: number
  readonly rowLength: number
  readonly targets: number
}

/** Input and output of a parameter's gradient: the sum of earlier passes, and the sum with this pass. */
export const sumName = (parameter: string) => `sum/${parameter}`
export const gradientName = (parameter: string) => `gradient/${parameter}`

/** Outputs: `logprobs` [N, 1] of the distributions at this temperature, `best` [N] and, when training, `gradient/NAME` for every parameter, added to `sum/NAME`. */
export function createTrainingModel(
  config: LlamaConfig,
  shape: TrainingShape,
  isTraining: boolean,
  temperature = 1,
): Uint8Array {
  const graph = new Graph()
  const { rows, rowLength, targets: count } = shape
  const parameters = parameterInputs(graph, config)
  const angles = [rows, rowLength, 1, config.headDimension / 2]
  const hidden = decoder(graph, config, parameters, {
    rows,
    rowLength,
    tokens: graph.input('tokens', [rows * rowLength], 'int64'),
    cosines: graph.input('cosines', angles),
    sines: graph.input('sines', angles),
    mask: graph.input('mask', [rows, 1, rowLength, rowLength]),
  })
  const modelLogits = logitsOf(graph, config, parameters, hidden, graph.input('targetRows', [count], 'int64'))
  const logits = temperature === 1 ? modelLogits : multiply(graph, modelLogits, graph.scalar(1 / temperature))
  const logprobs = gatherElements(
    graph,
    logSoftmax(graph, logits),
    graph.input('targets', [count, 1], 'int64'),
  )
  graph.output('logprobs', logprobs)
  graph.output('best', argmaxOf(graph, logits))
  if (isTraining) {
    // d loss / d logprob = -coefficient
    const seed = negate(graph, graph.input('coefficients', [count, 1]))
    const names = [...parameters.keys()]
    const gradients = differentiate(graph, new Map([[logprobs, seed]]), [...parameters.values()])
    gradients.forEach((gradient, i) => {
      const { shape } = gradient
      const sum = graph.input(sumName(names[i]!), shape)
      graph.output(gradientName(names[i]!), graph.node('Add', [sum, gradient], { shape }))
    })
  }
  return serializeModel(graph)
}
