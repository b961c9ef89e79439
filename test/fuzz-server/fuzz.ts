/** Sends malformed requests over sockets to a server with a scripted model, and judges the replies. */
import { request } from 'node:http'
import { connect } from 'node:net'
import { listen } from '@memagent/server'
import { openRunStore } from '@memagent/store'
import { noter, servedModel } from '../../packages/server/src/testing/served.ts'
import { Described, type OpenapiDocument } from './described.ts'
import { type Known, note, seedServer } from './known.ts'
import { type Malformed, malformedRequest } from './malformed.ts'
import { fault, type Reply } from './promise.ts'
import { validRequests } from './valid-requests.ts'

export interface FuzzOptions {
  readonly count: number
  readonly seed: number
  /** For the store and the uploads of the server. */
  readonly folder: string
  readonly onReply?: (done: number) => void
}

export interface Broken {
  readonly seed: number
  readonly by: string
  readonly why: string
}

/** The longest that a reply may take. */
const patienceMs = 30_000
const lastChunk = Buffer.from('0\r\n\r\n')
/** Silence after which a client that did not send everything hangs up. */
const silenceMs = 200
const clients = 8

/** @returns how often each status came ("closed": none), and the requests whose reply breaks a promise */
export async function fuzz({ count, seed, folder, onReply }: FuzzOptions) {
  const failures: unknown[] = []
  const store = await openRunStore(`${folder}/runs.sqlite`)
  const server = await listen({
    ...{ models: [servedModel(noter)], port: 0, store, uploads: `${folder}/uploads` },
    onFailure: (error) => failures.push(error),
  })
  const document = await (await fetch(`${server.url}/openapi.json`)).json()
  const described = new Described(document as OpenapiDocument)
  const known = await seedServer(server.url)
  const port = Number(new URL(server.url).port)
  const outcomes = new Map<string, number>()
  const broken: Broken[] = []
  let next = 0
  const sendAll = async () => {
    while (next < count) {
      const number = seed + next++
      const malformed = malformedRequest(number, described, known)
      const { outcome, why } = await judged(port, malformed, described, known)
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      const { by, method, path } = malformed
      if (why !== undefined) broken.push({ seed: number, by, why: `${method} ${path}: ${why}` })
      onReply?.([...outcomes.values()].reduce((sum, times) => sum + times, 0))
    }
  }
  await Promise.all(Array.from({ length: clients }, sendAll))
  const valid: number[] = []
  for (const sent of validRequests) valid.push(await statusOf(port, sent))
  await server.stop()
  await store.close()
  return { outcomes, broken, failures, valid }
}

async function judged(
  port: number,
  malformed: Malformed,
  described: Described,
  known: Known,
): Promise<{ outcome: string; why?: string | undefined }> {
  const text = await exchange(port, malformed)
  if (text === undefined) return { outcome: 'silent', why: `no reply within ${patienceMs / 1000} s` }
  if (text === '') {
    // A client that hangs up early gets no reply, and Node itself hangs up on clients that take it for a proxy.
    const isExpected = !malformed.isWhole || malformed.method === 'CONNECT'
    return { outcome: 'closed', why: isExpected ? undefined : 'closed without a reply' }
  }
  const reply = replyOf(text)
  if (!reply) return { outcome: 'no HTTP', why: text.slice(0, 100) }
  const { method, path } = malformed
  if (method === 'POST' && reply.status < 300) note(path, reply.body, known)
  // A client that hangs up early may miss the end of a stream.
  if (!malformed.isWhole && reply.headers['content-type']?.startsWith('text/event-stream'))
    return { outcome: String(reply.status) }
  return { outcome: String(reply.status), why: fault(path, reply) ?? described.fault(method, path, reply) }
}

/** Everything up to the end of the connection; undefined if it does not end. Only clients that sent too little hang up. */
function exchange(port: number, { bytes, isWhole }: Malformed): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    const patience = setTimeout(() => settle(undefined), patienceMs)
    const silence = isWhole ? undefined : setTimeout(() => socket.end(), silenceMs)
    const settle = (text: string | undefined) => {
      clearTimeout(patience)
      clearTimeout(silence)
      socket.destroy()
      resolve(text)
    }
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      silence?.refresh()
      // A stream has ended although its connection stays open.
      if (isWhole && chunk.subarray(-lastChunk.length).equals(lastChunk))
        settle(Buffer.concat(chunks).toString())
    })
    socket.on('error', () => settle(Buffer.concat(chunks).toString()))
    socket.on('close', () => settle(Buffer.concat(chunks).toString()))
  })
}

function replyOf(text: string): Reply | undefined {
  const found = /^HTTP\/1\.1 (\d{3})[^\r]*\r\n((?:[^\r]+\r\n)*)\r\n([\s\S]*)$/.exec(text)
  if (!found) return undefined
  const [, status, lines, rest] = found as unknown as [string, string, string, string]
  // Skips informational responses.
  if (Number(status) < 200) return replyOf(rest)
  const headers = Object.fromEntries(
    lines
      .trimEnd()
      .split('\r\n')
      .map((line) => [line.split(':')[0]!.toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  const isChunked = headers['transfer-encoding'] === 'chunked'
  return { status: Number(status), headers, body: isChunked ? unchunked(rest) : rest }
}

function unchunked(text: string): string {
  let [rest, body] = [Buffer.from(text), '']
  for (;;) {
    const end = rest.indexOf('\r\n')
    const length = Number.parseInt(rest.toString('latin1', 0, end), 16)
    if (!(length > 0)) return body
    body += rest.toString('utf8', end + 2, end + 2 + length)
    rest = rest.subarray(end + 2 + length + 2)
  }
}

function statusOf(
  port: number,
  { method, path, headers, body }: (typeof validRequests)[number],
): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method, path, headers }, (reply) => {
      reply.resume().on('end', () => resolve(reply.statusCode!))
    })
    sent.on('error', reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}
