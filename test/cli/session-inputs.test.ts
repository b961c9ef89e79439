/** Sessions over texts that are blank, unreadable or hostile, and under odd names. */
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gateDiary } from './gate-diary.ts'

const diary = gateDiary()
const { ask, model, note, question, read, readJson, run } = diary

it('tells with each answer what was not read of the texts, and is not asked of blank ones', async () => {
  await writeFile(join(diary.notes, 'blank.md'), ' \n')
  await readJson([diary.notes, ...question, ...model()])
  const blank = await run(['session', 'ask', 'diary'])
  expect(blank.stderr).toMatch(
    /^error: Nothing with text was read into the session diary yet\.[\s\S]*session\/nothing-read/,
  )
  const corpus = '../../packages/documents/src/testing/__fixtures__/corpus'
  await copyFile(join(import.meta.dirname, corpus, 'half-scan.pdf'), join(diary.notes, 'half.pdf'))
  await readJson([diary.notes])
  await note('2.md', 'Gate amber opens at 6.')
  await readJson([diary.notes])
  const message = expect.stringMatching(/half\.pdf: no text on page 2/)
  expect(await ask()).toMatchObject({ outcome: 'unsure', remarks: [{ message }] })
  expect((await run(['session', 'ask', 'diary'])).stderr).toMatch(/^note: .*half\.pdf: no text on page 2/m)
})

it('names a session by what can be typed and read, and takes no file for a name', async () => {
  await note('1.md', 'Gate amber opens at 6.')
  const odd = ['../x', 'notes/', '-x', '.', '', ' x', 'a\nb', '\u001b[2J', 'x'.repeat(101)]
  for (const name of [...odd, 'package.json']) {
    const refused = await run(['session', 'read', '--', name, diary.notes])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('(session/name)') })
  }
  const store = join(diary.data, 'my store.sqlite')
  const begun = await run(['session', 'read', 'a\u0308 diary', diary.notes, ...model(), '--store', store])
  expect(begun.stderr).toContain(`memagent session diff 'ä diary' --store '${store}'`)
  const same = await run(['session', 'read', 'ä diary', diary.notes, '--store', store])
  expect(same.stderr).toContain('Nothing new was read into ä diary. 1 file was read before.')
})

it('leaves out what cannot be read, takes a reading back of which nothing is left, and keeps no filter for the next one', async () => {
  await writeFile(join(diary.notes, '0.bin'), new Uint8Array([0, 1, 2, 255, 0]))
  const binary = await read([diary.notes, ...question, ...model()])
  expect(binary.stderr).toContain(
    'To leave out what cannot be read: memagent session read diary --skip-unreadable',
  )
  await note('1.md', 'Gate amber opens at 6.')
  await note('2.txt', 'Gate cedar opens at 7.')
  const skipped = await readJson([
    diary.notes,
    '--skip-unreadable',
    '--include',
    '*.bin',
    '--include',
    '*.md',
    ...question,
    ...model(),
  ])
  expect(skipped.readings).toMatchObject([{ read: [join(diary.notes, '1.md')] }])
  expect(skipped.remarks).toMatchObject([{ code: 'source-skipped', source: join(diary.notes, '0.bin') }])
  await rm(join(diary.notes, '0.bin'))
  expect((await readJson([diary.notes])).readings).toMatchObject([
    { number: 2, read: [join(diary.notes, '2.txt')] },
  ])
})

it.skipIf(process.platform === 'win32')('reads files of any name, and prints them safely', async () => {
  const hostile = ['a\nb.md', '\u001b[2Jx.md', "'; DROP TABLE runs; --.md", ' -.md', 'ü ❄.md']
  for (const [i, name] of hostile.entries()) await note(name, `Gate number${i} opens at ${i}.`)
  const { readings } = await readJson([diary.notes, ...question, ...model()])
  expect(readings[0].read).toHaveLength(hostile.length)
  for (const name of hostile) await rm(join(diary.notes, name))
  await note('last.md', 'Nothing.')
  const { stderr } = await run(['session', 'read', 'diary', diary.notes])
  expect(stderr).toMatch(/gone since it was read: /)
  const controls = [...`${stderr}${(await run(['session', 'show', 'diary'])).stdout}`].filter((sign) =>
    /\p{Cc}/u.test(sign),
  )
  expect(new Set(controls)).toEqual(new Set(['\n']))
})
