/** The real `memagent serve` as a process of its own. */
import type { ChildProcess } from 'node:child_process'
import { type CommandResult, runCommand } from './run-cli.ts'

export interface Served {
  readonly url: string
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
}

/** Resolves once it answers. @param dataFolder for what no argument places elsewhere @throws what it wrote instead */
export async function serving(args: readonly string[], dataFolder: string): Promise<Served> {
  let onUrl: (url: string) => void = () => undefined
  const url = new Promise<string>((resolve) => {
    onUrl = resolve
  })
  let child: ChildProcess | undefined
  const ended = runCommand(['serve', '--port', '0', ...args], {
    environment: { XDG_DATA_HOME: dataFolder },
    onStart: (started) => {
      child = started
      let said = ''
      started.stderr!.on('data', (data) => {
        said += data
        const at = /answers at (http:\S+)\/v1/.exec(said)?.[1]
        if (at) onUrl(at)
      })
    },
  })
  return {
    url: await Promise.race([url, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]),
    child: child!,
    ended,
  }
}
