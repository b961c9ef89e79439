/** Checks that this run can have left a checkpoint: its numbers agree, and the workflow accepts its state. */
import type { Json, Workflow } from '../workflows/workflow.ts'
import type { Checkpoint } from './checkpoint.ts'
import { stateOrigin } from './earlier-readings.ts'
import { damagedCheckpoint } from './parse-checkpoint.ts'

export interface Run<State extends Json> {
  readonly workflow: Workflow<State>
  readonly question: string | undefined
  /** Path of the checkpoint's file, for the message. */
  readonly path: string | undefined
}

/** @throws CheckpointError saying what is inconsistent */
export function checkCourse<State extends Json>(
  saved: Checkpoint,
  { workflow, question, path }: Run<State>,
): void {
  const problem = problemOf(saved, workflow, question)
  if (problem !== undefined) throw damagedCheckpoint(path, problem)
}

function problemOf<State extends Json>(
  {
    steps,
    sequence,
    position,
    isDone,
    answer,
    state,
    usage: { bytes },
    memoryLogLength: memories,
    earlier,
  }: Checkpoint,
  workflow: Workflow<State>,
  question: string | undefined,
): string | undefined {
  const { characters } = position
  const ordinal = position.ordinal - (earlier?.steps ?? 0)
  if (ordinal < 0) return 'its position is before its first chunk'
  if (ordinal > characters || (ordinal === 0 && characters > 0)) {
    return `its position is behind ${ordinal} chunks and ${characters} characters`
  }
  // Workflows with their own loop may read a text several times.
  if (!workflow.run && (steps !== ordinal || sequence !== steps)) {
    return `it counts ${steps} chunks in ${sequence} steps, and its position is behind ${ordinal}`
  }
  if (answer && !isDone) return 'it has an answer although its reading is not done'
  if (answer?.outcome === 'found' && answer.text === '') return 'its answer counts as found but is empty'
  const endedEarly = isDone && !position.isEnd
  const origin = stateOrigin(earlier, question, { steps, bytes, memories, isDone, endedEarly })
  if (!workflow.isState(state, origin)) {
    const when = `after ${steps} chunks${endedEarly ? ', before the end of the text' : ''}`
    const what = question === undefined ? 'without a question' : 'for this question'
    return `its state is none of the workflow ${workflow.name} ${what} ${when}`
  }
  return undefined
}
