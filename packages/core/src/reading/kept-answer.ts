/** Restores the end of a reading from a checkpoint with its answer, without the text or the workflow. */
import { Tracer } from '../provenance/tracer.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { AnswerEvent } from './events.ts'

/**
 * The `answer` event, without `unread`, which only the workflow knows.
 * @param memory the last one
 * @returns undefined if the checkpoint has no answer
 */
export function keptAnswer(
  { answer, warnings, steps, usage, seconds, provenance }: Checkpoint,
  question: string,
  memory: string,
): AnswerEvent | undefined {
  if (!answer) return undefined
  const traced = provenance && new Tracer(question, provenance).provenanceOf(memory, answer.text)
  const end = { answer, warnings, memory, steps, usage, seconds }
  return { type: 'answer', ...end, ...(traced && { provenance: traced }) }
}
