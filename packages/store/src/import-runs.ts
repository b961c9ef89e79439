/** Imports exported runs. Lines may come from anywhere, so each one is checked. */
import {
  type Checkpoint,
  canonicalJson,
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
import { type Fields, isCount, isDescription, isFailure, isObject, isText } from './run-fields.ts'
import { problemOfResult } from './run-result.ts'
import type { RunResult } from './run-store.ts'
import { insertEntry, outcomeOf } from './run-writer.ts'

/**
 * Imports runs one by one, skipping those that are already in the store.
 * @returns the ids as they are imported
 * @throws StoreError naming the bad line, or at the end if runs were skipped
 */
export async function* importRuns(
  database: Database,
  lines: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  const here: RunHere[] = []
  let isEmpty = true
  for await (const { run, entries } of runsIn(lines)) {
    isEmpty = false
    const as = await insertRun(database, run, entries)
    if (as === undefined) yield run.id
    else here.push({ id: run.id, as })
  }
  if (isEmpty) throw badLine(1, 'there is no run')
  if (here.length > 0) throw areHere(here)
}

async function* runsIn(lines: AsyncIterable<string> | Iterable<string>) {
  let run: ExportedRun | undefined
  let entries: LogEntry[] = []
  let number = 0
  // A whole file as one text has its lines, too; its characters are none.
  for await (const text of typeof lines === 'string' ? lines.split('\n') : lines) {
    number++
    if (typeof text !== 'string') throw badLine(number, 'it is no text')
    if (text.trim() === '') continue
    const line = parseLine(text, number)
    if (!run) {
      run = checkedRun(line, number)
    } else if (line.type === 'end') {
      if (line.id !== run.id) throw badLine(number, `it ends another run than ${run.id}`)
      yield { run, entries }
      run = undefined
      entries = []
    } else {
      const problem = logEntry(line, 'it')
      if (problem !== undefined) throw badLine(number, problem)
      entries.push(line as unknown as LogEntry)
    }
  }
  if (run) throw badLine(number, `the run ${run.id} is cut short here`)
}

function parseLine(text: string, number: number): Fields {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {
    // Reported below.
  }
  throw badLine(number, 'it is not a JSON object')
}

/** Milliseconds since 1970, at most a day ahead: the clock of another machine may be fast. */
const isTime = (value: unknown) => isCount(value) && (value as number) <= Date.now() + dayMs
const dayMs = 86_400_000

function checkedRun(line: Fields, number: number): ExportedRun {
  if (line.type !== 'memagent-run') throw badLine(number, 'it does not begin a run')
  if (line.version !== exportVersion) throw badLine(number, `its version is not ${exportVersion}`)
  const { id, createdMs, updatedMs, steps, isFinished, identity, questions = [] } = line
  const isSound =
    isText(id) &&
    /^[0-9a-f]{4,40}$/.test(id as string) &&
    [createdMs, updatedMs].every(isTime) &&
    isCount(steps) &&
    typeof isFinished === 'boolean' &&
    isObject(identity) &&
    isDescription(line) &&
    (line.failure === undefined || isFailure(line.failure)) &&
    [undefined, 'found', 'not-found', 'unsure', 'notes', 'answers'].includes(line.outcome as undefined)
  if (!isSound) throw badLine(number, 'a field of the run is missing, or is not what it should be')
  const problem =
    problemOfResult(line.result, (questions as readonly unknown[]).length) ?? problemOfSummary(line)
  if (problem !== undefined) throw badLine(number, problem)
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

/** Lists of runs show the outcome from the line, the run itself shows that of its result: they must agree. */
function problemOfSummary({ result, outcome, isFinished }: Fields): string | undefined {
  const ended = isObject(result) ? (result as unknown as RunResult) : undefined
  if (isFinished !== (ended !== undefined))
    return `it is ${ended ? 'not finished and has' : 'finished and has no'} result`
  return outcome === (ended && outcomeOf(ended)) ? undefined : 'its outcome is not that of its result'
}

/** @returns the id of the run already in the store, if this one was not imported */
async function insertRun(
  database: Database,
  run: ExportedRun,
  entries: readonly LogEntry[],
): Promise<string | undefined> {
  const { id, question, questions, document, model, workflow, failure, result, checkpoint } = run
  return database.transaction(async (queries) => {
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
      // Without its settings: an imported file must not choose the server that texts are sent to, or a module to load.
      JSON.stringify({ question, questions, document, model, workflow }),
      canonicalJson(run.identity),
      result ? JSON.stringify(result) : null,
      checkpoint ? JSON.stringify(checkpoint) : null,
    )
    if (inserted === 0) {
      const [row] = await queries.all(
        "SELECT id FROM runs WHERE id = ? OR (run_key = ? AND state <> 'finished') LIMIT 1",
        id,
        runKey(run.identity as RunIdentity),
      )
      return String(row?.id ?? id)
    }
    const lastMemories: LastMemories = new Map()
    for (const entry of entries) await insertEntry(queries, id, entry, lastMemories)
    return undefined
  })
}

const badLine = (number: number, problem: string) =>
  new StoreError({
    code: 'store/bad-import',
    message: `Line ${number} cannot be imported: ${problem}.`,
    hint: 'Import what memagent runs export wrote, as a whole.',
    details: { line: number },
  })

/** A run that was skipped, and the one already in the store: the same run, or an unfinished run with the same identity. */
interface RunHere {
  readonly id: string
  readonly as: string
}

function areHere(runs: readonly RunHere[]) {
  const named = runs.map(({ id, as }) => (id === as ? id : `${id} (here as ${as}, unfinished)`))
  return new StoreError({
    code: 'store/run-exists',
    message:
      runs.length === 1
        ? `The run ${named[0]} is in the store already, and was not imported.`
        : `${runs.length} runs are in the store already, and were not imported: ${named.join('; ')}.`,
    hint: `To replace what is here, remove it first: memagent runs rm ${runs.map(({ as }) => as).join(' ')}`,
    details: { ids: runs.map(({ id }) => id) },
  })
}
