/** Runs the real command as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')
const script = join(root, 'packages/cli/src/bin.ts')

export interface CommandResult {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CommandOptions {
  readonly input?: string | Uint8Array
  readonly environment?: Record<string, string | undefined>
  /** Standard input stays open, for `onStart` to end it. @default false */
  readonly keepsInput?: boolean
  readonly onStart?: (child: ChildProcess) => void
  /** It runs there. @default the root of the repository */
  readonly folder?: string
}

export function runCommand(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const child = spawn(process.execPath, ['--conditions=@memagent/source', script, ...args], {
    cwd: options.folder ?? root,
    env: { ...process.env, NO_COLOR: '1', ...options.environment },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', (data) => {
    stdout += data
  })
  child.stderr.on('data', (data) => {
    stderr += data
  })
  // A command that ignores its input may exit before all of it is written.
  child.stdin.on('error', () => undefined)
  if (!options.keepsInput) child.stdin.end(options.input ?? '')
  options.onStart?.(child)
  return new Promise((done, failed) => {
    child.on('error', failed)
    child.on('close', (code, signal) => done({ code, signal, stdout, stderr }))
  })
}
