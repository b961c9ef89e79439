/** ONNX Runtime. Everything in the engine imports it from here, so that it never loads before telemetry is off. */
import './no-telemetry.ts'
import { InferenceSession } from 'onnxruntime-node'
import { nativeCall } from './native-calls.ts'

export { InferenceSession, Tensor } from 'onnxruntime-node'

/**
 * A runtime thread that waits for others spins, by default for so long that on a busy machine it takes the core from the
 * thread it waits for. Spinning for 20 microseconds is as fast on an idle machine; on a busy one, with two cores, reading took
 * 0.48 of the time and training 0.37.
 */
const waiting = { session: { intra_op: { spin_duration_us: '20' } } }

/** @param model bytes of an ONNX model @param threads per operator, including the caller's */
export async function createSession(model: Uint8Array, threads: number): Promise<InferenceSession> {
  const session = await nativeCall(() =>
    InferenceSession.create(model, {
      intraOpNumThreads: threads,
      interOpNumThreads: 1,
      executionMode: 'sequential',
      graphOptimizationLevel: 'all',
      logSeverityLevel: 3,
      extra: waiting,
    }),
  )
  const run = session.run.bind(session) as (...args: unknown[]) => ReturnType<InferenceSession['run']>
  session.run = (...args: unknown[]) => nativeCall(() => run(...args))
  return session
}
