/** Converts rows of a store to sessions. */
import type { Queries, Row } from './database.ts'
import { StoreError } from './errors.ts'
import { descriptionOf } from './rows.ts'
import type { NewDocument, SessionDocument, SessionSummary } from './session-store.ts'

/** SQL: the session of a run, if it has later readings. */
export const laterReadings = `SELECT sessions.name AS name FROM session_readings AS own
  JOIN session_readings AS later ON later.session = own.session AND later.number > own.number
  JOIN sessions ON sessions.id = own.session WHERE own.run = ?`

/** A session is described by its last reading, even after one was removed. */
const lastReading = (
  column: 'id' | 'description',
) => `SELECT run.${column} FROM session_readings AS reading JOIN runs AS run ON run.id = reading.run
  WHERE reading.session = sessions.id ORDER BY reading.number DESC LIMIT 1`

/** A document that was read in parts, or again after it changed, counts once. */
const differentDocuments = `SELECT count(DISTINCT path) FROM session_documents AS document
  JOIN session_readings AS reading ON reading.run = document.run WHERE reading.session = sessions.id`

/** Sessions with at least one reading, with the totals of their readings. */
export const sessionSummaries = `SELECT sessions.id AS id, sessions.name AS name, sessions.created_ms AS created_ms,
    (${lastReading('id')}) AS last_run, (${lastReading('description')}) AS description, max(runs.updated_ms) AS updated_ms, count(*) AS readings,
    sum(runs.steps) AS steps, max(CASE WHEN runs.state = 'unfinished' THEN runs.id END) AS unfinished,
    (${differentDocuments}) AS documents
  FROM sessions JOIN session_readings ON session_readings.session = sessions.id
  JOIN runs ON runs.id = session_readings.run`

export const grouped = 'GROUP BY sessions.id, sessions.name, sessions.created_ms'

/** @throws StoreError `store/damaged` if its last reading is */
export function sessionOf(row: Row, store: string): SessionSummary {
  const { document: _, ...description } = descriptionOf(String(row.last_run), row.description, store)
  return { ...description, ...totalsOf(row) }
}

/** The session for a list, which a damaged one must not hide. */
export function listedSessionOf(row: Row, store: string): SessionSummary {
  try {
    return sessionOf(row, store)
  } catch (error) {
    if (!StoreError.isInstance(error)) throw error
    return { model: '', workflow: '', damaged: String(row.last_run), ...totalsOf(row) }
  }
}

const totalsOf = (row: Row) => ({
  name: String(row.name),
  createdMs: Number(row.created_ms),
  updatedMs: Number(row.updated_ms),
  readings: Number(row.readings),
  documents: Number(row.documents),
  steps: Number(row.steps),
  ...(row.unfinished === null ? {} : { unfinished: String(row.unfinished) }),
})

export const documentOf = (row: Row): SessionDocument => ({
  reading: Number(row.reading),
  number: Number(row.number),
  path: String(row.path),
  ...(row.read_as === null ? {} : { readAs: String(row.read_as) }),
  sizeBytes: Number(row.size_bytes),
  sha256: String(row.sha256),
  ...(row.input === null ? {} : { input: String(row.input) }),
  startByte: Number(row.start_byte),
  ...(row.end_byte === null ? {} : { endByte: Number(row.end_byte) }),
  isRead: row.state === 'finished',
})

export async function insertDocument(
  queries: Queries,
  run: string,
  number: number,
  { path, sizeBytes, sha256, input, startByte = 0 }: NewDocument,
): Promise<void> {
  await queries.run(
    `INSERT INTO session_documents (run, number, path, size_bytes, sha256, input, start_byte) VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[run, number, path, sizeBytes, sha256, input ?? null, startByte],
  )
}
