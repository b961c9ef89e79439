/** The tables, and how a store of an older version is upgraded. */
import type { Database, Queries } from './database.ts'
import { StoreError } from './errors.ts'

/**
 * Version n is the result of the first n lists. A released list never changes, so a store of any older version opens. The
 * SQL is the common subset of SQLite and Postgres.
 */
const migrations: readonly (readonly string[])[] = [
  [
    `CREATE TABLE runs (
      id TEXT PRIMARY KEY,
      run_key TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('unfinished', 'finished')),
      created_ms BIGINT NOT NULL,
      updated_ms BIGINT NOT NULL,
      steps INTEGER NOT NULL,
      sequence INTEGER NOT NULL,
      epoch INTEGER NOT NULL,
      owner TEXT,
      leased_until_ms BIGINT,
      outcome TEXT,
      failure TEXT,
      description TEXT NOT NULL,
      identity TEXT NOT NULL,
      result TEXT,
      checkpoint TEXT
    )`,
    // Two processes that ask the same thing at the same time get one run.
    `CREATE UNIQUE INDEX unfinished_runs ON runs (run_key) WHERE state = 'unfinished'`,
    `CREATE TABLE steps (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      sequence INTEGER NOT NULL,
      events TEXT NOT NULL,
      PRIMARY KEY (run, sequence)
    )`,
    `CREATE TABLE memories (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      entry TEXT NOT NULL,
      PRIMARY KEY (run, number)
    )`,
    `CREATE TABLE conversations (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      place TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      entry TEXT NOT NULL,
      PRIMARY KEY (run, place)
    )`,
  ],
  [
    `CREATE TABLE sessions (
      id TEXT PRIMARY KEY,
      name TEXT NOT NULL UNIQUE,
      created_ms BIGINT NOT NULL,
      description TEXT NOT NULL
    )`,
    // A reading is finished when its run is.
    `CREATE TABLE session_readings (
      session TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      run TEXT NOT NULL UNIQUE REFERENCES runs (id) ON DELETE CASCADE,
      PRIMARY KEY (session, number)
    )`,
    `CREATE TABLE session_documents (
      run TEXT NOT NULL REFERENCES session_readings (run) ON DELETE CASCADE,
      number INTEGER NOT NULL,
      path TEXT NOT NULL,
      size_bytes BIGINT NOT NULL,
      sha256 TEXT NOT NULL,
      input TEXT,
      start_byte BIGINT NOT NULL,
      end_byte BIGINT,
      PRIMARY KEY (run, number)
    )`,
  ],
  [
    `CREATE TABLE client_keys (
      name TEXT PRIMARY KEY,
      hash TEXT NOT NULL UNIQUE,
      created_ms BIGINT NOT NULL
    )`,
  ],
  [
    // Replies of all runs, by the hash of the request. `used_ms` orders them for eviction.
    `CREATE TABLE cached_replies (
      hash TEXT PRIMARY KEY,
      format INTEGER NOT NULL,
      reply TEXT NOT NULL,
      bytes INTEGER NOT NULL,
      tokens BIGINT NOT NULL,
      hits BIGINT NOT NULL,
      used_ms BIGINT NOT NULL
    )`,
    'CREATE INDEX cached_replies_by_use ON cached_replies (used_ms, bytes)',
    // The runs that wrote or used a reply: it is erased with the last of them.
    `CREATE TABLE cached_reply_uses (
      run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      hash TEXT NOT NULL,
      PRIMARY KEY (run, hash)
    )`,
    'CREATE INDEX cached_reply_uses_by_hash ON cached_reply_uses (hash)',
    'CREATE TABLE store_settings (name TEXT PRIMARY KEY, value TEXT NOT NULL)',
    // A session is described by the runs of its readings.
    'ALTER TABLE sessions DROP COLUMN description',
    // The path that a file had when it was read, if it was moved since.
    'ALTER TABLE session_documents ADD COLUMN read_as TEXT',
  ],
  [
    'ALTER TABLE client_keys ADD COLUMN readings INTEGER',
    'ALTER TABLE client_keys ADD COLUMN requests_per_minute INTEGER',
  ],
  ['CREATE INDEX runs_by_age ON runs (created_ms DESC, id)'],
]

export const schemaVersion = migrations.length

/** @throws StoreError if the store has a newer version */
export async function migrate(database: Database): Promise<void> {
  if ((await versionOf(database).catch(() => 0)) === schemaVersion) return
  await database.transaction(
    async (queries) => {
      await queries.run('CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)')
      const version = await versionOf(queries)
      if (version > schemaVersion) throw ofNewerVersion(database.name, version)
      for (const statement of migrations.slice(version).flat()) await queries.run(statement)
      await queries.run('DELETE FROM schema_version')
      await queries.run('INSERT INTO schema_version (version) VALUES (?)', schemaVersion)
    },
    { isAlone: true },
  )
}

async function versionOf(queries: Queries): Promise<number> {
  const [row] = await queries.all('SELECT version FROM schema_version')
  return Number(row?.version ?? 0)
}

const ofNewerVersion = (name: string, version: number) =>
  new StoreError({
    code: 'store/version',
    message: `The store ${name} has version ${version}; this program knows versions up to ${schemaVersion}.`,
    hint: 'Use the newer memagent that wrote it, or another store (--store PATH).',
    details: { name, version },
  })
