/** Runs a command line within this process. */
import { main } from '../main.ts'

export interface MainResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export async function runMain(
  args: readonly string[],
  options: {
    readonly input?: string
    readonly environment?: Readonly<Record<string, string>>
    /** Whether standard error is a terminal. @default false */
    readonly isTTY?: boolean
  } = {},
): Promise<MainResult> {
  let [stdout, stderr] = ['', '']
  const stdin = async function* () {
    if (options.input) yield options.input
  }
  const code = await main(args, {
    stdin: stdin(),
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text), isTTY: options.isTTY, columns: 100 },
    environment: options.environment ?? {},
  })
  return { code, stdout, stderr }
}
