/** `ask --follow`: a growing text, and an answer that is renewed when the memory changes. */
import type { ChildProcess } from 'node:child_process'
import { appendFile, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CommandResult, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let failsToAnswer = false
beforeAll(async () => {
  server = await createStubServer({
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const last = Math.max(...[...prompt.matchAll(/day (\d+)/g)].map(([, day]) => Number(day)), 0)
      if (prompt.includes('<section>')) return `guest ${last} came on day ${last}`
      return failsToAnswer ? '' : `\\boxed{${last}}`
    },
  })
})
afterAll(() => server.close())

let data: string
let number = 0
beforeEach(() => {
  failsToAnswer = false
  data = folder.join(`data-${number++}`)
})

const guest = (day: number) => `Guest ${day} came on day ${day}.\n`
const question = 'Which day was last?'

/** A command whose standard input stays open; `play` talks to it. */
async function follow(
  args: readonly string[],
  play: (command: { child: ChildProcess; said(text: string | RegExp): Promise<void> }) => Promise<void>,
): Promise<CommandResult> {
  let playing: Promise<void> | undefined
  const result = await runCommand(
    [...args, ...(args[0] === 'ask' ? ['--model', 'openai:stub', '--base-url', server.baseUrl] : [])],
    {
      environment: { XDG_DATA_HOME: data },
      keepsInput: true,
      onStart: (child) => {
        let heard = ''
        const hear = (text: Buffer) => {
          heard += text
        }
        child.stdout!.on('data', hear)
        child.stderr!.on('data', hear)
        const said = async (text: string | RegExp) => {
          for (let i = 0; !(typeof text === 'string' ? heard.includes(text) : text.test(heard)); i++) {
            if (i > 800) throw new Error(`Not said: ${text}\n${heard}`)
            await setTimeout(50)
          }
        }
        playing = play({ child, said }).finally(() => {
          child.stdin!.end()
        })
      },
    },
  )
  await playing
  return result
}

const ask = (...args: string[]) => ['ask', question, '--follow', '--pause', '0.3', ...args]

it('renews the answer of a stream, ends with the last one at Ctrl-C, and goes on when it is resumed', async () => {
  const { code, stdout, stderr } = await follow(ask(), async ({ child, said }) => {
    child.stdin!.write(guest(1))
    await said(/\] 1\n/)
    child.stdin!.write(guest(2))
    await said(/\] 2\n/)
    child.kill('SIGINT')
  })
  expect(stdout).toMatch(/^\[[\d:]{8}\] 1\n\[[\d:]{8}\] 2\n2\n$/)
  expect(code).toBe(0)
  expect(stderr).toContain('  + guest 1 came on day 1\n')
  expect(stderr).toContain('  - guest 1 came on day 1\n  + guest 2 came on day 2\n')
  expect(stderr).toMatch(/standard input, line 2: "Guest 2 came on day 2\."/)
  const [, id] = /Interrupted\. Resume it: memagent resume ([0-9a-f]{10})/.exec(stderr)!
  expect(await readdir(join(data, 'memagent'))).not.toContain('runs.sqlite.inputs')
  const resumed = await follow(['resume', id!], async ({ child, said }) => {
    await said(/\] 2\n/)
    child.stdin!.write(guest(7))
    await said(/\] 7\n/)
    child.stdin!.end()
  })
  expect({ code: resumed.code, end: resumed.stdout.endsWith('\n7\n') }).toEqual({ code: 0, end: true })
  expect(resumed.stderr).toMatch(/standard input since [-\d:.TZ]+, line 1: "Guest 7 came on day 7\."/)
  const other = await follow(ask(), async ({ child, said }) => {
    child.stdin!.write(guest(3))
    await said(/\] 3\n/)
  })
  expect(other.stderr).not.toContain('begun before')
}, 240_000)

it('prints a JSON line for each answer, and the whole result as the last', async () => {
  const { code, stdout } = await follow(ask('--json'), async ({ child, said }) => {
    child.stdin!.write(guest(1))
    await said('"answer":"1"')
    child.stdin!.write(guest(2))
    await said('"answer":"2"')
  })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  expect(lines).toMatchObject([
    { type: 'renewed-answer', answer: '1', outcome: 'found', steps: 1 },
    { type: 'renewed-answer', answer: '2', previous: '1', steps: 2, memory: 'guest 2 came on day 2' },
    { answer: '2', outcome: 'found', steps: 2, usage: { calls: 4 } },
  ])
  expect(Date.parse(lines[0].time)).toBeGreaterThan(0)
}, 120_000)

it('follows a file that grows, and names it when it is rotated', async () => {
  const log = folder.join('app.log')
  await writeFile(log, guest(1))
  const { code, stdout, stderr } = await follow(ask(log), async ({ child, said }) => {
    await said(/\] 1\n/)
    await appendFile(log, guest(2))
    await said(/\] 2\n/)
    await rename(log, `${log}.1`)
    await writeFile(log, guest(5))
    await said(/\] 5\n/)
    child.kill('SIGTERM')
  })
  expect({ code, end: stdout.endsWith('\n5\n') }).toEqual({ code: 0, end: true })
  expect(stderr).toContain(`note: ${log} was replaced or cut, and is read from its start again.`)
  expect(stderr).not.toContain('memagent resume')
  expect(stderr).toContain(`app.log (rotated 1), line 1: "Guest 5 came on day 5."`)
}, 120_000)

it('goes on with a file from where it stopped', async () => {
  const log = folder.join('kept.log')
  await writeFile(log, guest(1))
  const stopped = await follow(ask(log), async ({ child, said }) => {
    await said(/\] 1\n/)
    child.kill('SIGINT')
  })
  expect(stopped.code).toBe(0)
  await appendFile(log, guest(4))
  const again = await follow(ask(log), async ({ child, said }) => {
    await said(/\] 4\n/)
    child.kill('SIGINT')
  })
  expect(again.stderr).toContain('This reading was begun before')
  expect(again.stderr).toMatch(/kept\.log, line 2: "Guest 4 came on day 4\."/)
}, 120_000)

it.each([
  ['a shorter text', guest(7)],
  ['a longer text', `${guest(7)}${guest(8)}${guest(9)}`],
  ['an unfinished line', guest(7).slice(0, 9)],
])(
  'does not go on with a file that holds %s than what was read',
  async (_, now) => {
    const log = folder.join(`${now.length} cut.log`)
    await writeFile(log, guest(1) + guest(2))
    await follow(ask(log), async ({ child, said }) => {
      await said(/\] 2\n/)
      child.kill('SIGINT')
    })
    await writeFile(log, now)
    const { code, stderr } = await follow(ask(log), async () => undefined)
    expect(code).toBe(1)
    expect(stderr).toContain(`${log} was replaced or cut since it was read up to character`)
  },
  120_000,
)

it('shows that an answer failed, keeps the memory, and asks again at the next change', async () => {
  const { code, stdout, stderr } = await follow(ask(), async ({ child, said }) => {
    failsToAnswer = true
    child.stdin!.write(guest(1))
    await said('could not be renewed')
    failsToAnswer = false
    child.stdin!.write(guest(2))
    await said(/\] 2\n/)
  })
  expect({ code, stdout: stdout.replace(/\[.*\]/, '[]') }).toEqual({ code: 0, stdout: '[] 2\n2\n' })
  expect(stderr).not.toContain('unsure')
}, 120_000)

it('ends with the last answer as an unsure one where the memory has changed since', async () => {
  const { code, stdout, stderr } = await follow(ask('--quiet'), async ({ child, said }) => {
    child.stdin!.write(guest(1))
    await said(/\] 1\n/)
    failsToAnswer = true
    const before = server.callCount
    child.stdin!.write(guest(2))
    // The chunk, the answer, and the answer once more.
    while (server.callCount < before + 3) await setTimeout(20)
    await setTimeout(200)
    child.kill('SIGINT')
  })
  expect(code).toBe(4)
  expect(stdout).toMatch(/\n1\n$/)
  expect(stderr).toContain('unsure: The answer is that of step 1: the memory has changed since.')
}, 120_000)

it('stops at a limit, and can be resumed', async () => {
  const { code, stderr } = await follow(ask('--max-calls', '3'), async ({ child, said }) => {
    child.stdin!.write(guest(1))
    await said(/\] 1\n/)
    child.stdin!.write(guest(2))
    await said('limit')
  })
  expect(code).toBe(1)
  expect(stderr).toMatch(/Resume it, with a higher limit \(--max-calls 6\): memagent resume/)
}, 120_000)

it('knows at the first pause what a short file is', async () => {
  const zip = folder.join(`${number}.log`)
  await writeFile(zip, Buffer.from(`PK\x03\x04\x14${'\0'.repeat(60)}`, 'latin1'))
  const refused = await follow(ask(zip), async () => undefined)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/\.log is a/) })
  const log = folder.join(`${number}-short.log`)
  await writeFile(log, '早\n')
  const read = await follow(ask(log), async ({ child, said }) => {
    await said('guest 0 came on day 0')
    child.kill('SIGINT')
  })
  expect(read.code).toBe(0)
}, 120_000)

it('refuses what cannot be followed', async () => {
  for (const args of [
    ['ask', question, '--follow', 'a.log', 'b.log'],
    ['ask', question, '--follow', folder.path],
    ['ask', question, '--pause', '3', 'README.md'],
  ]) {
    const { code, stderr } = await runCommand(args, { environment: { XDG_DATA_HOME: data } })
    expect(code).toBe(2)
    expect(stderr).toContain('(cli/cannot-follow)')
  }
}, 120_000)
