/**
 * Makes the fixtures of the present version, once it is released: `node --conditions=@memagent/source test/old-stores/make.ts FOLDER`
 * writes runs.sqlite with the standard input of its runs, and what an undisturbed reading ends with.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { runCommand } from '../cli/run-cli.ts'
import { commandOf, createServerOfOld, readings, text } from './readings.ts'

const folder = resolve(process.argv[2] ?? '')
const store = join(folder, 'runs.sqlite')
await mkdir(folder, { recursive: true })
const results: unknown[] = []
for (const reading of readings) {
  let child: { kill(signal: 'SIGKILL'): void } | undefined
  let [calls, hangsAt] = [0, 0]
  const server = await createServerOfOld(
    (number) => {
      calls = number
      // Replies to concurrent calls still arrive, and are kept.
      if (number === hangsAt) void setTimeout(1500).then(() => child?.kill('SIGKILL'))
    },
    () => hangsAt,
  )
  try {
    const whole = await runCommand([...commandOf(reading, server), '--no-store'], { input: text })
    const undisturbed = { calls, ...JSON.parse(whole.stdout) }
    hangsAt = reading.killedAt === undefined ? 0 : calls + reading.killedAt
    const limit = reading.stoppedAfter === undefined ? [] : ['--max-calls', `${reading.stoppedAfter}`]
    const kept = await runCommand([...commandOf(reading, server), '--store', store, ...limit], {
      input: text,
      // A folder that exists everywhere.
      folder: '/',
      onStart: (started) => {
        child = started
      },
    })
    process.stdout.write(`${reading.question}: ${kept.code ?? kept.signal}\n`)
    results.push({ question: reading.question, undisturbed })
  } finally {
    await server.close()
  }
}
await writeFile(join(folder, 'undisturbed.json'), `${JSON.stringify(results, null, 2)}\n`)
const database = new DatabaseSync(store)
database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE')
for (const table of ['runs', 'steps', 'memories', 'conversations']) {
  process.stdout.write(
    `${JSON.stringify(database.prepare(`SELECT '${table}', count(*) FROM ${table}`).get())}\n`,
  )
}
database.close()
