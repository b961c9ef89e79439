/** What `memagent text` prints, and what `ask` says of the files of a folder. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import { createStubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { noteNumbers } from './note-numbers.ts'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const latin1 = Buffer.from(
  'Größe 42: Die Flut kam vor der Dämmerung, und über dem Hafen lag Nebel.\n',
  'latin1',
)

beforeAll(async () => {
  await mkdir(folder.join('shelf'))
  await writeFile(folder.join('shelf/a.md'), '# Sea\nsalt 5\n## Night\nrain\x1b[31m\n')
  await writeFile(folder.join('shelf/b.csv'), 'name,said\nAnna,"one\ntwo"\nBo,7\n')
  await writeFile(folder.join('shelf/c.html.gz'), gzipSync('<h1>Pier</h1><p>9 boats<script>x</script>'))
  await writeFile(folder.join('shelf/d.txt'), latin1)
  await writeFile(folder.join('shelf/e.png'), '\x89PNG\r\n\x1a\n', 'latin1')
})

it('prints the text of a folder with its positions, and what was skipped', async () => {
  const shelf = folder.join('shelf')
  const { code, stdout, stderr } = await runMain(['text', shelf, '--skip-unreadable'])
  expect(stdout.replaceAll(shelf, 'S')).toBe(`[S/a.md, Sea]
     1  # Sea
     2  salt 5

[S/a.md, Sea > Night]
     3  ## Night
     4  rain\\x1b[31m

[S/b.csv]
     1  name,said
     2  Anna,"one
two"
     3  Bo,7

[S/c.html.gz, Pier]
Pier

9 boats

[S/d.txt]
     1  Größe 42: Die Flut kam vor der Dämmerung, und über dem Hafen lag Nebel.
`)
  expect(stderr.replaceAll(shelf, 'S')).toMatch(
    /note: S\/d\.txt is not UTF-8; it is read as \S+, which is a guess\.\nskipped: S\/e\.png is an image, which cannot be read\.\n/,
  )
  expect(code).toBe(0)
})

it('stops at what cannot be read, naming it; prints JSON lines of pieces', async () => {
  const refused = await runMain(['text', folder.join('shelf')])
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(/error: .*e\.png is an image, which cannot be read\./)
  const { stdout } = await runMain(['text', folder.join('shelf'), '--include', '*.csv', '--json'])
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.at(-1)).toEqual({
    source: folder.join('shelf/b.csv'),
    position: { row: 3, line: 4 },
    startByte: 25,
    endByte: 30,
    text: 'Bo,7\n',
  })
  const bytes = await readFile(folder.join('shelf/b.csv'))
  expect(bytes.subarray(25, 30).toString()).toBe('Bo,7\n')
})

it('names texts without a word', async () => {
  await writeFile(folder.join('empty.txt'), '')
  const alone = await runMain(['text', folder.join('empty.txt')])
  expect(alone).toMatchObject({ code: 1, stdout: '' })
  expect(alone.stderr).toMatch(/There is no text in .*empty\.txt: it is empty\./)
  const among = await runMain(['text', folder.join('empty.txt'), folder.join('shelf/b.csv')])
  expect(among.code).toBe(0)
  expect(among.stderr).toMatch(/note: There is no text in .*empty\.txt\./)
})

it('ask reads a folder, and says in --json what was skipped', async () => {
  const server = await createStubServer({ respond: noteNumbers })
  try {
    const model = ['--model', 'openai:stub', '--base-url', server.baseUrl]
    const { code, stdout, stderr } = await runCommand([
      'ask',
      ...model,
      'Which numbers are there?',
      folder.join('shelf'),
      '--skip-unreadable',
      '--exclude',
      'd.txt',
      '--json',
    ])
    expect({ code, ...JSON.parse(stdout) }).toMatchObject({
      code: 0,
      answer: '5 31 7 9',
      remarks: [{ code: 'source-skipped', source: folder.join('shelf/e.png') }],
    })
    expect(stderr).toMatch(/skipped: .*e\.png is an image/)
    const none = await runCommand(['ask', ...model, 'Who?', folder.join('shelf/e.png'), '--skip-unreadable'])
    expect(none.code).toBe(1)
    expect(none.stderr).toMatch(/None of the texts can be read\. The first: .*e\.png is an image/)
  } finally {
    await server.close()
  }
})

it('prints a line as it is: tabs, spaces, and no carriage return at its end', async () => {
  const file = folder.join('tabs.txt')
  await writeFile(file, `a\t b  c\r\n${'ab\t'.repeat(60_000)}\r\n`)
  const { stdout } = await runMain(['text', file])
  const [, first, second] = stdout.split('\n')
  expect(first).toBe('     1  a\t b  c')
  expect(second).toBe(`     2  ${'ab\t'.repeat(60_000)}`)
})

it.each([
  [['estimate'], /leave it out, since the estimate is the same/],
  [['notes', '--no-store'], /memagent ask "QUESTION" FILES\. Notes/],
  [['text'], /memagent ask "QUESTION" FILES\. This/],
  [['ask', '--no-store', 'Who'], /comes first, in quotes: memagent ask "QUESTION" FILES$/m],
])('tells whoever gives %s a question, or words of one, what to do', async (command, hint) => {
  for (const question of ['Who keeps it?', 'Name the keeper', 'keeps', 'it?']) {
    const { code, stderr } = await runMain([...command, question, folder.join('tabs.txt')])
    expect([code, stderr]).toEqual([2, expect.stringMatching(hint)])
  }
  await mkdir(folder.join('nothing in it'), { recursive: true })
  for (const name of ['nowhere.txt', 'nothing in it', 'a \ufffd.txt']) {
    const { code, stderr } = await runMain([...command, folder.join(name)])
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('question')])
  }
})

it('takes one pattern per flag, and reads the texts that follow', async () => {
  const [shelf, other] = [folder.join('shelf'), folder.join('one pattern.txt')]
  await writeFile(other, 'lamp 77')
  const excluding = ['--exclude', 'd.txt', '--exclude', 'e.png']
  const { stdout } = await runMain(['text', shelf, ...excluding, other])
  expect(stdout).toContain('lamp 77')
  const narrow = await runMain(['text', '--include', '*.md', '--include', '*.csv', shelf, '--json'])
  const names = narrow.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).source)
  expect(names.length).toBeGreaterThan(1)
  expect(names.filter((name) => !/\.(?:md|csv)$/.test(name))).toEqual([])
})
