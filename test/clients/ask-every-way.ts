/** Asks `memagent serve`, as a process of its own with the bundled model, through the clients that people have. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { createHuggingFaceTokenizer, createImmediateCounter } from '@memagent/core'
import { createRandom, installedProse, plantInProse } from '@memagent/tasks'
import { streamText } from 'ai'
import OpenAI from 'openai'
import { type Served, serving } from '../cli/serving.ts'

export interface Answered {
  readonly answer: string
  /** Memories, as they were shown. */
  readonly reasoning: string
  readonly promptTokens: number | undefined
}

export interface AskOptions {
  readonly url: string
  readonly text: string
  /** @default the model that is served */
  readonly model?: string
  readonly signal?: AbortSignal
}

export const expected = '48213'
const question = 'What is the access code for the North Gate?'
const fact = `The access code for the North Gate is ${expected}.`
const served = 'nano'

/** `memagent serve` with the bundled model, once it answers. */
export const serveBundled = (): Promise<Served> => serving(['--no-store', '--name', served])

/** Prose of this many tokens of the bundled model, with the fact in it. */
export async function textOf(lengthTokens: number): Promise<string> {
  const json = JSON.parse(
    await readFile(new URL('../../models/nano/tokenizer.json', import.meta.url), 'utf8'),
  )
  const { count } = await createImmediateCounter(await createHuggingFaceTokenizer(json))
  const { document } = plantInProse({
    name: 'a long text',
    prose: await installedProse(),
    plants: [{ text: fact, depth: 0.6 }],
    lengthTokens,
    countTokens: count,
    random: createRandom('clients'),
  })
  let text = ''
  for await (const piece of document.open()) text += piece.text
  return text
}

const messagesOf = (text: string) => [
  { role: 'user' as const, content: text },
  { role: 'user' as const, content: question },
]
/** Readings of a million tokens take their time. */
const timeout = 24 * 3_600_000

/** @throws what the client throws for an error of the server, or an abort; `statusOf` gives its status */
type Ask = (options: AskOptions) => Promise<Answered>

export const ways: Readonly<Record<string, Ask>> = {
  async 'openai, chat completions, streamed'({ url, text, model = served, signal }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', timeout, maxRetries: 0 })
    const stream = await client.chat.completions.create(
      { model, messages: messagesOf(text), stream: true, stream_options: { include_usage: true } },
      { signal },
    )
    let [answer, reasoning, promptTokens] = ['', '', undefined as number | undefined]
    for await (const { choices, usage } of stream) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined
      answer += delta?.content ?? ''
      reasoning += delta?.reasoning_content ?? ''
      promptTokens = usage?.prompt_tokens
    }
    // The client ends an aborted stream silently.
    signal?.throwIfAborted()
    return { answer, reasoning, promptTokens }
  },

  async 'openai, responses, streamed'({ url, text, model = served, signal }) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', timeout, maxRetries: 0 })
    const stream = client.responses.stream({ model, input: messagesOf(text) }, { signal })
    const { output_text: answer, output, usage } = await stream.finalResponse()
    return { answer, reasoning: JSON.stringify(output[0]), promptTokens: usage?.input_tokens }
  },

  async 'anthropic, messages, streamed'({ url, text, model = served, signal }) {
    const client = new Anthropic({ baseURL: url, apiKey: 'none', timeout, maxRetries: 0 })
    const stream = client.messages.stream(
      {
        model,
        max_tokens: 4096,
        thinking: { type: 'enabled', budget_tokens: 1024 },
        messages: messagesOf(text),
      },
      { signal },
    )
    const { content, usage } = await stream.finalMessage()
    const reasoning = content.find((block) => block.type === 'thinking')?.thinking ?? ''
    return { answer: await stream.finalText(), reasoning, promptTokens: usage.input_tokens }
  },

  async 'ai, streamed'({ url, text, model = served, signal }) {
    const provider = createOpenAICompatible({ name: 'memagent', baseURL: `${url}/v1`, includeUsage: true })
    let failure: unknown
    const result = streamText({
      model: provider(model),
      messages: messagesOf(text),
      ...(signal && { abortSignal: signal }),
      maxRetries: 0,
      onError: ({ error }) => {
        failure = error
      },
    })
    try {
      const [answer, reasoning, usage] = await Promise.all([result.text, result.reasoningText, result.usage])
      signal?.throwIfAborted()
      return { answer, reasoning: reasoning ?? '', promptTokens: usage.inputTokens }
    } catch (error) {
      throw failure ?? error
    }
  },

  async 'curl, chat completions, whole'({ url, text, model = served, signal }) {
    const flags = [
      '-sS',
      '-w',
      '\n%{http_code}',
      '-H',
      'content-type: application/json',
      '--data-binary',
      '@-',
    ]
    const curl = execFile('curl', [...flags, `${url}/v1/chat/completions`], { signal })
    const ended = once(curl, 'close')
    let reply = ''
    curl.stdout!.on('data', (data) => {
      reply += data
    })
    curl.stdin!.end(JSON.stringify({ model, messages: messagesOf(text) }))
    await ended
    const [body = '', status] = reply.split(/\n(?=\d+$)/)
    const { choices, usage, error } = JSON.parse(body)
    if (error) throw Object.assign(new Error(error.message), { status: Number(status) })
    const { content, reasoning_content } = choices[0].message
    return { answer: content, reasoning: reasoning_content, promptTokens: usage.prompt_tokens }
  },
}

/** The HTTP status, as the clients report it. */
export const statusOf = (error: unknown): number | undefined => {
  const { status, statusCode } = error as { readonly status?: number; readonly statusCode?: number }
  return status ?? statusCode
}

/** Leaves while the text is being read. @returns seconds until the server has stopped reading */
export async function secondsToStop(ask: Ask, { url, text }: AskOptions): Promise<number> {
  const leaving = new AbortController()
  const asking = ask({ url, text, signal: leaving.signal }).then(
    () => 'answered',
    () => 'gone',
  )
  await until(async () => (await readingsOf(url)) === 1)
  leaving.abort()
  const left = performance.now()
  await until(async () => (await readingsOf(url)) === 0)
  const seconds = (performance.now() - left) / 1000
  if ((await asking) === 'answered') throw new Error('The client got an answer before it left.')
  return seconds
}

async function readingsOf(url: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(/^memagent_readings_running (\d+)$/m.exec(metrics)?.[1])
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 5))
}
