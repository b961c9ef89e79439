/** One question of a run with several, as if it had been asked alone. */
import { checkpointsOfQuestions, keptAnswer, type ReadingEvent } from '@memagent/core'
import { StoreError } from './errors.ts'
import type { RunStore, StoredRun } from './run-store.ts'

/** The part of a store that code which only looks at runs needs. */
export type ReadableRuns = Pick<RunStore, 'load' | 'events'>

/**
 * A view of the store in which a run of several questions is the run of one of them.
 * @param number of the question, from 1
 * @returns a store whose functions throw StoreError `store/no-question` for a run without this question
 */
export function runOfQuestion(store: ReadableRuns, number: number): ReadableRuns {
  const runs: ReadableRuns = {
    async load(id) {
      const run = ofQuestion(await store.load(id), number)
      if (run.result || !run.checkpoint?.answer) return run
      // The failure belongs to another question; this one was answered.
      const { failure: _, ...own } = run
      const result = keptAnswer(run.checkpoint, run.question!, await lastMemory(runs.events(id)))!
      return { ...own, state: 'finished', result, outcome: result.answer.outcome }
    },
    async *events(id) {
      for await (const event of store.events(id)) {
        const { question, ...own } = event as ReadingEvent & { readonly question?: number }
        if (question === number - 1) yield own as ReadingEvent
      }
    },
  }
  return runs
}

async function lastMemory(events: AsyncIterable<ReadingEvent>): Promise<string> {
  let memory = ''
  for await (const event of events) if (event.type === 'memory-end') memory = event.memory
  return memory
}

function ofQuestion({ questions, result, outcome: _, ...run }: StoredRun, number: number): StoredRun {
  const question = questions?.[number - 1]
  if (questions === undefined || question === undefined) throw noQuestion(run.id, questions, number)
  const checkpoint = run.checkpoint && checkpointsOfQuestions(run.checkpoint, questions.length)[number - 1]
  const answer = result?.type === 'answers' ? result.answers[number - 1] : undefined
  return {
    ...run,
    question,
    checkpoint,
    steps: checkpoint?.steps ?? 0,
    ...(answer && { result: answer, outcome: answer.answer.outcome }),
  }
}

function noQuestion(id: string, questions: readonly string[] | undefined, number: number): StoreError {
  const has =
    questions === undefined
      ? 'is not one of several questions'
      : `has ${questions.length === 1 ? 'one question' : `${questions.length} questions`}, and no question ${number}`
  return new StoreError({
    code: 'store/no-question',
    message: `The run ${id} ${has}.`,
    hint: questions ? 'The first is 1.' : `Show it as it is: memagent show ${id}`,
    details: { id, number },
  })
}
