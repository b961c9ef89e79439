/** Takes in exported runs. Lines may come from anywhere, so every one is checked. */
import {
  type Checkpoint,
  canonical,
  checkedCheckpoint,
  checkpointsOfQuestions,
  type LogEntry,
  logEntry,
  MemAgentError,
  type RunIdentity,
} from '@memagent/core'
import type { Database } from './database.ts'
import { StoreError } from './errors.ts'
import { type ExportedRun, exportVersion } from './exported-run.ts'
import type { LastMemories } from './repeated-text.ts'
import { runKey } from './rows.ts'
import { insertEntry } from './run-writer.ts'

/** @throws StoreError naming the line */
export async function importRuns(
  database: Database,
  lines: AsyncIterable<string> | Iterable<string>,
): Promise<readonly string[]> {
  const imported: string[] = []
  let run: ExportedRun | undefined
  let entries: LogEntry[] = []
  let number = 0
  for await (const text of lines) {
    number++
    if (text.trim() === '') continue
    const line = parseLine(text, number)
    if (!run) {
      run = checkedRun(line, number)
    } else if (line.type === 'end') {
      if (line.id !== run.id) throw badLine(number, `it ends another run than ${run.id}`)
      await insertRun(database, run, entries)
      imported.push(run.id)
      run = undefined
      entries = []
    } else {
      const problem = logEntry(line, 'it')
      if (problem !== undefined) throw badLine(number, problem)
      entries.push(line as unknown as LogEntry)
    }
  }
  if (run) throw badLine(number, `the run ${run.id} is cut short here`)
  if (imported.length === 0) throw badLine(number, 'there is no run')
  return imported
}

type Line = Readonly<Record<string, unknown>>

function parseLine(text: string, number: number): Line {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Said below.
  }
  throw badLine(number, 'it is not a JSON object')
}

const isObject = (value: unknown): value is Line =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isText = (value: unknown) => typeof value === 'string'
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0

function checkedRun(line: Line, number: number): ExportedRun {
  if (line.type !== 'memagent-run') throw badLine(number, 'it does not begin a run')
  if (line.version !== exportVersion) throw badLine(number, `its version is not ${exportVersion}`)
  const {
    id,
    createdMs,
    updatedMs,
    steps,
    isFinished,
    identity,
    document,
    model,
    workflow,
    question,
    questions = [],
  } = line
  const isSound =
    isText(id) &&
    /^[0-9a-f]{4,40}$/.test(id as string) &&
    [createdMs, updatedMs, steps].every(isCount) &&
    typeof isFinished === 'boolean' &&
    isObject(identity) &&
    [document, model, workflow].every(isText) &&
    (question === undefined || isText(question)) &&
    Array.isArray(questions) &&
    questions.every(isText) &&
    [line.failure, line.result].every((part) => part === undefined || isObject(part)) &&
    [undefined, 'found', 'not-found', 'unsure', 'notes', 'answers'].includes(line.outcome as undefined)
  if (!isSound || !hasAnswerOfEach(line.result, questions))
    throw badLine(number, 'a field of the run is missing, or is not what it should be')
  try {
    if (line.checkpoint !== undefined)
      checkSteps(checkedCheckpoint(line.checkpoint, undefined), line.questions)
  } catch (error) {
    const problem = MemAgentError.isInstance(error) ? error.message : String(error)
    throw badLine(number, problem.replace(/\.$/, ''))
  }
  return line as unknown as ExportedRun
}

function checkSteps(checkpoint: Checkpoint, questions: unknown): void {
  if (Array.isArray(questions)) checkpointsOfQuestions(checkpoint, questions.length)
}

/** A result of several questions. */
function hasAnswerOfEach(result: unknown, questions: readonly unknown[]): boolean {
  if (!isObject(result) || result.type !== 'answers') return true
  const { answers } = result
  return Array.isArray(answers) && answers.length === questions.length && answers.every(isObject)
}

async function insertRun(database: Database, run: ExportedRun, entries: readonly LogEntry[]): Promise<void> {
  const { id, question, questions, document, model, workflow, failure, result, checkpoint } = run
  await database.transaction(async (queries) => {
    const inserted = await queries.run(
      `INSERT INTO runs (id, run_key, state, created_ms, updated_ms, steps, sequence, epoch, outcome, failure, description, identity, result, checkpoint)
        VALUES (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      runKey(run.identity as RunIdentity),
      run.isFinished ? 'finished' : 'unfinished',
      run.createdMs,
      run.updatedMs,
      run.steps,
      checkpoint?.sequence ?? 0,
      run.outcome ?? null,
      failure ? JSON.stringify(failure) : null,
      // Not its settings: a file from elsewhere must not choose the server that a text is sent to, nor a module to load.
      JSON.stringify({ question, questions, document, model, workflow }),
      canonical(run.identity),
      result ? JSON.stringify(result) : null,
      checkpoint ? JSON.stringify(checkpoint) : null,
    )
    if (inserted === 0) throw isHere(id)
    const lastMemories: LastMemories = new Map()
    for (const entry of entries) await insertEntry(queries, id, entry, lastMemories)
  })
}

const badLine = (number: number, problem: string) =>
  new StoreError({
    code: 'store/bad-import',
    message: `Line ${number} cannot be imported: ${problem}.`,
    hint: 'Import what memagent runs export wrote, as a whole.',
    details: { line: number },
  })

const isHere = (id: string) =>
  new StoreError({
    code: 'store/run-exists',
    message: `The run ${id}, or an unfinished one of the same reading, is in the store already.`,
    hint: `To replace it, remove it first: memagent runs rm ${id}`,
    details: { id },
  })
