/** Scripted answers instead of a server, to test rules about statuses, pauses and bytes. */
import { keyCredentials } from '../credentials.ts'
import { type RequestBody, Transport } from '../transport.ts'
import { impatience } from './test-policy.ts'

export interface ScriptedReply {
  readonly status?: number
  /** JSON; a text is sent unchanged; bytes are protobuf. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ScriptedCall {
  readonly url: string
  readonly body: RequestBody['content'] | undefined
  readonly headers: Headers
  readonly redirect: RequestInit['redirect']
}

/** A transport that plays replies in order and repeats the last one forever. An error is thrown as by `fetch`. */
export function scriptedTransport(replies: readonly (ScriptedReply | Error)[], patienceMs?: number) {
  const calls: ScriptedCall[] = []
  const { pauses, sleep } = impatience()
  let clock = 0
  let open = 0
  const peak = { open: 0 }
  const transport = new Transport({
    baseUrl: 'http://test',
    credentials: keyCredentials('tml-key'),
    patienceMs,
    effects: {
      now: () => clock,
      random: () => 0,
      sleep: async (ms, signal) => {
        clock += ms
        await sleep(ms, signal)
      },
      fetch: async (url, init) => {
        peak.open = Math.max(peak.open, ++open)
        const reply = replies[Math.min(calls.length, replies.length - 1)]!
        calls.push({
          url: String(url),
          body: (init?.body ?? undefined) as RequestBody['content'] | undefined,
          headers: new Headers(init?.headers),
          redirect: init?.redirect,
        })
        await new Promise((resolve) => setImmediate(resolve))
        open--
        init?.signal?.throwIfAborted()
        if (reply instanceof Error) throw reply
        const { status = 200, body = {}, headers = {} } = reply
        const isBytes = body instanceof Uint8Array
        const type = isBytes ? 'application/x-protobuf' : 'application/json'
        const content = isBytes
          ? new Uint8Array(body)
          : typeof body === 'string'
            ? body
            : JSON.stringify(body)
        return new Response(content, { status, headers: { 'content-type': type, ...headers } })
      },
    },
  })
  return { transport, calls, pauses, peak }
}
