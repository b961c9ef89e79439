/** Many processes write one store at once, and nothing is lost. */
import { join } from 'node:path'
import { openRunStore } from '@memagent/store'
import { runProgram } from '../cli/run-cli.ts'
import { problemsOf } from './integrity.ts'

export interface WritersReport {
  /** Runs that the processes say they finished. */
  readonly told: number
  /** Finished runs in the store. */
  readonly kept: number
  readonly steps: number
  /** What the processes wrote to standard error, how they ended, or what is wrong with the store. */
  readonly problems: readonly string[]
}

/** @param location of the store */
export async function writeTogether(
  location: string,
  processes: number,
  seconds: number,
): Promise<WritersReport> {
  const ends = await Promise.all(
    Array.from({ length: processes }, (_, i) => write(location, `writer ${i}`, seconds)),
  )
  const store = await openRunStore(location)
  const runs = await store.list({ state: 'finished' })
  await store.close()
  return {
    told: ends.reduce((sum, { finished }) => sum + finished, 0),
    kept: runs.length,
    steps: runs.reduce((sum, { steps }) => sum + steps, 0),
    problems: [...ends.flatMap(({ problem }) => problem), ...(await problemsOf(location))],
  }
}

async function write(location: string, name: string, seconds: number) {
  const program = join(import.meta.dirname, 'busy-writer.ts')
  const { code, stdout, stderr } = await runProgram(program, [location, name, String(seconds)])
  return {
    finished: Number(stdout),
    problem: code === 0 && stderr === '' ? [] : [`${name}: ${code} ${stderr}`],
  }
}
