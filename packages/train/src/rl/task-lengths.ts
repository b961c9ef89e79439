/** Checks that a task has the lengths, and as many questions, as the configuration asks for. */
import { ConfigurationError, TaskError } from '@memagent/core'
import type { Sample, Task } from '@memagent/tasks'
import type { RlConfig } from './config.ts'

type Asked = Pick<RlConfig, 'curriculum' | 'evaluation'>

/** @throws ConfigurationError if evaluation would ask the same questions about the same documents at several lengths */
export function checkLengths({ name, keepsLength }: Task, { evaluation }: Asked): void {
  const lengths = new Set(evaluation.lengths)
  if (!keepsLength || lengths.size === 1) return
  throw new ConfigurationError({
    code: 'train/own-length',
    message: `evaluation.lengths has ${lengths.size} lengths, but the documents of ${name} keep their own: at each length they are the same.`,
    hint: 'Give one length, under which they are recorded.',
    details: { task: name, lengths: [...lengths] },
  })
}

/** A token is at least a byte; half of that allows for tasks that only come near the length. */
const leastBytesPerToken = 0.5

/** @throws TaskError for a document that is far too short: a score at a length must not come from a document of one line */
export function requireLength(sample: Sample, task: Task, lengthTokens: number): Sample {
  const { sizeBytes } = sample.document
  if (task.keepsLength || sizeBytes === undefined || sizeBytes >= leastBytesPerToken * lengthTokens) {
    return sample
  }
  throw new TaskError({
    code: 'train/short-document',
    message: `The document of ${sample.id} has ${sizeBytes} bytes, and evaluation.lengths asks for ${lengthTokens} tokens.`,
    hint: `If the documents of ${task.name} have lengths of their own, the task says so: \`keepsLength: true\`. Otherwise it makes them as long as \`lengthTokens\`.`,
    details: { task: task.name, lengthTokens, sizeBytes },
  })
}

/** Warnings about settings that change nothing with these tasks. */
export function lengthNotices(task: Task, evaluationTask: Task, { curriculum, evaluation }: Asked): string[] {
  const lengths = new Set(curriculum.flatMap((stage) => stage.lengths))
  const { questions } = evaluationTask
  return [
    ...(task.keepsLength && lengths.size > 1
      ? [`The documents of ${task.name} keep their own length: the lengths of the curriculum change nothing.`]
      : []),
    ...(questions !== undefined && evaluation.samples > questions
      ? [
          `${evaluationTask.name} has ${questions} questions for evaluation, and is asked ${evaluation.samples}: repeated ones count again. With evaluation.samples: ${questions}, each is asked once.`,
        ]
      : []),
  ]
}
