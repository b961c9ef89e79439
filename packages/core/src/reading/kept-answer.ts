/** The end of a reading whose checkpoint has its answer, without the text or the workflow. */
import { Tracer } from '../provenance/tracer.ts'
import type { Checkpoint } from './checkpoint.ts'
import type { AnswerEvent } from './events.ts'

/**
 * What the `answer` event told, but for `unread`, which the workflow knows.
 * @param memory the last one
 * @returns undefined where the checkpoint has no answer
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
