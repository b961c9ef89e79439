/** Lists the runs of a store, newest first, page by page: a store may have very many. */
import type { Database, Row, Value } from './database.ts'
import { listedOf, summaryColumns } from './rows.ts'
import type { RunFilter, RunSummary } from './run-store.ts'

/** Rows loaded at a time. */
const page = 200

export async function listRuns(database: Database, filter: RunFilter): Promise<readonly RunSummary[]> {
  const { limit = Number.POSITIVE_INFINITY } = filter
  const found: RunSummary[] = []
  let { after } = filter
  while (found.length < limit) {
    const rows = await rowsAfter(database, filter, after)
    const runs = await Promise.all(rows.map((row) => listedOf(row, database.name)))
    found.push(...runs.filter((run) => isWanted(run, filter)))
    if (rows.length < page) break
    after = runs.at(-1)
  }
  return found.slice(0, limit)
}

/** Selects every wanted run, and perhaps others. */
function rowsAfter(
  database: Database,
  { state, text }: RunFilter,
  after: RunFilter['after'],
): Promise<readonly Row[]> {
  // A run that is being read is stored as unfinished.
  const states =
    state === undefined ? ['finished', 'unfinished'] : [state === 'finished' ? state : 'unfinished']
  const conditions = [`state IN (${states.map(() => '?')})`]
  const values: Value[] = [...states]
  if (after) {
    conditions.push('created_ms <= ? AND (created_ms < ? OR id > ?)')
    values.push(after.createdMs, after.createdMs, after.id)
  }
  const sure = surePart(text)
  if (sure !== '') {
    conditions.push('lower(description) LIKE ?')
    values.push(`%${sure}%`)
  }
  return database.all(
    `SELECT ${summaryColumns(database.nowMs)} FROM runs WHERE ${conditions.join(' AND ')}
      ORDER BY created_ms DESC, id LIMIT ${page}`,
    ...values,
  )
}

/** SQLite limits patterns to 50,000 bytes; a shorter one filters almost as well. */
const longestPart = 1000

/**
 * The longest part of a text that every database finds in a description, which is JSON: beyond ASCII, databases and
 * JavaScript disagree on lower case.
 */
const surePart = (text = ''): string =>
  text
    .toLowerCase()
    .split(/[^a-z0-9 .,:;?!()'-]+/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest), '')
    .slice(0, longestPart)

function isWanted(run: RunSummary, { state, text, accepts = () => true }: RunFilter): boolean {
  const wanted = text?.toLowerCase()
  const { question = '', questions = [], document, model } = run
  const isFound =
    (state === undefined || run.state === state) &&
    (wanted === undefined ||
      [question, ...questions, document, model].some((part) => part.toLowerCase().includes(wanted)))
  return (isFound || run.isDamaged === true) && accepts(run)
}
