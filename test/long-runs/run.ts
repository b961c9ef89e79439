/**
 * The long forms of `runs.test.ts`: `npm run test:runs` kills the real command 200 times, and has 20 processes write one
 * store for a minute; in SQLite, and in Postgres where one is installed. `npm run test:runs -- 50 10` for 50 kills and 10
 * seconds; `-- --driver postgres` for one driver.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { administer } from '../../packages/store/src/testing/drivers.ts'
import { findPostgres } from '../../packages/store/src/testing/find-postgres.ts'
import { startCluster } from '../../packages/store/src/testing/postgres-cluster.ts'
import { problemsOf } from './integrity.ts'
import { killRuns } from './killed-runs.ts'
import { writeTogether } from './many-writers.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { driver: { type: 'string', default: 'both' } },
})
const [kills = '200', seconds = '60'] = positionals
const tell = (line: string) => process.stdout.write(`${line}\n`)
const problems: string[] = []

/** @param locate gives an empty store */
async function tryOut(folder: string, locate: (name: string) => Promise<string>): Promise<void> {
  const together = await writeTogether(await locate('together'), 20, Number(seconds))
  tell(
    `20 processes, ${seconds} s: ${together.told} runs told, ${together.kept} kept, ${together.steps} steps`,
  )
  problems.push(...together.problems, ...(together.told === together.kept ? [] : ['runs were lost']))
  const store = await locate('killed')
  const killed = await killRuns({
    keep: () => ['--store', store],
    isWrittenFirst: true,
    problemsOf: () => problemsOf(store),
    folder,
    kills: Number(kills),
    tell,
  })
  tell(`${killed.kills} kills of ${killed.runs} runs: ${killed.repeated} calls repeated`)
  problems.push(...killed.problems)
}

const folder = await mkdtemp(join(tmpdir(), 'memagent-runs-'))
try {
  if (values.driver !== 'postgres') {
    tell('SQLite')
    await tryOut(folder, async (name) => join(folder, `${name}.sqlite`))
  }
  const found = findPostgres()
  if (values.driver !== 'sqlite' && 'missing' in found) {
    tell(`Postgres: SKIPPED, since ${found.missing}`)
    if (values.driver === 'postgres') problems.push('nothing was tried')
  } else if (values.driver !== 'sqlite') {
    tell('Postgres')
    const cluster = await startCluster()
    try {
      await tryOut(folder, async (name) => {
        await administer(`${cluster.address}postgres`, `CREATE DATABASE ${name}`)
        return `${cluster.address}${name}`
      })
    } finally {
      await cluster.stop()
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) tell(`PROBLEM ${problem}`)
tell(problems.length === 0 ? 'all right' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
