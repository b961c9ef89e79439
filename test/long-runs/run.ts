/**
 * The long forms of `runs.test.ts`: `npm run test:runs` kills the real command 200 times, and has 20 processes write one
 * store for a minute. `npm run test:runs -- 50 10` for 50 kills and 10 seconds.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killRuns } from './killed-runs.ts'
import { writeTogether } from './many-writers.ts'

const [kills = '200', seconds = '60'] = process.argv.slice(2)
const folder = await mkdtemp(join(tmpdir(), 'memagent-runs-'))
const tell = (line: string) => process.stdout.write(`${line}\n`)
let problems: readonly string[] = []
try {
  const together = await writeTogether(folder, 20, Number(seconds))
  tell(
    `20 processes, ${seconds} s: ${together.told} runs told, ${together.kept} kept, ${together.steps} steps`,
  )
  problems = [...together.problems, ...(together.told === together.kept ? [] : ['runs were lost'])]
  const killed = await killRuns(folder, Number(kills), tell)
  tell(`${killed.kills} kills of ${killed.runs} runs: ${killed.repeated} calls repeated`)
  problems = [...problems, ...killed.problems]
} finally {
  await rm(folder, { recursive: true, force: true })
}
for (const problem of problems) tell(`PROBLEM ${problem}`)
tell(problems.length === 0 ? 'all right' : `${problems.length} problems`)
process.exitCode = problems.length === 0 ? 0 : 1
