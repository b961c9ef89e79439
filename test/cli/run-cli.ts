/** Runs the real command, and other programs of this repository, as processes of their own. */
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
  /** Of Node. */
  readonly flags?: readonly string[]
  /** Standard input stays open, for `onStart` to end it. @default false */
  readonly keepsInput?: boolean
  readonly onStart?: (child: ChildProcess) => void
  /** It runs there. @default the root of the repository */
  readonly folder?: string
}

export const runCommand = (args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> =>
  runProgram(script, args, options)

/** @param program path of a TypeScript file */
export function runProgram(
  program: string,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const flags = ['--conditions=@memagent/source', ...(options.flags ?? [])]
  const child = spawn(process.execPath, [...flags, program, ...args], {
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
