/** Readings of a short text with a scripted model, to test what is stored of them. */
import {
  type CheckpointStore,
  createScriptedModel,
  createTextDocument,
  paperProfile,
  type ReadingEvent,
  type ReadingOptions,
  readDocument,
  withBudget,
} from '@memagent/core'
import type { RunAnswers, RunDescription, RunResult } from '../run-store.ts'

export const question = 'Who came?'
/** About ten chunks. */
export const text = Array.from({ length: 150 }, (_, i) => `Guest ${i} came on day ${(i * 37) % 100}.`).join(
  ' ',
)
export const description: RunDescription = {
  question,
  document: 'text',
  model: 'scripted',
  workflow: 'overwrite',
  settings: { chunk: 40 },
}

export interface ShortRun {
  readonly events: readonly ReadingEvent[]
  readonly result: Exclude<RunResult, RunAnswers> | undefined
  readonly calls: number
}

/** Reads to the end, or until `stopAfter` chunks were read. */
export async function readShortly(
  checkpoints: CheckpointStore,
  {
    stopAfter = Number.POSITIVE_INFINITY,
    ...options
  }: Partial<ReadingOptions> & { readonly stopAfter?: number | undefined } = {},
): Promise<ShortRun> {
  const model = createScriptedModel(
    ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const sum = [...prompt].reduce((total, sign) => total + sign.charCodeAt(0), 0)
      // Often the same memory for two chunks in a row, to cover repeats, which are not stored.
      return prompt.includes('<section>') ? `Ann came ${sum % 3} times.` : `\\boxed{Ann, ${sum}}`
    },
    { profile: withBudget(paperProfile, { chunk: 100 }) },
  )
  const controller = new AbortController()
  const events: ReadingEvent[] = []
  let chunks = 0
  try {
    for await (const event of readDocument({
      question,
      document: createTextDocument(text),
      model,
      checkpoints,
      ...options,
      signal: controller.signal,
    })) {
      events.push(event)
      if (event.type === 'chunk-end' && ++chunks >= stopAfter) controller.abort(new Error('stopped'))
    }
  } catch (error) {
    if ((error as Error).message !== 'stopped') throw error
  }
  const result = events.find(
    (event): event is Exclude<RunResult, RunAnswers> => event.type === 'answer' || event.type === 'notes',
  )
  return { events, result, calls: model.calls.length }
}
