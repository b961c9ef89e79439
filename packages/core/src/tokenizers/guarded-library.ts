/**
 * Hugging Face's library in a worker thread, for files whose regular expressions might never finish. The caller waits as for a
 * plain call, but not forever: a call that takes too long is terminated with its thread.
 */
import type { MessagePort, Worker } from 'node:worker_threads'
import { TokenizerError } from '../errors.ts'
import { type JsonObject, type Library, unusableFile } from './library.ts'

/** Time limits in milliseconds, per call and per character: far more than any reasonable pattern takes on a busy machine. */
export interface PatternLimits {
  readonly callMs: number
  readonly characterMs: number
  /** For starting the thread and loading the file. */
  readonly loadMs: number
}
const defaultLimits: PatternLimits = { callMs: 5000, characterMs: 0.02, loadMs: 60_000 }

/** After this long, signals get their default effect and end the process, whose blocked thread cannot handle them. */
const patienceMs = 100
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Plain JavaScript, so that it starts the same way from source and from a built package. */
const workerSource = `
const { createRequire } = require('node:module')
const { workerData } = require('node:worker_threads')
const { port, flag, requireFrom, tokenizerJson, configJson } = workerData
let withMarkers, plain
const methods = {
  load() {
    const { Tokenizer } = createRequire(requireFrom)('@huggingface/tokenizers')
    withMarkers = new Tokenizer(tokenizerJson, configJson)
    plain = new Tokenizer({ ...tokenizerJson, added_tokens: [] }, configJson)
  },
  encode: (text, hasMarkers) => (hasMarkers ? withMarkers : plain).encode(text, { add_special_tokens: false }).ids,
  decode: (ids) => withMarkers.decode(ids, { skip_special_tokens: false, clean_up_tokenization_spaces: false }),
  idOf: (token) => withMarkers.token_to_id(token),
  addedTokens: () => [...withMarkers.get_added_tokens_decoder()].map(([id, token]) => ({ ...token, id })),
}
port.on('message', ([method, ...args]) => {
  let reply
  try {
    reply = { result: methods[method](...args) }
  } catch (error) {
    reply = { error: String(error?.message ?? error) }
  }
  port.postMessage(reply)
  Atomics.store(flag, 0, 1)
  Atomics.notify(flag, 0)
})
`

interface Thread {
  readonly worker: Worker
  readonly port: MessagePort
  /** 1 when there is a reply. */
  readonly flag: Int32Array
}

/**
 * Undefined if there are no threads, as in a browser.
 * @param patterns the file's unknown patterns
 * @throws TokenizerError when the library cannot use the file; its methods throw it when a pattern takes too long
 */
export function openGuardedLibrary(
  tokenizerJson: JsonObject,
  configJson: JsonObject,
  name: string,
  patterns: readonly string[],
  limits: PatternLimits = defaultLimits,
): Library | undefined {
  const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads')
  if (!threads) return undefined
  let thread: Thread | undefined

  const start = (): Thread => {
    const { port1: port, port2 } = new threads.MessageChannel()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const worker = new threads.Worker(workerSource, {
      eval: true,
      execArgv: [],
      workerData: { port: port2, flag, requireFrom: import.meta.url, tokenizerJson, configJson },
      transferList: [port2],
    })
    worker.unref()
    // If the thread dies, the missing reply is reported instead.
    worker.on('error', () => undefined)
    return { worker, port, flag }
  }
  const ask = ({ worker, port, flag }: Thread, limitMs: number, message: readonly unknown[]): unknown => {
    Atomics.store(flag, 0, 0)
    port.postMessage(message)
    if (!isSet(flag, limitMs)) {
      thread = undefined
      void worker.terminate()
      throw tooSlow(name, patterns, message, limitMs)
    }
    const { result, error } = threads.receiveMessageOnPort(port)!.message as {
      result: unknown
      error?: string
    }
    if (error === undefined) return result
    if (message[0] === 'load') throw unusableFile(name, error)
    throw new TokenizerError({ code: 'tokenizer/failed', message: `${name} failed on a text: ${error}` })
  }
  const call = (length: number, ...message: readonly unknown[]): unknown => {
    if (!thread) {
      const started = start()
      ask(started, limits.loadMs, ['load'])
      thread = started
    }
    return ask(thread, limits.callMs + length * limits.characterMs, message)
  }
  return {
    encode: (text, hasMarkers) => call(text.length, 'encode', text, hasMarkers) as number[],
    decode: (ids) => call(ids.length, 'decode', [...ids]) as string,
    idOf: (token) => call(token.length, 'idOf', token) as number | undefined,
    addedTokens: () => call(0, 'addedTokens') as ReturnType<Library['addedTokens']>,
  }
}

/** Blocks until the flag is set. @returns whether it was set in time */
function isSet(flag: Int32Array, limitMs: number): boolean {
  const waitFor = (ms: number) => Atomics.wait(flag, 0, 0, ms) !== 'timed-out'
  if (waitFor(Math.min(patienceMs, limitMs))) return true
  // Listeners cannot run while this thread waits. Without them, the operating system's default applies.
  const listeners = signals.map((signal) => [signal, process.rawListeners(signal)] as const)
  for (const [signal] of listeners) process.removeAllListeners(signal)
  try {
    return waitFor(limitMs - patienceMs)
  } finally {
    for (const [signal, all] of listeners) {
      for (const listener of all) process.on(signal, listener as NodeJS.SignalsListener)
    }
  }
}

function tooSlow(
  name: string,
  patterns: readonly string[],
  [method, subject]: readonly unknown[],
  limitMs: number,
): TokenizerError {
  const what =
    method === 'encode' ? `on a text of ${(subject as string).length} characters` : `in "${method}"`
  const shown = patterns.map((pattern) => JSON.stringify(cut(pattern)))
  return new TokenizerError({
    code: 'tokenizer/too-slow',
    message: `${name} was stopped after ${(limitMs / 1000).toFixed(1)} seconds ${what}. It holds ${
      shown.length === 1 ? 'a pattern' : 'patterns'
    } of no published tokenizer: ${shown.join(', ')}.`,
    hint: "Use the tokenizer.json of the model's publisher. For a model on a server, leave it out: the server counts, or tokens are estimated.",
    details: { name, patterns, limitMs },
  })
}

const cut = (pattern: string): string => (pattern.length > 200 ? `${pattern.slice(0, 200)}…` : pattern)
