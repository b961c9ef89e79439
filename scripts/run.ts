/** Runs a program to its end. */
import { spawnSync } from 'node:child_process'

/** @returns what it printed @throws Error with all its output, unless it exits with 0 */
export function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = process.env,
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout
}

export const say = (text: string) => process.stdout.write(`${text}\n`)
