/** Sessions that are killed, stopped and resumed: nothing is lost, and one process reads at a time. */
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gateDiary } from './gate-diary.ts'

const diary = gateDiary()
const { ask, model, note, question, read, readJson, run, shown, spawned } = diary

it('goes on at the next chunk after kills, and pays for no call twice but those under way', async () => {
  for (let i = 0; i < 8; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  const whole = await readJson([diary.notes, ...question, ...model(), '--store', `${diary.data}.sqlite`])
  const needed = diary.calls
  diary.calls = 0
  const begin = [...question, ...model()]
  const reading = (first: boolean) => [
    'session',
    'read',
    'diary',
    diary.notes,
    ...(first ? begin : []),
    '--quiet',
  ]
  for (let kill = 0; kill < 2; kill++) {
    const killed = await spawned(reading(kill === 0), {
      onStart: (child) => {
        const upTo = diary.calls + 6
        diary.onCall = () => {
          if (diary.calls >= upTo) child.kill('SIGKILL')
        }
      },
    })
    expect(killed.signal).toBe('SIGKILL')
    diary.onCall = undefined
  }
  // It can be asked meanwhile, and says that more is to come.
  const before = diary.calls
  const answer = await ask(['When does Gate number0 open?'])
  expect(answer).toMatchObject({ answer: 'Gate number0 opens at 0.', outcome: 'found' })
  const unknown = await ask(['When does Gate zinc open?'])
  expect(unknown).toMatchObject({ outcome: 'unsure', code: 4 })
  expect(unknown.warnings).toContainEqual(expect.objectContaining({ code: 'reading-unfinished' }))
  diary.calls = before
  const last = await run(['session', 'read', 'diary', diary.notes])
  expect(last.stderr).toMatch(/^Reading 1 of diary: 8 files \(\d+ chunks, \d+ calls\), run \w+\.$/m)
  expect(diary.calls - needed).toBeLessThanOrEqual(2)
  const { memory, readings, documents } = await shown()
  expect(memory).toBe(whole.readings[0].memory)
  expect(readings).toMatchObject([{ number: 1, state: 'finished', steps: whole.readings[0].steps }])
  expect(documents).toHaveLength(8)
})

it('goes on with texts that changed while it was stopped: with new ones where they were not read, and ending where they were', async () => {
  for (let i = 0; i < 6; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  await read([diary.notes, ...question, ...model(), '--max-calls', '10'])
  await note('5.md', 'Gate late opens at 15.')
  await rm(join(diary.notes, '4.md'))
  const stopped = await run(['session', 'read', 'diary', '--max-calls', '12', '--json'])
  expect(stopped.stderr).toMatch(/5\.md has changed before it was read/)
  expect(stopped.stderr).toMatch(/4\.md is gone before it was read, and is left out/)
  await note('0.md', 'Gate number0 opens at 20.')
  const { readings } = await readJson([diary.notes])
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
  expect((await readJson([diary.notes])).changed).toEqual([join(diary.notes, '0.md')])
})

it('is resumed by its run, refuses other settings, and is read by one process at a time', async () => {
  for (let i = 0; i < 6; i++) await note(`${i}.md`, `Gate number${i} opens at ${i}.`)
  const limited = await read([diary.notes, ...question, ...model(), '--max-calls', '3'])
  expect(limited.code).toBe(1)
  expect(limited.stderr).toContain('Go on: memagent session read diary')
  const [{ id }] = JSON.parse((await run(['runs', '--json'])).stdout)
  const early = await read([diary.notes, '--chunk', '80', '--change-settings'])
  expect(early.stderr).toContain('which ends as it began. Let it go on first: memagent session read diary')
  const resumed = await run(['resume', id, '--json', '--quiet'])
  expect(JSON.parse(resumed.stdout).readings).toMatchObject([{ run: id, number: 1 }])
  for (const other of [
    ['--workflow', 'edits'],
    ['--question', 'Who came?'],
    ['--model', 'openai:other'],
  ]) {
    const refused = await read([diary.notes, ...other])
    expect(refused.code).toBe(2)
    expect(refused.stderr).toContain(`${other[0]} was`)
  }
  await note('7.md', 'Gate seven opens at 7.')
  const elsewhere = await read([diary.notes, '--base-url', 'http://127.0.0.1:1/v1', '--retries', '0'])
  expect(elsewhere.stderr).toContain('(chat/unreachable)')
  const none = ['--base-url', 'http://127.0.0.1:1/v1', '--retries', '0']
  expect((await read(['-', ...none], { input: 'A letter.' })).code).toBe(1)
  expect(await readdir(join(diary.data, 'memagent', 'runs.sqlite.inputs'))).toEqual([])
  const changed = await read([diary.notes, '--model', 'openai:other', '--change-settings'])
  expect(JSON.parse(changed.stdout).readings).toHaveLength(1)
  await note('8.md', 'Gate eight opens at 8.')
  let second: ReturnType<typeof run> | undefined
  await spawned(['session', 'read', 'diary', diary.notes], {
    onStart: () => {
      diary.onCall = async () => {
        second ??= run(['session', 'read', 'diary', diary.notes])
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
