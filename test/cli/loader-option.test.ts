/** `--loader`: custom kinds of files through the real command, in a resumed run, and in a session. */
import { mkdir, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../../packages/cli/src/testing/run-main.ts'
import { noteNumbers } from './note-numbers.ts'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const films = (name = '') => folder.join(`films/${name}`)
let environment: Record<string, string>
let server: StubServer
let calls = 0
let failing = 0
beforeAll(async () => {
  server = await createStubServer({
    respond: (request) => {
      if (++calls === failing) throw new Error('away')
      return noteNumbers(request)
    },
  })
  environment = { XDG_DATA_HOME: folder.join('data') }
  await mkdir(films())
  await writeFile(films('pier.srt'), film)
  await writeFile(films('srt.mjs'), saidAlone)
})
afterAll(() => server.close())
const model = () => ['--model', 'openai:stub', '--base-url', server.baseUrl, '--retries', '0']

const example = resolve(import.meta.dirname, '../../examples/own-loader.ts')
const film = `1
00:00:05,000 --> 00:00:07,500
The light at the pier: 5 boats.

2
00:01:07,200 --> 00:01:09,000
And 9 at night.
`

/** No imports, since it is outside the project. */
const saidAlone = `export default {
  name: 'said-alone', version: 1, claims: ({ fileName }) => fileName.endsWith('.srt'),
  async *load(source) {
    for await (const bytes of source.stream()) {
      const lines = Buffer.from(bytes).toString().split('\\n')
      yield { text: lines.filter((line) => /[a-z]/.test(line)).join('\\n') }
    }
  },
}`

it('reads kinds of files of your own with --loader', async () => {
  const { stdout } = await runMain(['text', films('pier.srt'), '--loader', example])
  expect(stdout.replaceAll(folder.path, 'F')).toBe(`[F/films/pier.srt, 00:00:05]
The light at the pier: 5 boats.

[F/films/pier.srt, 00:01:07]
And 9 at night.
`)
})

it('goes on with it when a run is resumed, from any folder', async () => {
  failing = calls + 2
  const asked = ['ask', 'Which numbers?', 'pier.srt', '--loader', './srt.mjs', ...model(), '--quiet']
  const failed = await runCommand(asked, { folder: films(), environment })
  expect(failed.stderr).toContain('memagent resume')
  const [, id] = /memagent resume (\w+)/.exec(failed.stderr)!
  const resumed = await runCommand(['resume', id!, '--json'], { environment })
  expect(resumed.code).toBe(0)
  expect(JSON.parse(resumed.stdout)).toMatchObject({ answer: '5 9' })
})

it('is kept by a session for what it reads later', async () => {
  const session = (args: readonly string[], at: string) =>
    runCommand(['session', 'read', 'films', ...args, '--quiet'], { folder: at, environment })
  await session(['pier.srt', '--question', 'Which numbers?', '--loader', './srt.mjs', ...model()], films())
  await writeFile(films('quay.srt'), film.replace('9 at', '14 at'))
  const { code } = await session([films('quay.srt')], folder.path)
  const { stdout } = await runCommand(['session', 'show', 'films', '--json'], { environment })
  expect({ code, memory: JSON.parse(stdout).memory }).toEqual({ code: 0, memory: '5 9 5 14' })
})

it('names a loader that cannot be used, and does not follow with one', async () => {
  const wrong = await runMain(['text', films('pier.srt'), '--loader', './nowhere.mjs'])
  expect(wrong).toMatchObject({
    code: 2,
    stderr: 'error: The loader module ./nowhere.mjs: there is no such file.\n  (document/bad-module)\n',
  })
  const followed = await runMain(['ask', 'Who?', films('pier.srt'), '--follow', '--loader', example])
  expect(followed).toMatchObject({ code: 2, stderr: expect.stringContaining('--loader is for other kinds') })
})
