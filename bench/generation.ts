/**
 * Speed of the embedded engine's generation, recorded in `bench/results/generation.json`:
 *
 *     npm run bench:generation [-- --threads 2]
 *
 * Useful work is 2 x matmul parameters per token plus the causal half of attention; it is set against a matrix product
 * of the same runtime in the same run. CPU time is recorded beside wall-clock time: when it is less than the threads
 * could use, the machine was busy with something else.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type GenerationRequest,
  initialWeights,
  type LlamaConfig,
  parameterShapes,
  TextGenerator,
} from '@memagent/engine'
import { Graph } from '../packages/engine/src/graph/graph.ts'
import { InferenceSession, Tensor } from '../packages/engine/src/onnx/runtime.ts'
import { serializeModel } from '../packages/engine/src/onnx/serialize.ts'
import { machine, median, record } from './recording.ts'

const { values: options } = parseArgs({ options: { threads: { type: 'string', default: '2' } } })
const threads = Number(options.threads)
const config: LlamaConfig = {
  vocabularySize: 8192,
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
const promptLength = 640
const newTokens = 48

interface Timing {
  /** Median and smallest of the repetitions, milliseconds. */
  readonly ms: number
  readonly minMs: number
  /** Processor time of all threads, median. */
  readonly cpuMs: number
  readonly repetitions: number
}

async function timed(repetitions: number, work: () => Promise<unknown>): Promise<Timing> {
  // The first runs allocate.
  for (let i = 0; i < 2; i++) await work()
  const walls: number[] = []
  const processor: number[] = []
  for (let i = 0; i < repetitions; i++) {
    const [start, before] = [performance.now(), process.cpuUsage()]
    await work()
    const used = process.cpuUsage(before)
    walls.push(performance.now() - start)
    processor.push((used.user + used.system) / 1000)
  }
  return { ms: median(walls), minMs: Math.min(...walls), cpuMs: median(processor), repetitions }
}

/** GFLOP/s of a 2048 x 512 x 512 product, weights constant. */
async function matmulSpeed(): Promise<number> {
  const [M, K, N] = [2048, 512, 512]
  const graph = new Graph()
  const weights = graph.tensor('weights', [K, N], new Float32Array(K * N).fill(0.01))
  graph.output('product', graph.node('MatMul', [graph.input('x', [M, K]), weights], { shape: [M, N] }))
  const session = await InferenceSession.create(serializeModel(graph), { intraOpNumThreads: threads })
  const feeds = { x: new Tensor('float32', new Float32Array(M * K).fill(0.5), [M, K]) }
  const product = new Tensor('float32', new Float32Array(M * N), [M, N])
  const calls = 20
  const { ms } = await timed(15, async () => {
    for (let i = 0; i < calls; i++) await session.run(feeds, { product })
  })
  await session.release()
  return (2 * M * K * N * calls) / ms / 1e6
}

const embeddings = config.vocabularySize * config.hiddenSize
const matmulParameters =
  [...parameterShapes(config).values()]
    .filter((shape) => shape.length === 2)
    .reduce((sum, [rows, columns]) => sum + rows! * columns!, 0) - embeddings

/** GFLOP of reading `tokens` tokens with `logitRows` distributions: scores and mixing are 2 x 2 x width for each pair. */
const usefulWork = (tokens: number, logitRows: number) =>
  (2 * matmulParameters * tokens +
    2 * embeddings * logitRows +
    4 * config.layers * config.heads * config.headDimension * ((tokens * (tokens + 1)) / 2)) /
  1e9

let state = 1
const randomTokens = (length: number) =>
  Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state % config.vocabularySize
  })
const requestsOf = (count: number, rest: Partial<GenerationRequest>): GenerationRequest[] =>
  Array.from({ length: count }, () => ({
    promptTokens: randomTokens(promptLength),
    maxTokens: 1,
    stopTokens: [],
    ...rest,
  }))
const rounded = (timing: Timing) =>
  Object.fromEntries(Object.entries(timing).map(([name, value]) => [name, Number(value.toFixed(2))]))
const round = (value: number, digits = 1) => Number(value.toFixed(digits))

const started = performance.now()
const matmul = await matmulSpeed()
const weights = initialWeights(config, 1)
const beforeCreate = performance.now()
const generator = await TextGenerator.create(config, weights, { threads })
const createMs = performance.now() - beforeCreate

const prefill: Record<string, unknown> = {}
const decode: Record<string, unknown> = {}
for (const [batch, repetitions] of [
  [1, 15],
  [8, 5],
  [32, 2],
] as const) {
  const read = await timed(repetitions, () => generator.generate(requestsOf(batch, {})))
  const gflops = (usefulWork(promptLength, 1) * batch) / (read.ms / 1000)
  prefill[`batch${batch}`] = {
    ...rounded(read),
    tokensPerSecond: Math.round((promptLength * batch) / (read.ms / 1000)),
    usefulGflops: round(gflops),
    shareOfMatmul: round(gflops / matmul, 3),
  }
  const written = await timed(repetitions, () =>
    generator.generate(requestsOf(batch, { maxTokens: newTokens + 1 })),
  )
  decode[`batch${batch}`] = {
    msPerStep: round((written.ms - read.ms) / newTokens, 2),
    cpuMsPerStep: round((written.cpuMs - read.cpuMs) / newTokens, 2),
    tokensPerSecond: Math.round((batch * newTokens) / ((written.ms - read.ms) / 1000)),
  }
}

const [asked] = requestsOf(1, { promptTokens: randomTokens(600), maxTokens: 40 })
const [answer] = await generator.generate([asked!])
const draftTokens = answer!.tokens
const drafted = { ...asked!, draftTokens, stopTokens: [draftTokens.at(-1)!] }
const isWhole = !draftTokens.slice(0, -1).includes(draftTokens.at(-1)!)
const memory = isWhole ? drafted : { ...drafted, stopTokens: [] }
const call = await timed(25, async () => {
  const [result] = await generator.generate([memory])
  if (result!.acceptedDraftTokens !== draftTokens.length) throw new Error('The draft was not accepted.')
})
await generator.release()

const result = {
  date: new Date().toISOString(),
  machine: { ...machine(), threads },
  runtime: `onnxruntime-node ${JSON.parse(readFileSync(new URL(import.meta.resolve('onnxruntime-node/package.json')), 'utf8')).version}`,
  model: { ...config, matmulParameters, parameters: matmulParameters + embeddings },
  matmul2048x512x512Gflops: round(matmul),
  createMs: round(createMs),
  promptTokens: promptLength,
  prefill,
  decode,
  acceptedDraft: { promptTokens: 600, draftTokens: draftTokens.length, ...rounded(call) },
  seconds: round((performance.now() - started) / 1000),
}
record('generation', result)
console.log(JSON.stringify(result, null, 2))
