/** Kills the real command at random moments, and compares each run with one that was never disturbed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStubServer } from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import { runCommand } from '../cli/run-cli.ts'
import { foldingReply } from './folding-reply.ts'

export interface KillOptions {
  /** Arguments that make the command keep its nth run: `--store`, `--checkpoint`. */
  readonly keep: (run: number) => readonly string[]
  /** Each step is kept before the next call, so that a kill repeats no more than the call under way. */
  readonly isWrittenFirst: boolean
  /** Checks what was kept, after every kill. @default nothing */
  readonly problemsOf?: () => Promise<readonly string[]>
  /** For the text. */
  readonly folder: string
  readonly kills: number
  /** Told of every run that ended. */
  readonly tell?: (line: string) => void
}

export interface KillReport {
  readonly kills: number
  readonly runs: number
  /** Runs that reported at the end after which step they went on. */
  readonly resumed: number
  /** Calls that were made again. */
  readonly repeated: number
  /** What went wrong. */
  readonly problems: readonly string[]
}

const killsPerRun = 10

export async function killRuns(options: KillOptions): Promise<KillReport> {
  const { keep, isWrittenFirst, problemsOf = async () => [], folder, kills, tell = () => undefined } = options
  const random = createRandom('killed-runs')
  const calls = new Map<string, number>()
  let onCall: (() => void) | undefined
  const server = await createStubServer({
    delayMs: 2,
    respond: ({ messages }) => {
      onCall?.()
      const prompt = messages.at(-1)!.content
      calls.set(prompt, (calls.get(prompt) ?? 0) + 1)
      return foldingReply(prompt)
    },
  })
  const file = join(folder, 'text.txt')
  const sentences = Array.from({ length: 1600 }, (_, i) => `Sentence ${i} says ${random.int(1e6)}.`)
  await writeFile(file, sentences.join(' '))
  const model = ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '100']
  const problems: string[] = []
  const ask = (question: string, kept: readonly string[], onStart?: (pid: number) => void) =>
    runCommand(['ask', question, file, ...model, '--json', ...kept], {
      onStart: (child) => onStart?.(child.pid!),
    })
  const killSometime = (pid: number) => {
    if (random.int(8) === 0) return killAfter(pid, random.int(600))
    let left = 1 + random.int(14)
    const milliseconds = random.int(8)
    onCall = () => {
      if (--left === 0) killAfter(pid, milliseconds)
    }
  }
  let [killed, runs, resumed, repeatedInAll] = [0, 0, 0, 0]
  try {
    while (killed < kills) {
      const question = `What is the state, for the ${++runs}th time?`
      const killedBefore = killed
      calls.clear()
      const wanted = Math.min(kills, killed + killsPerRun)
      const kept = keep(runs)
      let result = await ask(question, kept, killSometime)
      while (result.signal === 'SIGKILL') {
        killed++
        onCall = undefined
        problems.push(...(await problemsOf()).map((problem) => `after kill ${killed}: ${problem}`))
        result = await ask(question, kept, killed < wanted ? killSometime : undefined)
      }
      onCall = undefined
      if (/Going on after step/.test(result.stderr)) resumed++
      const repeated = [...calls.values()].reduce((sum, times) => sum + times - 1, 0)
      if (isWrittenFirst && repeated > killed - killedBefore)
        problems.push(`run ${runs}: ${repeated} calls were repeated`)
      const undisturbed = await ask(question, ['--no-store'])
      const [ended, whole] = [result, undisturbed].map(({ stdout }) =>
        stdout.replace(/"seconds":[\d.e-]+/g, ''),
      )
      if (ended !== whole || whole === '')
        problems.push(`run ${runs} ended as ${ended}${result.stderr}, not ${whole}`)
      repeatedInAll += repeated
      tell(
        `run ${runs}: ${killed - killedBefore} kills, ${repeated} calls repeated, ${problems.length} problems`,
      )
    }
  } finally {
    await server.close()
  }
  return { kills: killed, runs, resumed, repeated: repeatedInAll, problems }
}

function killAfter(pid: number, milliseconds: number): void {
  setTimeout(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended already.
    }
  }, milliseconds)
}
