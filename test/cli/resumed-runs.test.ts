/** What resuming says: of a finished run, of files that changed, of a folder that is gone; and that its commands can be pasted. */
import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CommandOptions, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let answer = ''
beforeAll(async () => {
  server = await createStubServer({
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const days = [...prompt.matchAll(/day (\d+)/g)].map(([, day]) => Number(day))
      const last = Math.max(...days, 0)
      if (prompt.includes('<section>')) return `guest ${last} came on day ${last}`
      return answer || `\\boxed{${last}}`
    },
  })
})
afterAll(() => server.close())

const guests = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `Guest ${from + i} came on day ${from + i}.`).join(' ')
let texts: string
let data: string
let number = 0
beforeEach(async () => {
  answer = ''
  data = folder.join(`data-${number}`)
  texts = folder.join(`texts ${number++}`)
  await mkdir(texts)
  for (let i = 0; i < 3; i++) await writeFile(join(texts, `day-${i}.txt`), guests(40 * i, 40 * i + 40))
})

const run = (args: readonly string[], options: CommandOptions = {}) =>
  runCommand(args, { ...options, environment: { XDG_DATA_HOME: data, ...options.environment } })
const ask = (args: readonly string[], options?: CommandOptions) =>
  run(
    [
      ...['ask', 'Which day was last?', '--model', 'openai:stub'],
      ...['--base-url', server.baseUrl, '--chunk', '100', ...args],
    ],
    options,
  )
const firstRun = async () => JSON.parse((await run(['runs', '--json'])).stdout)[0]

it('says that a run keeps its window, where the server has a smaller one by now', async () => {
  await ask([texts, '--window', '8192', '--max-calls', '2'])
  const { id } = await firstRun()
  const small = await createStubServer({ contextWindow: 4096 })
  const { code, stderr } = await run(['resume', id, '--base-url', small.baseUrl])
  await small.close()
  expect(code).toBe(2)
  expect(stderr).toContain('is served with a window of 4096 tokens; the reading is set up for 8192.')
  expect(stderr).toContain(
    `A run keeps its window: serve the model with one as large as before. To start over, remove the run: memagent runs rm ${id}`,
  )
})

it('shows the answer of a finished run again, and exits as it did', async () => {
  const asked = JSON.parse((await ask([texts, '--json'])).stdout)
  const { id } = await firstRun()
  const { profile: _, remarks, ...kept } = asked
  expect(remarks).toEqual([])
  const again = await run(['resume', id, '--json'])
  expect({ code: again.code, document: JSON.parse(again.stdout) }).toEqual({ code: 0, document: kept })
  const plain = await run(['resume', id])
  expect(plain.stdout).toBe('119\n')
  expect(plain.stderr).toMatch(/^Run [0-9a-f]{10} is finished: memagent show [0-9a-f]{10}\nSources:\n/)
  answer = '\\boxed{not in the text}'
  const unknown = await ask([texts, '--seed', '2'])
  const later = await run(['resume', (await firstRun()).id, '--quiet', '--events'])
  expect([unknown.code, later.code]).toEqual([3, 3])
  expect(JSON.parse(later.stdout)).toMatchObject({ type: 'answer', answer: { outcome: 'not-found' } })
})

it('names what changed, appeared and vanished in a folder', async () => {
  await ask([texts, '--max-calls', '2'])
  const { id } = await firstRun()
  await writeFile(join(texts, 'day-1.txt'), guests(40, 85))
  await rm(join(texts, 'day-2.txt'))
  await writeFile(join(texts, 'day-9.txt'), guests(200, 210))
  const refused = await run(['resume', id])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /day-1\.txt has changed \([\d,]+ bytes then.*day-2\.txt is gone; .*day-9\.txt is new\./,
  )
  const fresh = await ask([texts])
  expect(fresh.stdout).toBe('209\n')
  expect(fresh.stderr).toMatch(/cannot be continued: .*day-1\.txt has changed.*day-9\.txt is new/)
})

it('goes on with its workflow when the default of the model is another by now', async () => {
  const profile = folder.join('profile.json')
  const listing = (...workflows: string[]) =>
    writeFile(
      profile,
      JSON.stringify({
        ...{ name: 'stub', workflows },
        budget: { window: 4000, question: 100, chunk: 100, memory: 200, output: 200 },
      }),
    )
  await listing('overwrite')
  await ask([texts, '--profile', profile, '--max-calls', '2'])
  const { id } = await firstRun()
  await listing('edits', 'overwrite')
  const { stdout, stderr, code } = await run(['resume', id])
  expect({ stdout, code }, stderr).toEqual({ stdout: '119\n', code: 0 })
})

it('says so when the folder is gone in which a run was begun', async () => {
  await ask(['day-0.txt', '--max-calls', '1'], { folder: texts })
  const { id } = await firstRun()
  await rm(texts, { recursive: true })
  const { code, stderr } = await run(['resume', id])
  expect(code).toBe(1)
  expect(stderr).toContain(`cannot be entered: ${texts} (`)
  expect(stderr).toContain('(cli/no-folder)')
})

it.skipIf(process.platform === 'win32')('prints commands that work when they are pasted', async () => {
  const store = join(data, "it's a store.sqlite")
  const stopped = await ask([texts, '--max-calls', '2', '--store', store])
  const [, resume] = /: memagent (resume [0-9a-f]{10} --store .*)\n/.exec(stopped.stderr)!
  const missing = await run(['show', 'ffff', '--store', store])
  const [, list] = /: memagent (runs --store .*)\n/.exec(missing.stderr)!
  const bin = resolve(import.meta.dirname, '../../packages/cli/src/bin.ts')
  const paste = (command: string) =>
    spawnSync(`'${process.execPath}' --conditions=@memagent/source '${bin}' ${command}`, {
      shell: true,
      encoding: 'utf8',
      env: { ...process.env, XDG_DATA_HOME: data },
    })
  expect(paste(list!).stdout).toMatch(/Which day was last/)
  const { stdout } = await run(['show', /[0-9a-f]{10}/.exec(resume!)![0], '--store', store])
  expect(stdout).toContain(`memagent ${resume}`)
})

it('keeps no quotes with --no-sources', async () => {
  const quote = 'Guest 119 came'
  const isKept = async () => {
    const place = join(data, 'memagent')
    const files = (await readdir(place)).filter((name) => name.startsWith('runs.sqlite'))
    const contents = await Promise.all(files.map((name) => readFile(join(place, name), 'latin1')))
    return contents.some((content) => content.includes(quote))
  }
  expect((await ask([texts, '--no-sources'])).code).toBe(0)
  expect(await isKept()).toBe(false)
  await ask([texts, '--seed', '2'])
  expect(await isKept()).toBe(true)
})
