/**
 * The long form of `server-kills.test.ts`: `npm run test:server-kills` kills a server 10 times with `kill -9` while it has 20 runs, of
 * which it reads four at a time; `npm run test:server-kills -- 40 30` for 40 runs and 30 kills.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killServer } from './killed-server.ts'

const [runs = '20', kills = '10'] = process.argv.slice(2)
const tell = (line: string) => process.stdout.write(`${line}\n`)
const folder = await mkdtemp(join(tmpdir(), 'memagent-server-kills-'))
try {
  const plan = { runs: Number(runs), kills: Number(kills), sentences: 40 * Number(kills) }
  const { problems, ...report } = await killServer(folder, plan, tell)
  tell(
    `${report.kills} kills of a server with ${runs} runs: ${report.steps} steps told, each once, over ${report.connections} connections; ${report.repeated} calls repeated`,
  )
  for (const problem of problems) tell(`PROBLEM ${problem}`)
  tell(problems.length === 0 ? 'all right' : `${problems.length} problems`)
  process.exitCode = problems.length === 0 ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
