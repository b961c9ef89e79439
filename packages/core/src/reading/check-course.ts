/** Whether a checkpoint can be what this run left: its numbers agree, and its state is the workflow's. */
import type { Json, Workflow } from '../workflows/workflow.ts'
import type { Checkpoint } from './checkpoint.ts'
import { damagedCheckpoint } from './parse-checkpoint.ts'

export interface Run<State extends Json> {
  readonly workflow: Workflow<State>
  readonly question: string
  /** Of the checkpoint, for the message. */
  readonly path: string | undefined
}

/** @throws CheckpointError saying what does not agree */
export function checkCourse<State extends Json>(saved: Checkpoint, { workflow, question, path }: Run<State>) {
  const { steps, sequence, position, isDone, answer } = saved
  const { ordinal, characters } = position
  const problem =
    ordinal > characters || (ordinal === 0 && characters > 0)
      ? `its position is behind ${ordinal} chunks and ${characters} characters`
      : workflow.run === undefined && (steps !== ordinal || sequence !== steps)
        ? `it counts ${steps} chunks in ${sequence} steps, and its position is behind ${ordinal}`
        : answer && !isDone
          ? 'it has an answer, and its reading is not done'
          : answer?.outcome === 'found' && answer.text === ''
            ? 'its answer is found and empty'
            : !workflow.isState(saved.state, { question, steps })
              ? `its state is none of the workflow ${workflow.name} for this question after ${steps} chunks`
              : undefined
  if (problem !== undefined) throw damagedCheckpoint(path, problem)
}
