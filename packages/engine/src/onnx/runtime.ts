/** ONNX Runtime. Everything in the engine imports it from here, so that it never loads before telemetry is off. */
import './no-telemetry.ts'

export { InferenceSession, Tensor } from 'onnxruntime-node'
