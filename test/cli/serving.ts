/** The real `memagent serve` as a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type CommandResult, runCommand } from './run-cli.ts'

export interface Served {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
}

/**
 * Resolves once it answers.
 * @param args may name a port. @default a free one
 * @param dataFolder for what no argument places elsewhere. @default the user's
 * @throws Error with what it wrote instead
 */
export async function serving(
  args: readonly string[],
  dataFolder = process.env.XDG_DATA_HOME,
): Promise<Served> {
  let child: ChildProcess | undefined
  const ended = runCommand(['serve', '--port', '0', ...args], {
    environment: { XDG_DATA_HOME: dataFolder },
    onStart: (started) => {
      child = started
    },
  })
  let said = ''
  for (;;) {
    const url = /answers at (http:\S+)\/v1/.exec(said)?.[1]
    if (url !== undefined) return { url, child: child!, ended }
    const more = await Promise.race([once(child!.stderr!, 'data'), ended])
    if (!Array.isArray(more)) throw new Error(more.stderr)
    said += more[0]
  }
}
