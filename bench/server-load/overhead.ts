/** What the server adds to a short conversation, compared with asking the model's server directly. */
import { Agent, request } from 'node:http'

export interface Overhead {
  readonly pairs: number
  readonly directMs: Spread
  readonly throughMs: Spread
  /** Of the differences within pairs. */
  readonly overheadMs: Spread
}

interface Spread {
  readonly p50: number
  readonly p99: number
}

interface Asked {
  /** Ends in /v1. */
  readonly baseUrl: string
  readonly model: string
  readonly key?: string | undefined
}

/** One client, one request at a time; the order within pairs alternates. */
export async function measureOverhead(direct: Asked, through: Asked, pairs: number): Promise<Overhead> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const warmUp = 100
  const times: { direct: number; through: number }[] = []
  for (let pair = -warmUp; pair < pairs; pair++) {
    const time = { direct: 0, through: 0 }
    const turns = pair % 2 === 0 ? (['direct', 'through'] as const) : (['through', 'direct'] as const)
    for (const turn of turns) time[turn] = await millisecondsOf({ direct, through }[turn], agent)
    if (pair >= 0) times.push(time)
  }
  agent.destroy()
  return {
    pairs,
    directMs: spread(times.map(({ direct }) => direct)),
    throughMs: spread(times.map(({ through }) => through)),
    overheadMs: spread(times.map((time) => time.through - time.direct)),
  }
}

/** Milliseconds until the whole answer is there. */
function millisecondsOf({ baseUrl, model, key }: Asked, agent: Agent): Promise<number> {
  const startMs = performance.now()
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'Say again: good morning' }] })
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  return new Promise((resolve, reject) => {
    const sent = request(`${baseUrl}/chat/completions`, { method: 'POST', agent, headers }, (reply) => {
      const parts: Buffer[] = []
      reply.on('data', (part) => parts.push(part))
      reply.on('end', () => {
        const text = Buffer.concat(parts).toString()
        if (text.includes('good morning')) resolve(performance.now() - startMs)
        else reject(new Error(text))
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

function spread(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => Number(sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(2))
  return { p50: at(0.5), p99: at(0.99) }
}
