/** Sessions through the real command: what is new is read, and what has changed is named. */
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { openRunStore } from '@memagent/store'
import { expect, it } from 'vitest'
import { gateDiary } from './gate-diary.ts'

const diary = gateDiary()
const { ask, model, note, question, read, readJson, run, shown } = diary

it('reads what is new, in order; names what changed, moved, is gone or there twice; and quotes the first letter to the last', async () => {
  await note('2.md', 'Gate amber opens at 6.')
  await note('10.md', 'Gate cedar opens at 7.')
  await mkdir(join(diary.notes, 'june'))
  await note('june/2.md', 'Nothing new in June.')
  const first = await readJson([diary.notes, ...question, ...model()])
  const names = (paths: readonly string[]) => paths.map((path) => path.slice(diary.notes.length + 1))
  expect(names(first.readings[0].read)).toEqual(['2.md', '10.md', 'june/2.md'])
  const perReading = first.readings[0].usage.calls
  expect(perReading).toBe(diary.calls)

  expect(await readJson([diary.notes])).toMatchObject({ readings: [], known: 3, changed: [] })
  expect(diary.calls).toBe(perReading)

  await note('11.md', 'Gate flint opens at 8.')
  const second = await readJson([diary.notes])
  expect(names(second.readings[0].read)).toEqual(['11.md'])

  await note('10.md', 'Gate cedar opens at 9, they say.')
  await rename(join(diary.notes, '2.md'), join(diary.notes, 'two.md'))
  await note('again.md', 'Gate flint opens at 8.')
  await rm(join(diary.notes, 'june/2.md'))
  const before = diary.calls
  const third = await read([diary.notes], { input: '' })
  expect(diary.calls).toBe(before)
  expect(JSON.parse(third.stdout)).toMatchObject({
    readings: [],
    changed: [join(diary.notes, '10.md')],
    moved: [{ from: join(diary.notes, '2.md'), to: join(diary.notes, 'two.md') }],
    copies: [{ path: join(diary.notes, 'again.md'), of: join(diary.notes, '11.md') }],
    gone: [join(diary.notes, 'june/2.md')],
  })
  expect(third.stderr).toContain('10.md (not read again; to do so, give it with --read-changed)')
  expect((await readJson([diary.notes])).moved).toEqual([])

  const fourth = await readJson(['-'], { input: 'A letter: Gate holly opens at 5.' })
  expect(fourth.readings[0]).toMatchObject({ number: 3, read: ['standard input (reading 3)'], steps: 1 })
  const amber = await ask(['When does Gate amber open?', '--verify'])
  expect(amber).toMatchObject({ outcome: 'found', answer: 'Gate amber opens at 6.', code: 0 })
  expect(amber.sources).toMatchObject([
    { quote: 'Gate amber opens at 6.', file: join(diary.notes, 'two.md'), line: 2 },
  ])
  expect(amber.verified).toMatchObject([{ stands: true }])
  const holly = await ask(['When does Gate holly open?', '--verify'])
  expect(holly.sources).toMatchObject([{ file: 'standard input (reading 3)' }])
  expect(holly).toMatchObject({ verified: [{ stands: true }], code: 0 })
  expect((await ask(['When does Gate zinc open?'])).code).toBe(4)

  const again = await readJson([join(diary.notes, '10.md'), '--read-changed'])
  expect(names(again.readings[0].read)).toEqual(['10.md'])
  expect(await shown()).toMatchObject({ question: question[1], readings: [{}, {}, {}, {}] })
  const steps = (await shown()).statements.map((statement: { step: number }) => statement.step)
  expect(new Set(steps).size).toBeGreaterThan(2)
})

it('says what a reading changed in the memory, and which text caused it', async () => {
  await note('1.md', 'Gate amber opens at 6.')
  await readJson([diary.notes, ...question, ...model()])
  await note('2.md', 'Gate cedar opens at 7.')
  await readJson([diary.notes])
  const diff = JSON.parse((await run(['session', 'diff', 'diary', '--json'])).stdout)
  const cause = { reading: 2, files: [join(diary.notes, '2.md')] }
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
  expect((await readJson([diary.notes])).readings[0].read).toEqual([join(diary.notes, '2.md')])
})

it('has the cost of a reading by the prices of the model that read it', async () => {
  const costs = async () => (await shown()).readings.map(({ cost }: { readonly cost?: number }) => cost)
  await note('1.md', 'Gate amber opens at 6.')
  await readJson([diary.notes, ...question, ...model(), '--price-in', '1000'])
  await note('2.md', 'Gate cedar opens at 7.')
  const other = ['--model', 'openai:other', '--change-settings']
  await readJson([diary.notes, ...other])
  await note('3.md', 'Gate violet opens at 8.')
  await readJson([diary.notes, '--model', 'openai:third', '--change-settings', '--price-in', '0'])
  expect(await costs()).toEqual([expect.toSatisfy((cost) => cost > 0), undefined, 0])
  const asked = await run(['session', 'ask', 'diary', '--model', 'openai:other', '--max-cost', '1'])
  expect(asked.stderr).toContain('--max-cost needs the price of tokens.')
})

it('takes notes without a question, keeps standard input until the session is erased, and lists what there is', async () => {
  await run(['session', 'read', 'log', '-', ...model()], { input: 'Gate amber opens at 6.' })
  const inputs = join(diary.data, 'memagent', 'runs.sqlite.inputs')
  expect(await readdir(inputs)).toHaveLength(1)
  const twice = await run(['session', 'read', 'log', '-'], { input: 'Gate amber opens at 6.' })
  expect(twice.stderr).toContain('Nothing new was read into log.')
  expect((await run(['session', 'ask', 'log'])).stderr).toContain('session/no-question')
  expect(JSON.parse((await run(['session', 'list', '--json'])).stdout)).toMatchObject([
    { name: 'log', readings: 1, documents: 1 },
  ])
  expect((await run(['session', 'list'])).stdout).toMatch(/log .*\(notes\)/)
  // As a server stores a question to the session.
  const store = await openRunStore(join(diary.data, 'memagent/runs.sqlite'))
  const server = { files: [], model: 'stub', workflow: 'overwrite', asksSession: 'log' }
  await store.create({ document: 'session log', model: 'stub', workflow: 'overwrite', settings: { server } })
  await store.close()
  expect((await run(['session', 'rm', 'log'])).stderr).toBe('Session log is erased.\n')
  expect(await readdir(inputs)).toEqual([])
  expect(JSON.parse((await run(['runs', '--json'])).stdout)).toEqual([])
})

it('reads many small files in one go, in order, and finds what is new among them', async () => {
  for (let i = 0; i < 120; i++) await writeFile(join(diary.notes, `${i}.md`), `Day ${i}: rain.`)
  const { readings } = await readJson([diary.notes, ...question, ...model().slice(0, 4)])
  expect(readings[0].read).toEqual(Array.from({ length: 120 }, (_, i) => join(diary.notes, `${i}.md`)))
  await writeFile(join(diary.notes, '75b.md'), 'Day 75b: Gate amber opens at 6.')
  const next = await readJson([diary.notes])
  expect(next).toMatchObject({ known: 120, readings: [{ read: [join(diary.notes, '75b.md')] }] })
})

it('lists a session whose last reading is damaged with the others, and erases it', async () => {
  await writeFile(join(diary.notes, 'a.md'), 'Gate north opens at 7.')
  for (const name of ['whole', 'diary'])
    await run(['session', 'read', name, diary.notes, ...model(), ...question, '--quiet'])
  const path = join(diary.data, 'memagent', 'runs.sqlite')
  const store = new DatabaseSync(path)
  store.exec(`UPDATE runs SET description = '{"' WHERE id = (SELECT run FROM session_readings JOIN sessions
    ON sessions.id = session WHERE name = 'diary')`)
  store.close()
  const { stdout } = await run(['session', 'list', '--store', path])
  expect(stdout).toContain('When do the gates open?')
  expect(stdout).toMatch(/diary .* damaged .*memagent runs rm [0-9a-f]{10} --store .*runs\.sqlite\)/)
  expect(await run(['session', 'rm', 'diary'])).toMatchObject({
    code: 0,
    stderr: 'Session diary is erased.\n',
  })
  expect(JSON.parse((await run(['session', 'list', '--json'])).stdout)).toMatchObject([{ name: 'whole' }])
})
