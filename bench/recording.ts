/** What the programs that measure share: medians, the machine, processes of their own, and where results are recorded. */
import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { join } from 'node:path'

export const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** This one, and how busy it is now. */
export const machine = () => ({
  cpu: cpus()[0]!.model,
  cores: availableParallelism(),
  node: process.version,
  load: Number(loadavg()[0]!.toFixed(2)),
})

/** Writes `bench/results/NAME.json`. */
export function record(name: string, result: object): void {
  const folder = join(import.meta.dirname, 'results')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(result, null, 2)}\n`)
}

/**
 * Runs a program in a process of its own, to its end.
 * @param flags of Node
 * @returns what it sends @throws Error if it sends nothing
 */
export function inChild<Result>(
  program: string,
  args: readonly string[],
  flags: readonly string[] = [],
): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(program, args, { execArgv: ['--conditions=@memagent/source', ...flags] })
    let sent: Result | undefined
    child.on('message', (message) => {
      sent = message as Result
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      sent === undefined ? reject(new Error(`${args.join(' ')} ended with ${code}.`)) : resolve(sent),
    )
  })
}
