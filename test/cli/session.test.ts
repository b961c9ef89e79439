/** Sessions through the real command: what is new is read, what has changed is named, and a kill loses nothing. */
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { openRunStore } from '@memagent/store'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { type CommandOptions, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls = 0
let onCall: (() => unknown) | undefined
/** Notes which gates open, and which letters it saw. */
const gates = (text: string) => [...new Set(text.match(/Gate \w+ opens at \d+\./g))]
beforeAll(async () => {
  server = await createStubServer({
    respond: async ({ messages }) => {
      calls++
      await onCall?.()
      const prompt = messages.at(-1)!.content
      const [found, last] = [gates(prompt), /Question:.*|<problem>([\s\S]*?)<\/problem>/.exec(prompt)]
      if (prompt.includes('<section>')) return found.join('\n') || 'No previous memory'
      const wanted = found.find((fact) => (last?.[0] ?? '').includes(fact.split(' ')[1]!))
      return wanted ? `\\boxed{${wanted}}` : '\\boxed{not in the text}'
    },
  })
})
afterAll(() => server.close())

let data: string
let notes: string
let number = 0
beforeEach(async () => {
  const base = folder.join(`case-${number++}`)
  data = join(base, 'data')
  notes = join(base, 'notes')
  await mkdir(notes, { recursive: true })
  calls = 0
  onCall = undefined
})

/** Within this process. */
const run = (args: readonly string[], { input = '' }: { readonly input?: string } = {}) =>
  runMain(args, { input, environment: { XDG_DATA_HOME: data } })
const spawned = (args: readonly string[], options: CommandOptions = {}) =>
  runCommand(args, { ...options, environment: { XDG_DATA_HOME: data } })
const model = () => ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '60']
const question = ['--question', 'When do the gates open?']
const read = (args: readonly string[], options?: { readonly input?: string }) =>
  run(['session', 'read', 'diary', ...args, '--json', '--quiet'], options)
const readJson = async (args: readonly string[], options?: { readonly input?: string }) => {
  const { stdout, stderr, code } = await read(args, options)
  if (code !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}
const ask = async (asked: readonly string[] = [], options?: { readonly input?: string }) => {
  const { stdout, code } = await run(['session', 'ask', 'diary', ...asked, '--json', '--quiet'], options)
  return { ...JSON.parse(stdout), code }
}
const shown = async () => JSON.parse((await run(['session', 'show', 'diary', '--json'])).stdout)
const filler = 'The sea was grey and the wind stood still, as on most days of that year. '.repeat(6)
const note = (name: string, text: string) => writeFile(join(notes, name), `${filler}\n${text}\n${filler}`)

it('reads what is new, in order; names what changed, moved, is gone or there twice; and quotes the first letter to the last', async () => {
  await note('2.md', 'Gate amber opens at 6.')
  await note('10.md', 'Gate cedar opens at 7.')
  await mkdir(join(notes, 'june'))
  await note('june/2.md', 'Nothing new in June.')
  const first = await readJson([notes, ...question, ...model()])
  const names = (paths: readonly string[]) => paths.map((path) => path.slice(notes.length + 1))
  expect(names(first.readings[0].read)).toEqual(['2.md', '10.md', 'june/2.md'])
  const perReading = first.readings[0].usage.calls
  expect(perReading).toBe(calls)

  expect(await readJson([notes])).toMatchObject({ readings: [], known: 3, changed: [] })
  expect(calls).toBe(perReading)

  await note('11.md', 'Gate flint opens at 8.')
  const second = await readJson([notes])
  expect(names(second.readings[0].read)).toEqual(['11.md'])

  await note('10.md', 'Gate cedar opens at 9, they say.')
  await rename(join(notes, '2.md'), join(notes, 'two.md'))
  await note('again.md', 'Gate flint opens at 8.')
  await rm(join(notes, 'june/2.md'))
  const before = calls
  const third = await read([notes], { input: '' })
  expect(calls).toBe(before)
  expect(JSON.parse(third.stdout)).toMatchObject({
    readings: [],
    changed: [join(notes, '10.md')],
    moved: [{ from: join(notes, '2.md'), to: join(notes, 'two.md') }],
    copies: [{ path: join(notes, 'again.md'), of: join(notes, '11.md') }],
    gone: [join(notes, 'june/2.md')],
  })
  expect(third.stderr).toContain('10.md (not read again; to do so, give it with --read-changed)')
  expect((await readJson([notes])).moved).toEqual([])

  const fourth = await readJson(['-'], { input: 'A letter: Gate holly opens at 5.' })
  expect(fourth.readings[0]).toMatchObject({ number: 3, read: ['standard input (reading 3)'], steps: 1 })
  const amber = await ask(['When does Gate amber open?', '--verify'])
  expect(amber).toMatchObject({ outcome: 'found', answer: 'Gate amber opens at 6.', code: 0 })
  expect(amber.sources).toMatchObject([
    { quote: 'Gate amber opens at 6.', file: join(notes, 'two.md'), line: 2 },
  ])
  expect(amber.verified).toMatchObject([{ stands: true }])
  const holly = await ask(['When does Gate holly open?', '--verify'])
  expect(holly.sources).toMatchObject([{ file: 'standard input (reading 3)' }])
  expect(holly).toMatchObject({ verified: [{ stands: true }], code: 0 })
  expect((await ask(['When does Gate zinc open?'])).code).toBe(4)

  const again = await readJson([join(notes, '10.md'), '--read-changed'])
  expect(names(again.readings[0].read)).toEqual(['10.md'])
  expect(await shown()).toMatchObject({ question: question[1], readings: [{}, {}, {}, {}] })
  const steps = (await shown()).statements.map((statement: { step: number }) => statement.step)
  expect(new Set(steps).size).toBeGreaterThan(2)
})

it('says what a reading changed in the memory, and which text caused it', async () => {
  await note('1.md', 'Gate amber opens at 6.')
  await readJson([notes, ...question, ...model()])
  await note('2.md', 'Gate cedar opens at 7.')
  await readJson([notes])
  const diff = JSON.parse((await run(['session', 'diff', 'diary', '--json'])).stdout)
  const cause = { reading: 2, files: [join(notes, '2.md')] }
  expect(diff).toMatchObject({
    from: 1,
    to: 2,
    gained: [{ after: 'Gate cedar opens at 7.', cause }],
    lost: [],
  })
  const whole = await run(['session', 'diff', 'diary', '--from', '0'])
  expect(whole.stdout).toMatch(
    /^\+ Gate amber opens at 6\.\n {4}reading 1, chunk \d+: .*1\.md\n\+ Gate cedar/,
  )
  expect((await run(['session', 'diff', 'diary', '--from', '7'])).code).toBe(2)
  // The last reading can be taken back, and its texts are new again.
  const [{ id: first }, { id: last }] = (await shown()).readings
  expect((await run(['runs', 'rm', first])).stderr).toContain('store/run-of-session')
  expect((await run(['runs', 'rm', last])).code).toBe(0)
  expect((await readJson([notes])).readings[0].read).toEqual([join(notes, '2.md')])
})

it('goes on at the next chunk after kills, and pays for no call twice but those under way', async () => {
  for (let i = 0; i < 8; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  const whole = await readJson([
    notes,
    ...question,
    ...model(),
    '--store',
    folder.join(`whole-${number}.sqlite`),
  ])
  const needed = calls
  calls = 0
  const begin = [...question, ...model()]
  const reading = (first: boolean) => ['session', 'read', 'diary', notes, ...(first ? begin : []), '--quiet']
  for (let kill = 0; kill < 2; kill++) {
    const killed = await spawned(reading(kill === 0), {
      onStart: (child) => {
        const upTo = calls + 6
        onCall = () => {
          if (calls >= upTo) child.kill('SIGKILL')
        }
      },
    })
    expect(killed.signal).toBe('SIGKILL')
    onCall = undefined
  }
  // It can be asked meanwhile, and says that more is to come.
  const before = calls
  const answer = await ask(['When does Gate number0 open?'])
  expect(answer).toMatchObject({ answer: 'Gate number0 opens at 0.', outcome: 'found' })
  const unknown = await ask(['When does Gate zinc open?'])
  expect(unknown).toMatchObject({ outcome: 'unsure', code: 4 })
  expect(unknown.warnings).toContainEqual(expect.objectContaining({ code: 'reading-unfinished' }))
  calls = before
  const last = await run(['session', 'read', 'diary', notes])
  expect(last.stderr).toMatch(/^Reading 1 of diary: 8 files \(\d+ chunks, \d+ calls\), run \w+\.$/m)
  expect(calls - needed).toBeLessThanOrEqual(2)
  const { memory, readings, documents } = await shown()
  expect(memory).toBe(whole.readings[0].memory)
  expect(readings).toMatchObject([{ number: 1, state: 'finished', steps: whole.readings[0].steps }])
  expect(documents).toHaveLength(8)
})

it('goes on with texts that changed while it was stopped: with new ones where they were not read, and ending where they were', async () => {
  for (let i = 0; i < 6; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  await read([notes, ...question, ...model(), '--max-calls', '10'])
  await note('5.md', 'Gate late opens at 15.')
  await rm(join(notes, '4.md'))
  const stopped = await run(['session', 'read', 'diary', '--max-calls', '12', '--json'])
  expect(stopped.stderr).toMatch(/5\.md has changed before it was read/)
  expect(stopped.stderr).toMatch(/4\.md is gone before it was read, and is left out/)
  await note('0.md', 'Gate number0 opens at 20.')
  const { readings } = await readJson([notes])
  expect(readings).toHaveLength(1)
  const { documents, memory } = await shown()
  const order = documents.map(({ path, reading }: { path: string; reading: number }) => [
    Number(/(\d)\.md$/.exec(path)![1]),
    reading,
  ])
  const first = order.flatMap(([i, reading]: number[]) => (reading === 1 ? [i] : []))
  expect(first.length).toBeGreaterThan(0)
  expect(first.length).toBeLessThan(5)
  expect(first).toEqual(first.map((_: number, i: number) => i))
  expect(memory).toContain('Gate number0 opens at 0.')
  expect(memory).toContain('Gate late opens at 15.')
  expect(memory.match(/Gate number[123] opens/g)).toHaveLength(3)
  expect((await readJson([notes])).changed).toEqual([join(notes, '0.md')])
})

it('is resumed by its run, refuses other settings, and is read by one process at a time', async () => {
  for (let i = 0; i < 6; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  const limited = await read([notes, ...question, ...model(), '--max-calls', '3'])
  expect(limited.code).toBe(1)
  expect(limited.stderr).toContain('Go on: memagent session read diary')
  const [{ id }] = JSON.parse((await run(['runs', '--json'])).stdout)
  const early = await read([notes, '--chunk', '80', '--change-settings'])
  expect(early.stderr).toContain('which ends as it began. Let it go on first: memagent session read diary')
  const resumed = await run(['resume', id, '--json', '--quiet'])
  expect(JSON.parse(resumed.stdout).readings).toMatchObject([{ run: id, number: 1 }])
  for (const other of [
    ['--workflow', 'edits'],
    ['--question', 'Who came?'],
    ['--model', 'openai:other'],
  ]) {
    const refused = await read([notes, ...other])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`${other[0]} was`)
  }
  await note('7.md', 'Gate seven opens at 7.')
  const elsewhere = await read([notes, '--base-url', 'http://127.0.0.1:1/v1', '--retries', '0'])
  expect(elsewhere.stderr).toContain('(chat/unreachable)')
  const none = ['--base-url', 'http://127.0.0.1:1/v1', '--retries', '0']
  expect((await read(['-', ...none], { input: 'A letter.' })).code).toBe(1)
  expect(await readdir(join(data, 'memagent', 'runs.sqlite.inputs'))).toEqual([])
  const changed = await read([notes, '--model', 'openai:other', '--change-settings'])
  expect(JSON.parse(changed.stdout).readings).toHaveLength(1)
  await note('8.md', 'Gate eight opens at 8.')
  let second: ReturnType<typeof run> | undefined
  await spawned(['session', 'read', 'diary', notes], {
    onStart: () => {
      onCall = async () => {
        second ??= run(['session', 'read', 'diary', notes])
        await second
      }
    },
  })
  const { code, stderr } = await second!
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /^error: Another process is reading into the session diary \(\d+ on .*\)\.\n {2}Wait for it, or stop it\.\n {2}\(store\/session-in-use\)\n$/,
  )
  expect((await shown()).readings).toHaveLength(3)
})

it('has the cost of a reading by the prices of the model that read it', async () => {
  const costs = async () => (await shown()).readings.map(({ cost }: { readonly cost?: number }) => cost)
  await note('1.md', 'Gate amber opens at 6.')
  await readJson([notes, ...question, ...model(), '--price-in', '1000'])
  await note('2.md', 'Gate cedar opens at 7.')
  const other = ['--model', 'openai:other', '--change-settings']
  await readJson([notes, ...other])
  await note('3.md', 'Gate violet opens at 8.')
  await readJson([notes, '--model', 'openai:third', '--change-settings', '--price-in', '0'])
  expect(await costs()).toEqual([expect.toSatisfy((cost) => cost > 0), undefined, 0])
  const asked = await run(['session', 'ask', 'diary', '--model', 'openai:other', '--max-cost', '1'])
  expect(asked.stderr).toContain('--max-cost needs the price of tokens.')
})

it('takes notes without a question, keeps standard input until the session is erased, and lists what there is', async () => {
  await run(['session', 'read', 'log', '-', ...model()], { input: 'Gate amber opens at 6.' })
  const inputs = join(data, 'memagent', 'runs.sqlite.inputs')
  expect(await readdir(inputs)).toHaveLength(1)
  const twice = await run(['session', 'read', 'log', '-'], { input: 'Gate amber opens at 6.' })
  expect(twice.stderr).toContain('Nothing new was read into log.')
  expect((await run(['session', 'ask', 'log'])).stderr).toContain('session/no-question')
  expect(JSON.parse((await run(['session', 'list', '--json'])).stdout)).toMatchObject([
    { name: 'log', readings: 1, documents: 1 },
  ])
  expect((await run(['session', 'list'])).stdout).toMatch(/log .*\(notes\)/)
  // As a server stores a question to the session.
  const store = await openRunStore(join(data, 'memagent/runs.sqlite'))
  const server = { files: [], model: 'stub', workflow: 'overwrite', asksSession: 'log' }
  await store.create({ document: 'session log', model: 'stub', workflow: 'overwrite', settings: { server } })
  await store.close()
  expect((await run(['session', 'rm', 'log'])).stderr).toBe('Session log is erased.\n')
  expect(await readdir(inputs)).toEqual([])
  expect(JSON.parse((await run(['runs', '--json'])).stdout)).toEqual([])
})

it('tells with each answer what was not read of the texts, and is not asked of blank ones', async () => {
  await writeFile(join(notes, 'blank.md'), ' \n')
  await readJson([notes, ...question, ...model()])
  const blank = await run(['session', 'ask', 'diary'])
  expect(blank.stderr).toMatch(
    /^error: Nothing with text was read into the session diary yet\.[\s\S]*session\/nothing-read/,
  )
  const corpus = '../../packages/documents/src/testing/__fixtures__/corpus'
  await copyFile(join(import.meta.dirname, corpus, 'half-scan.pdf'), join(notes, 'half.pdf'))
  await readJson([notes])
  await note('2.md', 'Gate amber opens at 6.')
  await readJson([notes])
  const message = expect.stringMatching(/half\.pdf: no text on page 2/)
  expect(await ask()).toMatchObject({ outcome: 'unsure', remarks: [{ message }] })
  expect((await run(['session', 'ask', 'diary'])).stderr).toMatch(/^note: .*half\.pdf: no text on page 2/m)
})

it('names a session by what can be typed and read, and takes no file for a name', async () => {
  await note('1.md', 'Gate amber opens at 6.')
  const odd = ['../x', 'notes/', '-x', '.', '', ' x', 'a\nb', '\u001b[2J', 'x'.repeat(101)]
  for (const name of [...odd, 'package.json']) {
    const refused = await run(['session', 'read', '--', name, notes])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('(session/name)') })
  }
  const store = join(data, 'my store.sqlite')
  const begun = await run(['session', 'read', 'a\u0308 diary', notes, ...model(), '--store', store])
  expect(begun.stderr).toContain(`memagent session diff 'ä diary' --store '${store}'`)
  const same = await run(['session', 'read', 'ä diary', notes, '--store', store])
  expect(same.stderr).toContain('Nothing new was read into ä diary. 1 file was read before.')
})

it('leaves out what cannot be read, takes a reading back of which nothing is left, and keeps no filter for the next one', async () => {
  await writeFile(join(notes, '0.bin'), new Uint8Array([0, 1, 2, 255, 0]))
  const binary = await read([notes, ...question, ...model()])
  expect(binary.stderr).toContain(
    'To leave out what cannot be read: memagent session read diary --skip-unreadable',
  )
  await note('1.md', 'Gate amber opens at 6.')
  await note('2.txt', 'Gate cedar opens at 7.')
  const skipped = await readJson([
    notes,
    '--skip-unreadable',
    '--include',
    '*.bin',
    '*.md',
    ...question,
    ...model(),
  ])
  expect(skipped.readings).toMatchObject([{ read: [join(notes, '1.md')] }])
  expect(skipped.remarks).toMatchObject([{ code: 'source-skipped', source: join(notes, '0.bin') }])
  await rm(join(notes, '0.bin'))
  expect((await readJson([notes])).readings).toMatchObject([{ number: 2, read: [join(notes, '2.txt')] }])
})

it.skipIf(process.platform === 'win32')('reads files of any name, and prints them safely', async () => {
  const hostile = ['a\nb.md', '\u001b[2Jx.md', "'; DROP TABLE runs; --.md", ' -.md', 'ü ❄.md']
  for (const [i, name] of hostile.entries()) await note(name, `Gate number${i} opens at ${i}.`)
  const { readings } = await readJson([notes, ...question, ...model()])
  expect(readings[0].read).toHaveLength(hostile.length)
  for (const name of hostile) await rm(join(notes, name))
  await note('last.md', 'Nothing.')
  const { stderr } = await run(['session', 'read', 'diary', notes])
  expect(stderr).toMatch(/gone since it was read: /)
  const controls = [...`${stderr}${(await run(['session', 'show', 'diary'])).stdout}`].filter((sign) =>
    /\p{Cc}/u.test(sign),
  )
  expect(new Set(controls)).toEqual(new Set(['\n']))
})

it('reads many small files in one go, in order, and finds what is new among them', async () => {
  for (let i = 0; i < 120; i++) await writeFile(join(notes, `${i}.md`), `Day ${i}: rain.`)
  const { readings } = await readJson([notes, ...question, ...model().slice(0, 4)])
  expect(readings[0].read).toEqual(Array.from({ length: 120 }, (_, i) => join(notes, `${i}.md`)))
  await writeFile(join(notes, '75b.md'), 'Day 75b: Gate amber opens at 6.')
  const next = await readJson([notes])
  expect(next).toMatchObject({ known: 120, readings: [{ read: [join(notes, '75b.md')] }] })
})
