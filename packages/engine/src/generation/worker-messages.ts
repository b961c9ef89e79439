/** Messages between a generator's worker thread and its owner. Types only. */
import type { LlamaConfig, Weights } from '../models/llama-config.ts'
import type { NativeCalls } from '../onnx/native-calls.ts'
import type { GeneratorOptions } from './generator.ts'
import type { GenerationRequest, GenerationResult } from './request.ts'

/** Given to a worker when it starts. */
export interface WorkerData {
  readonly config: LlamaConfig
  readonly weights: Weights
  readonly options: GeneratorOptions
  readonly calls: NativeCalls
}

export type ToWorker =
  /** One message for all, so batches do not depend on when messages arrive. */
  | {
      readonly type: 'generate'
      readonly requests: readonly { readonly id: number; readonly request: GenerationRequest }[]
    }
  | { readonly type: 'abort'; readonly id: number }
  /** Later requests use these weights. */
  | { readonly type: 'load'; readonly id: number; readonly weights: Weights }
  | { readonly type: 'release' }

/** Class instances cannot be posted between threads: errors travel as their parts. */
export interface ErrorParts {
  readonly code: string
  readonly message: string
}

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'failed'; readonly error: ErrorParts }
  | { readonly type: 'result'; readonly id: number; readonly result: GenerationResult }
  | { readonly type: 'loaded'; readonly id: number }
  | { readonly type: 'error'; readonly id: number; readonly error: ErrorParts }
