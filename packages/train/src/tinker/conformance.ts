import type { SampleGate } from './sample-gate.ts'
import type { TinkerSession } from './session.ts'
import type { TrainingModelOptions } from './training-model.ts'
export interface ConformanceOptions {
  readonly tolerance?: number | undefined
}
export async function checkConformance(
  _session: TinkerSession,
  _model: TrainingModelOptions,
  _gate: SampleGate,
  _kind: 'full' | 'forward',
  _options: ConformanceOptions = {},
): Promise<void> {
  // Nothing is known yet.
}
