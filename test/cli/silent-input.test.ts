/** Ctrl-C ends a reading at once, even while standard input is open and silent, such as a log between two lines. */
import { execFileSync, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createStubServer } from '@memagent/core/testing'
import { expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const root = resolve(import.meta.dirname, '../..')
const isWindows = process.platform === 'win32'

it.skipIf(isWindows)('is interrupted while the input is silent', { timeout: 30_000 }, async () => {
  const server = await createStubServer({ respond: () => 'A note.' })
  const path = join(tmpdir(), `memagent-silent-${process.pid}`)
  execFileSync('mkfifo', [path])
  const pipe = openSync(path, 'r+')
  const child = spawn(
    process.execPath,
    [
      '--conditions=@memagent/source',
      join(root, 'packages/cli/src/bin.ts'),
      ...[
        'ask',
        'Who came?',
        '--model',
        'openai:stub',
        '--base-url',
        server.baseUrl,
        '--chunk',
        '60',
        '--events',
        // Otherwise all of the input is kept before it is read.
        '--no-store',
      ],
    ],
    { cwd: root, stdio: [pipe, 'pipe', 'ignore'] },
  )
  try {
    const closed = new Promise<number | null>((done) => child.once('close', done))
    // More than the read-ahead of a chunk, and then nothing.
    writeSync(pipe, 'The guest came on foot. '.repeat(200))
    await new Promise<void>((done) => {
      child.stdout!.on('data', (data) => {
        if (String(data).includes('chunk-end')) done()
      })
      child.once('close', () => done())
    })
    // By then, it has read everything available and waits.
    await new Promise((done) => setTimeout(done, 700))
    child.kill('SIGINT')
    expect(await closed).toBe(130)
  } finally {
    child.kill('SIGKILL')
    closeSync(pipe)
    rmSync(path)
    await server.close()
  }
})

it.skipIf(isWindows)('is interrupted with the command that the input comes from', async () => {
  const server = await createStubServer({ respond: () => 'A note.' })
  try {
    const { code, stderr } = await runCommand(
      ['ask', 'Who came?', '--model', 'openai:stub', '--base-url', server.baseUrl, '--events', '--no-store'],
      {
        keepsInput: true,
        onStart: (child) => {
          child.stdout!.once('data', () => {
            // Ctrl-C reaches both; the end of the input may come first.
            child.stdin!.end()
            setImmediate(() => child.kill('SIGINT'))
          })
        },
      },
    )
    expect(stderr).toContain('Interrupted.')
    expect(code).toBe(130)
  } finally {
    await server.close()
  }
})

it.skipIf(isWindows).each([
  ['ask', ['ask', 'Who came?', 'README.md', '--checkpoint', 'FOLDER/run.json', '--json']],
  ['estimate', ['estimate', 'README.md', '--json']],
  ['demo', ['demo', '--tokens', '1000', '--json']],
  [
    'bench run',
    [
      ...['bench', 'run', '--tasks', 'niah-single-1', '--lengths', '1k', '--methods', 'truncate'],
      ...['--samples', '1', '--output', 'FOLDER/record.jsonl', '--json'],
    ],
  ],
  ['serve', ['serve', '--no-store', '--port', '0']],
])('%s is interrupted while a server does not say what it is, and leaves no file', async (_, command) => {
  const folder = mkdtempSync(join(tmpdir(), 'memagent-silent-'))
  const silent = createServer(() => undefined)
  await new Promise<void>((done) => silent.listen(0, '127.0.0.1', done))
  const baseUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/v1`
  try {
    const { code, stdout, stderr } = await runCommand(
      [
        ...command.map((part) => part.replace('FOLDER', folder)),
        ...['--model', 'openai:stub', '--base-url', baseUrl],
      ],
      { onStart: (child) => silent.once('request', () => child.kill('SIGINT')) },
    )
    expect(stderr).toContain('Interrupted.')
    const told = { outcome: 'failed', error: { code: 'interrupted', message: 'Interrupted.' } }
    expect(stdout === '' ? undefined : JSON.parse(stdout)).toEqual(
      command.includes('--json') ? told : undefined,
    )
    expect(code).toBe(130)
    expect(readdirSync(folder)).toEqual([])
  } finally {
    silent.closeAllConnections()
    silent.close()
    rmSync(folder, { recursive: true })
  }
})
