/** Kills a server while it reads, and compares its runs with those of a server that was never disturbed. */
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createStubServer } from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import { serving } from '../cli/serving.ts'
import { foldingReply } from '../long-runs/folding-reply.ts'
import { problemsOf } from '../long-runs/integrity.ts'
import { type Followed, follow } from './follower.ts'

export interface ServerKills {
  readonly runs: number
  readonly kills: number
  /** Sentences of each text. */
  readonly sentences: number
}

export interface ServerKillReport {
  readonly kills: number
  readonly steps: number
  /** Times that followers connected. */
  readonly connections: number
  /** Calls that were made again. */
  readonly repeated: number
  readonly problems: readonly string[]
}

const question = 'What is the state?'

/** @param folder for the stores @param tell told of every kill */
export async function killServer(
  folder: string,
  { runs, kills, sentences }: ServerKills,
  tell: (line: string) => void = () => undefined,
): Promise<ServerKillReport> {
  const random = createRandom('killed-server')
  const calls = new Map<string, number>()
  const stub = await createStubServer({
    delayMs: 10,
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      calls.set(prompt, (calls.get(prompt) ?? 0) + 1)
      return foldingReply(prompt)
    },
  })
  const texts = Array.from({ length: runs }, (_, run) =>
    Array.from(
      { length: sentences },
      (_, i) => `In text ${run}, sentence ${i} says ${random.int(1e6)}.`,
    ).join(' '),
  )
  const serve = (store: string) => {
    const model = ['--model', 'openai:stub', '--base-url', stub.baseUrl, '--chunk', '100']
    return serving([...model, '--store', join(folder, store)], folder)
  }
  const problems: string[] = []
  let server = await serve('undisturbed.sqlite')
  try {
    const begin = () => Promise.all(texts.map((text) => beginRun(server.url, text)))
    const followAll = (ids: readonly string[]) => Promise.all(ids.map((id) => follow(() => server.url, id)))
    const quiet = await begin()
    const undisturbed = await followAll(quiet)
    const wanted = await endsOf(server.url, quiet)
    server.child.kill('SIGTERM')
    await server.ended

    calls.clear()
    server = await serve('killed.sqlite')
    const ids = await begin()
    const following = followAll(ids)
    let killed = 0
    while (killed < kills) {
      await setTimeout(100 + random.int(900))
      server.child.kill('SIGKILL')
      await server.ended
      killed++
      problems.push(...(await problemsOf(join(folder, 'killed.sqlite'))))
      server = await serve('killed.sqlite')
      const left = (await listOf(server.url)).filter(({ state }) => state !== 'finished').length
      tell(`kill ${killed}: ${left} of ${runs} runs go on`)
      if (left === 0) problems.push(`only ${killed} kills came before the runs were done`)
      if (left === 0) break
    }
    const followed = await following
    const ended = await endsOf(server.url, ids)
    for (const [i, id] of ids.entries()) {
      if (ended[i] !== wanted[i]) problems.push(`run ${i} ended as ${ended[i]}, not ${wanted[i]}`)
      const whole = await follow(() => server.url, id)
      problems.push(...differences(i, followed[i]!, whole), ...missing(i, whole, undisturbed[i]!))
    }
    const repeated = [...calls.values()].reduce((sum, times) => sum + times - 1, 0)
    return {
      kills: killed,
      steps: followed.reduce((sum, { steps }) => sum + steps.length, 0),
      connections: followed.reduce((sum, { connections }) => sum + connections, 0),
      repeated,
      problems,
    }
  } finally {
    server.child.kill('SIGKILL')
    await server.ended
    await stub.close()
  }
}

async function beginRun(url: string, text: string): Promise<string> {
  const reply = await fetch(`${url}/api/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ question, text }),
  })
  const { id } = (await reply.json()) as { readonly id: string }
  if (reply.status !== 201) throw new Error(`A run was refused: ${reply.status}`)
  return id
}

async function listOf(url: string): Promise<readonly { readonly id: string; readonly state: string }[]> {
  const reply = await fetch(`${url}/api/runs?limit=1000`)
  return ((await reply.json()) as { readonly runs: [] }).runs
}

/** How each run ended, without its times. */
const endsOf = (url: string, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (id) => {
      const reply = await fetch(`${url}/api/runs/${id}`)
      const { state, steps, result } = (await reply.json()) as Record<string, object>
      return JSON.stringify({ state, steps, result: { ...result, seconds: 0 } })
    }),
  )

/** Differences between what a follower was told and what is kept. */
function differences(run: number, { steps }: Followed, { steps: kept }: Followed): string[] {
  const ids = (all: Followed['steps']) => all.map(({ id }) => id).join(' ')
  if (ids(steps) !== ids(kept)) return [`run ${run}: a follower was told ${ids(steps)}, not ${ids(kept)}`]
  return steps.some(({ data }, i) => data !== kept[i]!.data)
    ? [`run ${run}: steps changed after they were told`]
    : []
}

function missing(run: number, { steps }: Followed, { steps: wanted }: Followed): string[] {
  const data = (all: Followed['steps']) => all.map((step) => step.data).join('\n')
  return data(steps) === data(wanted)
    ? []
    : [`run ${run}: ${steps.length} steps are kept, not the ${wanted.length} there are`]
}
