/** Kills the real command at random moments, and holds each run against the one that was never disturbed. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStubServer } from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import { runCommand } from '../cli/run-cli.ts'
import { foldingReply } from './folding-reply.ts'
import { problemsOf } from './integrity.ts'

export interface KillReport {
  readonly kills: number
  readonly runs: number
  /** Calls that were made again. */
  readonly repeated: number
  /** What went wrong. */
  readonly problems: readonly string[]
}

const killsPerRun = 10

/** @param store of the runs @param folder for the text @param tell is told of every run that ended */
export async function killRuns(
  store: string,
  folder: string,
  kills: number,
  tell: (line: string) => void = () => undefined,
): Promise<KillReport> {
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
  const ask = (question: string, keep: readonly string[], onStart?: (pid: number) => void) =>
    runCommand(['ask', question, file, ...model, '--json', ...keep], {
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
  let [killed, runs, repeatedInAll] = [0, 0, 0]
  try {
    while (killed < kills) {
      const question = `What is the state, for the ${++runs}th time?`
      const killedBefore = killed
      calls.clear()
      const wanted = Math.min(kills, killed + killsPerRun)
      let result = await ask(question, ['--store', store], killSometime)
      while (result.signal === 'SIGKILL') {
        killed++
        onCall = undefined
        problems.push(...(await problemsOf(store)).map((problem) => `after kill ${killed}: ${problem}`))
        result = await ask(question, ['--store', store], killed < wanted ? killSometime : undefined)
      }
      onCall = undefined
      const repeated = [...calls.values()].reduce((sum, times) => sum + times - 1, 0)
      if (repeated > killed - killedBefore) problems.push(`run ${runs}: ${repeated} calls were repeated`)
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
  return { kills: killed, runs, repeated: repeatedInAll, problems }
}

function killAfter(pid: number, milliseconds: number): void {
  setTimeout(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was done before.
    }
  }, milliseconds)
}
