/** Pipes that are closed early and disks that are full end a command in its own words, never with a stack trace. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '../..')
const isLinux = process.platform === 'linux'

interface Lost {
  readonly stdout?: 'closed' | 'full'
  readonly stderr?: 'closed' | 'full'
}

/** Runs with an output that is lost before anything is written. */
async function run(args: readonly string[], lost: Lost) {
  const full = openSync('/dev/full', 'w')
  const script = join(root, 'packages/cli/src/bin.ts')
  const child = spawn(process.execPath, ['--conditions=@memagent/source', script, ...args], {
    cwd: root,
    stdio: ['ignore', lost.stdout === 'full' ? full : 'pipe', lost.stderr === 'full' ? full : 'pipe'],
  })
  closeSync(full)
  if (lost.stdout === 'closed') child.stdout?.destroy()
  if (lost.stderr === 'closed') child.stderr?.destroy()
  let [stdout, stderr] = ['', '']
  child.stdout?.on('data', (data) => (stdout += data))
  child.stderr?.on('data', (data) => (stderr += data))
  const code = await new Promise((done) => child.once('close', done))
  return { code, stdout, stderr }
}

it.runIf(isLinux)('a closed pipe ends a command quietly', { timeout: 30_000 }, async () => {
  expect(await run(['--help'], { stdout: 'closed' })).toMatchObject({ code: 141, stderr: '' })
})

it.runIf(isLinux)('a full disk is an error of one line', { timeout: 30_000 }, async () => {
  const { code, stderr } = await run(['--help'], { stdout: 'full' })
  expect(stderr).toMatch(/^error: Cannot write to standard output: ENOSPC.*\n$/)
  expect(code).toBe(1)
})

it.runIf(isLinux).each(['closed', 'full'] as const)(
  'a command goes on when standard error is lost: %s',
  { timeout: 30_000 },
  async (stderr) => {
    const { code } = await run(['ask', 'Who?', 'no-such-file.txt'], { stderr })
    expect(code).toBe(1)
    // Errors as JSON also go to standard output, and arrive whole.
    const { stdout } = await run(['ask', 'Who?', 'no-such-file.txt', '--json'], { stderr })
    expect(JSON.parse(stdout).error.code).toBe('document/unreadable')
  },
)
