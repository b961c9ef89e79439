/** Ctrl-C ends a reading at once, also while standard input is open and silent, as a log is that waits for its next line. */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { createStubServer } from '@memagent/core/testing'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')

it('is interrupted while the input is silent', { timeout: 60_000 }, async () => {
  const server = await createStubServer({ respond: () => 'A note.' })
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
      ],
    ],
    { cwd: root, stdio: ['pipe', 'pipe', 'ignore'] },
  )
  try {
    const closed = new Promise<number | null>((done) => child.once('close', done))
    // More than is read ahead of a chunk, and then nothing.
    child.stdin.write('The guest came on foot. '.repeat(200))
    await new Promise<void>((done) => {
      child.stdout.on('data', (data) => {
        if (String(data).includes('chunk-end')) done()
      })
      child.once('close', () => done())
    })
    child.kill('SIGINT')
    expect(await closed).toBe(130)
    expect(child.stdin.writableEnded).toBe(false)
  } finally {
    child.kill('SIGKILL')
    await server.close()
  }
})
