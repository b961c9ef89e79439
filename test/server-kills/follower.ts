/** Follows a run of a server that is killed now and then, and goes on after the last event that arrived whole. */
import { setTimeout } from 'node:timers/promises'

export interface Followed {
  /** Of the steps, in the order in which they arrived. */
  readonly steps: readonly { readonly id: string; readonly data: string }[]
  /** How often it connected. */
  readonly connections: number
}

/** @param url of the present server @returns once the run has ended */
export async function follow(url: () => string, run: string): Promise<Followed> {
  const steps: { id: string; data: string }[] = []
  for (let connections = 1; ; connections++) {
    const last = steps.at(-1)?.id
    try {
      const reply = await fetch(`${url()}/api/runs/${run}/events`, {
        headers: last === undefined ? {} : { 'last-event-id': last },
      })
      if (!reply.ok) throw new Error(`${reply.status}: ${await reply.text()}`)
      for await (const { event, id, data } of eventsIn(reply.body!)) {
        if (event === 'step') steps.push({ id, data })
        if (event === 'end') return { steps, connections }
      }
    } catch (error) {
      // The server is being killed or started.
      if (!(error instanceof TypeError)) throw error
    }
    await setTimeout(50)
  }
}

/** Events that arrived whole. */
async function* eventsIn(body: ReadableStream<Uint8Array>) {
  let text = ''
  const decoder = new TextDecoder()
  for await (const bytes of body) {
    text += decoder.decode(bytes, { stream: true })
    const parts = text.split('\n\n')
    text = parts.pop()!
    for (const part of parts) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(part)?.[1] ?? ''
      yield { event: field('event'), id: field('id'), data: field('data') }
    }
  }
}
