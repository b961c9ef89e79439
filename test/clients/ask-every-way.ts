/** Asks `memagent serve`, as a process of its own with the bundled model, through the clients that people have. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import Anthropic from '@anthropic-ai/sdk'
import { createHuggingFaceTokenizer, createImmediateCounter } from '@memagent/core'
import { createRandom, installedProse, plantInProse } from '@memagent/tasks'
import OpenAI from 'openai'
import { runCommand } from '../cli/run-cli.ts'

export interface Answered {
  readonly answer: string
  /** Memories, as they were shown. */
  readonly reasoning: string
  readonly promptTokens: number | undefined
}

export const expected = '48213'
const question = 'What is the access code for the North Gate?'
const fact = `The access code for the North Gate is ${expected}.`
const model = 'nano'

export interface ServedCommand {
  readonly url: string
  /** With what it wrote to standard error. */
  stop(): Promise<{ readonly code: number | null; readonly stderr: string }>
}

/** `memagent serve` with the bundled model, once it answers. */
export async function serveBundled(): Promise<ServedCommand> {
  let end: () => unknown = () => undefined
  let onUrl: (url: string) => void = () => undefined
  const answers = new Promise<string>((resolve) => {
    onUrl = resolve
  })
  const ended = runCommand(['serve', '--port', '0', '--no-store', '--name', model], {
    onStart(child) {
      end = () => child.kill('SIGINT')
      let said = ''
      child.stderr!.on('data', (data) => {
        said += data
        const url = /answers at (http:\S+)\/v1/.exec(said)?.[1]
        if (url) onUrl(url)
      })
    },
  })
  const url = await Promise.race([answers, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  return {
    url,
    async stop() {
      end()
      return await ended
    },
  }
}

/** Prose of so many tokens of the bundled model, with the fact in it. */
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

type Ask = (url: string, text: string) => Promise<Answered>

export const ways: Readonly<Record<string, Ask>> = {
  async 'openai, chat completions, streamed'(url, text) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', timeout })
    const stream = await client.chat.completions.create({
      model,
      messages: messagesOf(text),
      stream: true,
      stream_options: { include_usage: true },
    })
    let [answer, reasoning, promptTokens] = ['', '', undefined as number | undefined]
    for await (const { choices, usage } of stream) {
      const delta = choices[0]?.delta as { content?: string; reasoning_content?: string } | undefined
      answer += delta?.content ?? ''
      reasoning += delta?.reasoning_content ?? ''
      promptTokens = usage?.prompt_tokens
    }
    return { answer, reasoning, promptTokens }
  },

  async 'openai, responses, streamed'(url, text) {
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none', timeout })
    const stream = client.responses.stream({ model, input: messagesOf(text) })
    const { output_text: answer, output, usage } = await stream.finalResponse()
    return { answer, reasoning: JSON.stringify(output[0]), promptTokens: usage?.input_tokens }
  },

  async 'anthropic, messages, streamed'(url, text) {
    const client = new Anthropic({ baseURL: url, apiKey: 'none', timeout })
    const stream = client.messages.stream({
      model,
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: messagesOf(text),
    })
    const { content, usage } = await stream.finalMessage()
    const reasoning = content.find((block) => block.type === 'thinking')?.thinking ?? ''
    return { answer: await stream.finalText(), reasoning, promptTokens: usage.input_tokens }
  },

  async 'curl, chat completions, whole'(url, text) {
    const address = `${url}/v1/chat/completions`
    const curl = execFile('curl', [
      '-sS',
      address,
      '-H',
      'content-type: application/json',
      '--data-binary',
      '@-',
    ])
    let reply = ''
    curl.stdout!.on('data', (data) => {
      reply += data
    })
    curl.stdin!.end(JSON.stringify({ model, messages: messagesOf(text) }))
    await once(curl, 'close')
    const { choices, usage } = JSON.parse(reply)
    const { content, reasoning_content } = choices[0].message
    return { answer: content, reasoning: reasoning_content, promptTokens: usage.prompt_tokens }
  },
}
