/** What the command line says of servers that make it wait, redirect it or repeat what they were sent. */
import { readFile, writeFile } from 'node:fs/promises'
import { createStubServer, type StubServerOptions, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOptions, runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let text: string
beforeAll(async () => {
  text = folder.join('text.txt')
  await writeFile(text, 'The code is 17.')
})

/** Asks over a server of its own. @param query of the base URL */
async function ask(
  stub: StubServerOptions,
  args: readonly string[],
  options: CommandOptions = {},
  query = '',
) {
  const server = await createStubServer({ respond: () => '\\boxed{17}', ...stub })
  const model = ['--model', 'openai:stub', '--base-url', `${server.baseUrl}${query}`]
  const result = await runCommand(['ask', 'Which code?', text, ...model, ...args], options)
  await server.close()
  return { ...result, server }
}

describe('a server that makes a reading wait', { timeout: 60_000 }, () => {
  it('is waited for visibly: in the progress and as an event', async () => {
    const faults = [
      { kind: 'rate-limit', retryAfterMs: 60 },
      { kind: 'status', status: 503 },
    ] as const
    const { code, stdout, stderr } = await ask({ faults }, ['--events'])
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Waiting 0\.\d s before attempt 2: rate limit \(429\)$/m)
    expect(stderr).toMatch(/^Waiting \d.* before attempt 3: the server is busy \(503\)$/m)
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.map(({ type }) => type).slice(0, 4)).toEqual([
      'reading-start',
      'wait',
      'wait',
      'memory-end',
    ])
    expect(events[1]).toEqual({
      type: 'wait',
      call: 'chat',
      reason: 'rate limit (429)',
      code: 'chat/rate-limited',
      seconds: expect.any(Number),
      attempt: 2,
    })
  })

  it('for longer than the patience is given up at once, with the requested wait and how to resume', async () => {
    const faults = () => ({ kind: 'rate-limit', retryAfter: '3600' }) as const
    const plain = await ask({ faults }, ['--json'])
    expect(plain.code).toBe(1)
    expect(plain.stderr).toContain('The server asks for a wait of 1 h, longer than the patience of 15 min')
    expect(plain.stderr).toContain('Run again in 1 h, or raise the patience: --patience 66m')
    expect(plain.stderr).toMatch(/Resume it: memagent resume [0-9a-f]{10}/)
    expect(JSON.parse(plain.stdout)).toMatchObject({
      outcome: 'failed',
      error: { code: 'chat/rate-limited', hint: expect.stringContaining('memagent resume') },
    })
    const checkpoint = folder.join('checkpoint.json')
    const resumable = await ask({ faults }, ['--checkpoint', checkpoint, '--patience', '2m'])
    expect(resumable.stderr).toContain('longer than the patience of 2 min')
    expect(resumable.stderr).toContain(`Run the same command again to resume from ${checkpoint}.`)
    expect(resumable.server.callCount).toBe(1)
  })

  it('is not retried with --retries 0, and as often as --retries says', async () => {
    const faults = () => ({ kind: 'status', status: 500 }) as const
    expect((await ask({ faults }, ['--retries', '0'])).server.callCount).toBe(1)
    const twice = await ask({ faults }, ['--retries', '1'])
    expect(twice.server.callCount).toBe(2)
    expect(twice.stderr).toMatch(/error: .*\(2 attempts\)/)
  })

  it('is abandoned at once on Ctrl-C', async () => {
    const onStart: CommandOptions['onStart'] = (child) => {
      child.stderr?.on('data', (data) => {
        if (String(data).includes('Waiting 60 s')) child.kill('SIGINT')
      })
    }
    const startMs = performance.now()
    const faults = () => ({ kind: 'rate-limit', retryAfter: '60' }) as const
    const { code, stderr } = await ask({ faults }, [], { onStart })
    expect({ code, stderr: stderr.trim().split('\n').at(-1) }).toEqual({
      code: 130,
      stderr: expect.stringMatching(/^Interrupted\. Resume it: memagent resume [0-9a-f]{10}$/),
    })
    expect(performance.now() - startMs).toBeLessThan(50_000)
  })
})

/** Arguments of a benchmark of one question that records to this file. */
async function benchOf(baseUrl: string, record: string): Promise<string[]> {
  const questions = folder.join('questions.jsonl')
  const document = 'The code is 17. '.repeat(20)
  await writeFile(questions, JSON.stringify({ id: 'q', question: 'Which code?', document, answers: ['17'] }))
  const task = [
    '--tasks',
    `jsonl:path=${questions}`,
    '--lengths',
    '1k',
    '--samples',
    '1',
    '--methods',
    'overwrite',
  ]
  return [
    'bench',
    'run',
    ...task,
    '--model',
    'openai:stub',
    '--base-url',
    baseUrl,
    '--output',
    record,
    '--prose',
    folder.path,
  ]
}

describe('a benchmark whose server makes it wait', { timeout: 60_000 }, () => {
  it('says so, and is abandoned at once on Ctrl-C', async () => {
    const server = await createStubServer({ faults: () => ({ kind: 'rate-limit', retryAfter: '60' }) })
    const startMs = performance.now()
    const { code, stderr } = await runCommand(await benchOf(server.baseUrl, folder.join('waiting.jsonl')), {
      onStart: (child) => {
        child.stderr?.on('data', (data) => {
          if (String(data).includes('Waiting 60 s before attempt 2: rate limit (429)')) child.kill('SIGINT')
        })
      },
    })
    await server.close()
    expect(stderr).toMatch(/^Waiting 60 s before attempt 2: rate limit \(429\)$/m)
    expect(code).toBe(130)
    expect(performance.now() - startMs).toBeLessThan(50_000)
  })
})

describe('what is secret', { timeout: 60_000 }, () => {
  const secrets = ['sk-key-0123456789', 'header-0123456789', 'query-0123456789']
  const [apiKey, header, query] = secrets as [string, string, string]
  const environment = { MEMAGENT_API_KEY: apiKey, MEMAGENT_DEBUG: '1' }
  const withHeader = ['--header', `X-Gateway-Key: ${header}`, '--json', '--events']
  const expectHidden = (texts: string) => {
    for (const secret of secrets) expect(texts).not.toContain(secret)
  }

  it('reaches the server', async () => {
    const { code, server, stdout, stderr } = await ask({}, withHeader, { environment }, `?code=${query}`)
    expect(code).toBe(0)
    expect(server.calls[0]?.headers).toMatchObject({
      'x-gateway-key': header,
      authorization: `Bearer ${apiKey}`,
    })
    expectHidden(stdout + stderr)
  })

  it.each([
    ['echoes the request', { kind: 'echo' }, /Cannot serve/],
    [
      'redirects',
      { kind: 'redirect', location: `https://elsewhere/?next=${query}` },
      /redirects \(307\) to https:\/\/elsewhere\/\?\.\.\.; nothing was sent there/,
    ],
  ] as const)('is not printed when the server %s', async (_, fault, message) => {
    const { code, stdout, stderr } = await ask(
      { faults: () => fault },
      withHeader,
      { environment },
      `?code=${query}`,
    )
    expect(code).toBe(1)
    expect(stderr).toMatch(message)
    expectHidden(stdout + stderr)
  })

  it.each([
    [['--header', header], 2, /has no colon/],
    [['--base-url', `http://me:${query}@host/v1`], 2, /holds a user name or password/],
    [
      ['--model', `http://me:${query}@host/v1?code=${query}`],
      2,
      /"http:\/\/host\/v1\?\.\.\." names no known backend/,
    ],
  ])('is not printed when it is refused: %s', async (args, wanted, message) => {
    const { code, stdout, stderr } = await ask({}, args, { environment })
    expect(code).toBe(wanted)
    expect(stderr).toMatch(message)
    expectHidden(stdout + stderr)
  })

  it('is not written to checkpoints and records', async () => {
    const faults: StubServerOptions['faults'] = ({ index }) => (index === 0 ? undefined : { kind: 'echo' })
    const checkpoint = folder.join('secret.json')
    await ask({ faults }, [...withHeader, '--checkpoint', checkpoint], { environment }, `?code=${query}`)
    const written = await readFile(checkpoint, 'utf8')
    expect(written).toContain('openai:stub')
    const server = await createStubServer({ faults: () => ({ kind: 'echo' }) })
    const record = folder.join('secret.jsonl')
    const args = await benchOf(`${server.baseUrl}?code=${query}`, record)
    const { stdout, stderr } = await runCommand([...args, '--header', `X-Key: ${header}`], { environment })
    await server.close()
    const recorded = await readFile(record, 'utf8')
    expect(recorded).toContain('Cannot serve')
    expectHidden(written + recorded + stdout + stderr)
  })

  it('is not printed by models', async () => {
    const server = await createStubServer({ models: ['small'] })
    const { stdout, stderr } = await runCommand(
      ['models', '--base-url', `${server.baseUrl}?code=${query}`, '--header', `X-Key: ${header}`],
      { environment },
    )
    await server.close()
    expect(stdout).toContain(`${server.baseUrl}?... serves:`)
    expectHidden(stdout + stderr)
  })
})

it.each([
  [
    '--patience',
    'soon',
    /--patience must be a number of seconds, or a time such as 90s, 15m or 2h, not soon/,
  ],
  ['--retries', '-1', /--retries must be a whole number/],
])('%s %s is wrong usage', { timeout: 60_000 }, async (flag, value, message) => {
  const { code, stderr } = await ask({}, [flag, value])
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})
