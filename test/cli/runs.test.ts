/** Every reading is a run: listed, shown, resumed, moved to another store and erased. */
import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { openRunStore } from '@memagent/store'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { type CommandOptions, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls = 0
let onCall: (() => void) | undefined
beforeAll(async () => {
  server = await createStubServer({
    respond: ({ messages }) => {
      calls++
      onCall?.()
      const prompt = messages.at(-1)!.content
      const days = [...prompt.matchAll(/day (\d+)/g)].map(([, day]) => Number(day))
      return prompt.includes('<section>')
        ? `The last was day ${Math.max(...days)}.`
        : `\\boxed{${Math.max(...days, 0)}}`
    },
  })
})
afterAll(() => server.close())

const guests = Array.from({ length: 120 }, (_, i) => `Guest ${i} came on day ${i}.`).join(' ')
let data: string
let file: string
let number = 0
beforeEach(async () => {
  data = folder.join(`data-${number}`)
  file = folder.join(`guests-${number++}.txt`)
  await writeFile(file, guests)
  calls = 0
  onCall = undefined
})

const run = (args: readonly string[], options: CommandOptions = {}) =>
  runCommand(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } })
const model = () => ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '100']
const ask = (args: readonly string[], options?: CommandOptions) =>
  run(['ask', 'Which day was last?', ...model(), ...args], options)
const listed = async () => JSON.parse((await run(['runs', '--json'])).stdout)

it('lists a run, and replays its memory step by step', async () => {
  const { stdout, code } = await ask([file])
  expect({ stdout, code }).toEqual({ stdout: '119\n', code: 0 })
  const [{ id, ...listedRun }] = await listed()
  expect(listedRun).toMatchObject({ state: 'finished', outcome: 'found', question: 'Which day was last?' })
  expect((await run(['runs', 'which day'])).stdout).toContain(id)
  const shown = (await run(['show', id.slice(0, 5)])).stdout
  expect(shown).toContain('Question: Which day was last?')
  expect(shown).toMatch(
    /Step 2: .*guests-0\.txt, .*bytes [\d,]+ to [\d,]+\n {2}- The last was day \d+\.\n {2}\+ The last was day \d+\./,
  )
  expect(shown).toContain('Answer (found): 119')
  const [first, ...events] = (await run(['show', id, '--json'])).stdout.trim().split('\n')
  expect(JSON.parse(first!)).toMatchObject({ type: 'run', id, result: { answer: { text: '119' } } })
  expect(events.map((line) => JSON.parse(line).type).filter((type) => type === 'chunk-end')).toHaveLength(
    listedRun.steps,
  )
})

it('says how to resume after Ctrl-C, and pays for no call twice', async () => {
  const whole = JSON.parse((await ask([file, '--json', '--no-store'])).stdout)
  calls = 0
  const interrupted = await ask([file], {
    onStart: (child) => {
      onCall = () => {
        if (calls === 4) child.kill('SIGINT')
      }
    },
  })
  expect(interrupted.code).toBe(130)
  const [, id] = /Resume it: memagent resume ([0-9a-f]{10})/.exec(interrupted.stderr) ?? []
  expect(await listed()).toMatchObject([{ id, state: 'unfinished', failure: { code: 'interrupted' } }])
  onCall = undefined
  const resumed = JSON.parse((await run(['resume', id!, '--json'])).stdout)
  expect(resumed).toEqual({ ...whole, seconds: expect.any(Number), usage: expect.anything() })
  // A call that was answered while the reading was being stopped comes from the cache.
  const { fromCache, ...usage } = resumed.usage
  for (const name of ['calls', 'promptTokens', 'completionTokens']) usage[name] += fromCache?.[name] ?? 0
  expect(usage).toEqual(whole.usage)
  // The call under way may be repeated.
  expect(calls).toBeLessThanOrEqual(whole.usage.calls + 1)
})

it('continues the same reading when it is asked again, and names a file that changed', async () => {
  await ask([file, '--max-calls', '3'])
  const again = await ask([file])
  expect(again.stderr).toMatch(/This reading was begun before: continuing run [0-9a-f]{10}\./)
  expect(await listed()).toHaveLength(1)
  await ask([file, '--max-calls', '2', '--no-cache'])
  const [{ id }] = await listed()
  await writeFile(file, `${guests} Nobody came on day 500.`)
  const refused = await run(['resume', id])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/another document.*guests-\d+\.txt has changed \([\d,]+ bytes then/)
  const fresh = await ask([file])
  expect(fresh.stdout).toBe('500\n')
  expect(fresh.stderr).toMatch(/cannot be continued: .*has changed/)
})

it('keeps standard input so that it can be resumed, for its owner alone, until the run is erased', async () => {
  const inputs = join(data, 'memagent', 'runs.sqlite.inputs')
  await ask(['--max-calls', '3'], { input: guests })
  const [kept] = await readdir(inputs)
  expect((await stat(join(inputs, kept!))).mode & 0o777).toBe(0o600)
  expect(await readFile(join(inputs, kept!), 'utf8')).toBe(guests)
  const [{ id }] = await listed()
  expect((await run(['resume', id])).stdout).toBe('119\n')
  const other = await ask(['--max-calls', '3'], { input: `${guests} Nobody came on day 500.` })
  expect(other.stderr).not.toContain('begun before')
  expect(await readdir(inputs)).toHaveLength(2)
  expect((await run(['runs', 'rm', id])).stderr).toBe(`Run ${id} is erased.\n`)
  expect(await readdir(inputs)).not.toContain(kept)
  expect((await run(['show', id])).code).toBe(1)
})

it.skipIf(process.platform === 'win32')(
  'is interrupted while it keeps standard input, and leaves nothing',
  async () => {
    const { code, stdout, stderr } = await ask(['--json'], {
      keepsInput: true,
      onStart: (child) => {
        child.stdin!.write(guests)
        const seen = setInterval(async () => {
          const names = await readdir(join(data, 'memagent', 'runs.sqlite.inputs')).catch(() => [])
          if (names.length === 0) return
          clearInterval(seen)
          child.kill('SIGINT')
        }, 20)
      },
    })
    expect({ code, said: stderr.match(/Interrupted\./g) }).toEqual({ code: 130, said: ['Interrupted.'] })
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', error: { code: 'interrupted' } })
    expect(await readdir(join(data, 'memagent', 'runs.sqlite.inputs'))).toEqual([])
    expect(await listed()).toEqual([])
  },
)

it('moves runs to another store', async () => {
  await ask([file, '--max-calls', '3'])
  const [{ id }] = await listed()
  const [exported, other] = [folder.join('run.jsonl'), folder.join('other.sqlite')]
  await run(['runs', 'export', id, '--output', exported])
  const latin1 = folder.join('latin1.jsonl')
  await writeFile(latin1, (await readFile(exported, 'utf8')).replace('?', '\u00f6'), 'latin1')
  const refused = await run(['runs', 'import', latin1, '--store', other])
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('latin1.jsonl: it is not UTF-8.'),
  ])
  expect((await run(['runs', 'import', exported, '--store', other])).stderr).toBe(`Run ${id} is imported.\n`)
  for (const target of [other, `${other}-wal`]) {
    const over = await run(['runs', 'export', id, '--store', other, '--output', target])
    expect([over.code, over.stderr]).toEqual([
      2,
      expect.stringContaining(`error: ${target} belongs to the store`),
    ])
  }
  const foreign = await run(['resume', id, '--store', other])
  expect(foreign.stderr).toContain('store/no-settings')
  const stopped = await ask([file, '--max-calls', '3', '--store', other])
  expect(stopped.stderr).toContain(`continuing run ${id}`)
  // Now that it was asked here, how to read it is known.
  expect((await run(['resume', id, '--store', other])).stdout).toBe('119\n')
  const piped = await run(['runs', 'import', '--store', other], { input: '{"type":"memagent-run"}' })
  expect(piped.stderr).toContain('store/bad-import')
})

it('keeps no secret, and asks for it again', async () => {
  const secret = 'key-0123456789'
  await ask([file, '--max-calls', '3', '--header', `X-Key: ${secret}`])
  const [{ id }] = await listed()
  for (const name of await readdir(join(data, 'memagent'))) {
    expect(await readFile(join(data, 'memagent', name), 'latin1')).not.toContain(secret)
  }
  expect((await run(['resume', id])).stderr).toContain('--header, which is not kept')
  expect((await run(['resume', id, '--header', `X-Key: ${secret}`])).stdout).toBe('119\n')
})

it('makes no call when the run cannot be kept', async () => {
  for (const store of ['/proc/memagent/runs.sqlite', file]) {
    const { code, stderr } = await ask([file, '--store', store])
    expect(code).toBe(1)
    expect(stderr).toMatch(/--store PATH.*--no-store/)
  }
  expect(await readFile(file, 'utf8')).toBe(guests)
  expect(calls).toBe(0)
})

it('reads without a store on a Node without SQLite, and says so', async () => {
  const { stdout, stderr } = await runCommand(['ask', 'Which day was last?', file, ...model()], {
    flags: ['--no-experimental-sqlite'],
    environment: { XDG_DATA_HOME: data },
  })
  expect(stdout).toBe('119\n')
  expect(stderr.match(/This run is not kept: Node .* has no SQLite/g)).toHaveLength(1)
})

it('takes the address of a database for no path, and repeats no password', { timeout: 60_000 }, async () => {
  const before = await readdir(folder.join('.'))
  const store = 'postgres://reader:hunter2@127.0.0.1:1/runs'
  const { code, stdout, stderr } = await run(['runs', '--store', store], { folder: folder.join('.') })
  expect(code).toBe(1)
  expect(stdout + stderr).toContain('store/unreachable')
  expect(stdout + stderr).not.toContain('hunter2')
  expect(await readdir(folder.join('.'))).toEqual(before)
})

it('makes no store where it only looks into one', async () => {
  const store = folder.join('mistyped', 'runs.sqlite')
  for (const args of [
    ['runs'],
    ['show', 'abcd'],
    ['resume', 'abcd'],
    ['runs', 'rm', 'abcd'],
    ['session', 'list'],
  ]) {
    const { code, stderr } = await run([...args, '--store', store])
    expect([code, stderr]).toEqual([1, expect.stringContaining(`There is no store ${store}.`)])
  }
  const named = await run(['runs'], { environment: { MEMAGENT_STORE: store } })
  expect([named.code, named.stderr]).toEqual([1, expect.stringContaining(`There is no store ${store}.`)])
  expect(existsSync(folder.join('mistyped'))).toBe(false)
})

it('lists a damaged run with the others, and erases it', async () => {
  for (const question of ['Who came?', 'Who left?']) await run(['ask', question, file, ...model()])
  const path = join(data, 'memagent', 'runs.sqlite')
  const store = new DatabaseSync(path)
  store.exec(`UPDATE runs SET description = '{"question' WHERE description LIKE '%Who left?%'`)
  store.close()
  const damaged = (await listed()).find((one: { isDamaged?: true }) => one.isDamaged).id
  const { stdout, code } = await run(['runs', '--store', path])
  expect(code).toBe(0)
  expect(stdout).toContain('Who came?')
  expect(stdout).toMatch(new RegExp(`${damaged} .* damaged .*memagent runs rm ${damaged} --store ${path}\\)`))
  expect((await run(['show', damaged])).stderr).toContain(`The run ${damaged} is damaged`)
  const erased = await run(['runs', 'rm', damaged])
  expect(erased).toMatchObject({ code: 0, stderr: expect.stringContaining(`Run ${damaged} is erased.\n`) })
  expect(erased.stderr).toContain(`may still be in ${path}.inputs\n`)
  expect(await listed()).toMatchObject([{ question: 'Who came?' }])
})

it('lists what was asked by a run of which only another part is damaged', async () => {
  await run(['ask', 'Who came?', file, ...model()])
  const store = new DatabaseSync(join(data, 'memagent', 'runs.sqlite'))
  store.exec(`UPDATE runs SET failure = '{'`)
  store.close()
  const { stdout } = await run(['runs'])
  expect(stdout).toMatch(/ damaged .*Who came\? \(erase it: memagent runs rm [0-9a-f]+\)\n/)
  const id = (await listed())[0].id
  expect((await run(['runs', 'rm', id])).stderr).toBe(`Run ${id} is erased.\n`)
})

it('without a name shows the latest run, and resumes the latest unfinished one of a command', async () => {
  const runHere = (args: readonly string[]) => runMain(args, { environment: { XDG_DATA_HOME: data } })
  const path = join(data, 'memagent', 'runs.sqlite')
  const none = await runHere(['show'])
  expect([none.code, none.stderr]).toEqual([1, expect.stringContaining('There is no run to show.\n')])
  await runHere(['ask', 'Who left?', file, ...model()])
  await runHere(['ask', `Who came?${' Say why.'.repeat(40)}`, file, ...model()])
  const [{ id }] = JSON.parse((await runHere(['runs', '--json'])).stdout)
  const shown = await runHere(['show'])
  expect(shown.stderr).toMatch(/: Who came\?.{90,91}\n$/)
  expect(shown.stderr).toContain(`The latest run is ${id} (${file}): `)
  expect(shown.stdout).toBe((await runHere(['show', id])).stdout)
  for (const settings of [{ server: {} }, undefined]) {
    const others = await openRunStore(path)
    await others.create({ question: 'Who is it?', document: 'a', model: 'a', workflow: 'a', settings })
    await others.close()
  }
  const finished = await runHere(['resume', '--store', path])
  expect(finished.code).toBe(1)
  expect(finished.stderr).toContain('There is no unfinished run that a command began here.\n')
  expect(finished.stderr).toContain(`All runs: memagent runs --store ${path}\n`)
  const store = new DatabaseSync(path)
  store.exec("UPDATE runs SET state = 'unfinished', result = NULL, outcome = NULL")
  store.close()
  const resumed = await runHere(['resume'])
  const told = `The latest unfinished run is ${id} (${file}): Who came?`
  expect([resumed.code, resumed.stderr]).toEqual([0, expect.stringContaining(told)])
})
