/**
 * Speed of a whole training step (forward, backward, AdamW, everything in JavaScript) against a plain matrix product of
 * the same runtime in the same run, the two in turn: the ratio does not depend on how fast the machine is today.
 *
 *   npm run bench:training
 */
import {
  initialWeights,
  type LlamaConfig,
  parameterShapes,
  type TrainingBatch,
  TrainingSession,
} from '@memagent/engine'
import { Graph } from '../packages/engine/src/graph/graph.ts'
import { gemm } from '../packages/engine/src/graph/matmul.ts'
import { InferenceSession, Tensor } from '../packages/engine/src/onnx/runtime.ts'
import { serializeModel } from '../packages/engine/src/onnx/serialize.ts'
import { median, record } from './recording.ts'

const config: LlamaConfig = {
  vocabularySize: 4096,
  hiddenSize: 256,
  intermediateSize: 688,
  layers: 6,
  heads: 4,
  keyValueHeads: 2,
  headDimension: 64,
  ropeTheta: 10_000,
  rmsNormEpsilon: 1e-5,
  maxPositions: 1024,
}
const [rows, rowLength] = [12, 512]
const warmUps = 3
const rounds = 9

const size = rows * rowLength
const tokens = Int32Array.from({ length: size }, (_, i) => (i * 7919) % config.vocabularySize)
/** Plain language modelling: every position predicts the next token. */
const targetRows = Int32Array.from(
  { length: rows * (rowLength - 1) },
  (_, i) => i + Math.floor(i / (rowLength - 1)),
)
const batch: TrainingBatch = {
  rows,
  rowLength,
  tokens,
  positions: Int32Array.from({ length: size }, (_, i) => i % rowLength),
  group: new Int32Array(size),
  branch: new Int32Array(size),
  targetRows,
  targets: targetRows.map((row) => tokens[row + 1]!),
  coefficients: new Float32Array(targetRows.length).fill(1 / targetRows.length),
}

/** 6 x matmul parameters per token (the tied output matrix included), and the causal half of attention. */
function usefulFlops(): number {
  const matrices = [...parameterShapes(config).values()].filter((shape) => shape.length === 2)
  const parameters = matrices.reduce((sum, [a, b]) => sum + a! * b!, 0)
  const attention = 6 * 2 * config.layers * config.heads * config.headDimension * (rowLength / 2)
  return size * (6 * parameters + attention)
}

async function matmulSession(): Promise<() => Promise<void>> {
  const graph = new Graph()
  graph.output('y', gemm(graph, graph.input('a', [2048, 512]), graph.input('b', [512, 512])))
  const session = await InferenceSession.create(serializeModel(graph), {
    intraOpNumThreads: 2,
    graphOptimizationLevel: 'all',
  })
  const numbers = (count: number) => Float32Array.from({ length: count }, (_, i) => Math.sin(i))
  const feeds = {
    a: new Tensor('float32', numbers(2048 * 512), [2048, 512]),
    b: new Tensor('float32', numbers(512 * 512), [512, 512]),
  }
  return async () => {
    await session.run(feeds)
  }
}

const session = await TrainingSession.create(config, initialWeights(config, 1))
const matmul = await matmulSession()
const step = async () => {
  await session.forwardBackward(batch)
  await session.optimStep({
    learningRate: 1e-4,
    beta1: 0.9,
    beta2: 0.98,
    epsilon: 1e-8,
    weightDecay: 0.1,
    clipNorm: 1,
  })
}
const matmuls = 40
const times: { step: number; matmul: number }[] = []
for (let round = -warmUps; round < rounds; round++) {
  const startMs = performance.now()
  await step()
  const middleMs = performance.now()
  for (let i = 0; i < matmuls; i++) await matmul()
  const endMs = performance.now()
  if (round >= 0) times.push({ step: (middleMs - startMs) / 1000, matmul: (endMs - middleMs) / 1000 })
}
const stepGflops = usefulFlops() / median(times.map((time) => time.step)) / 1e9
const matmulGflops = (matmuls * 2 * 2048 * 512 * 512) / median(times.map((time) => time.matmul)) / 1e9
const parameters = [...parameterShapes(config).values()].reduce(
  (sum, shape) => sum + shape.reduce((a, b) => a * b, 1),
  0,
)
const result = {
  parameters,
  rows,
  rowLength,
  tokensPerSecond: Math.round(size / median(times.map((time) => time.step))),
  stepGflops: Number(stepGflops.toFixed(1)),
  matmulGflops: Number(matmulGflops.toFixed(1)),
  ratio: Number(
    median(
      times.map((time) => usefulFlops() / time.step / ((matmuls * 2 * 2048 * 512 * 512) / time.matmul)),
    ).toFixed(3),
  ),
  rounds,
}
record('training-step', result)
process.stdout.write(`${JSON.stringify(result)}\n`)
await session.release()
