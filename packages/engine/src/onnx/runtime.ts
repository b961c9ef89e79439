/** ONNX Runtime. Everything in the engine imports it from here, so that it never loads before telemetry is off. */
import './no-telemetry.ts'
import { InferenceSession } from 'onnxruntime-node'

export { InferenceSession, Tensor } from 'onnxruntime-node'

/**
 * A thread of the runtime that waits for others spins, by default for so long that on a busy machine it takes the core
 * from the one it waits for: reading takes twice as long and more. Spinning for 20 microseconds is as fast on a quiet one
 * (`bench/results/waiting-threads.json`).
 */
const waiting = { session: { intra_op: { spin_duration_us: '20' } } }

/** @param model bytes of an ONNX model @param threads that compute one operator together, the caller's among them */
export const createSession = (model: Uint8Array, threads: number): Promise<InferenceSession> =>
  InferenceSession.create(model, {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    graphOptimizationLevel: 'all',
    logSeverityLevel: 3,
    extra: waiting,
  })
