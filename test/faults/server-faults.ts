/** Ways in which servers were seen to fail, or may fail: each replaces the reply to one conversation, on every attempt. */
import type { ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'

/** The effect on the reading. */
export type Consequence =
  /** The call fails, and so does the reading; the next run resumes from there. */
  | { readonly kind: 'error'; readonly code: RegExp }
  /** A reply without a usable word: the memory before is kept, and a final call like it is a failure. */
  | { readonly kind: 'nothing-usable' }
  /** The answer can still be read. */
  | { readonly kind: 'harmless' }

export interface ServerFault {
  readonly name: string
  readonly consequence: Consequence
  /** Only a time-out ends it. @default false */
  readonly isSilent?: boolean
  /** @param text what the model would have said */
  readonly play: (response: ServerResponse, text: string) => void
}

const json = { 'content-type': 'application/json' }

/** A completion with one choice; `message` and `choice` replace fields of theirs. */
function completion(text: string, message: object = {}, choice: object = {}, body: object = {}): string {
  return JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, ...message },
        finish_reason: 'stop',
        ...choice,
      },
    ],
    ...body,
  })
}

const error = (code: RegExp): Consequence => ({ kind: 'error', code })
const nothingUsable: Consequence = { kind: 'nothing-usable' }
const harmless: Consequence = { kind: 'harmless' }

const reply = (
  name: string,
  consequence: Consequence,
  body: (text: string) => string | Buffer,
  headers: Record<string, string> = json,
): ServerFault => ({
  name,
  consequence,
  play: (response, text) => {
    response.writeHead(200, headers)
    response.end(body(text))
  },
})

const status = (
  code: number,
  consequence: Consequence,
  {
    headers = {},
    body = JSON.stringify({ error: { message: `fault ${code}`, type: 'x', code: null } }),
    name = '',
  } = {},
): ServerFault => ({
  name: `status ${code}${name === '' ? '' : `, ${name}`}`,
  consequence,
  play: (response) => {
    response.writeHead(code, { ...json, ...headers })
    response.end(body)
  },
})

const page = '<!DOCTYPE html><html><head><title>Welcome</title></head><body>It works!</body></html>'
const errorPage = '<html><body><h1>502 Bad Gateway</h1><hr>nginx</body></html>'
const length = { finish_reason: 'length' }
const call = { id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }
const refusal = "I'm sorry, but I can't assist with that request."

export const serverFaults: readonly ServerFault[] = [
  // Statuses
  status(400, error(/./)),
  status(400, error(/overlong/), {
    name: 'too long a prompt',
    body: JSON.stringify({
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
      },
    }),
  }),
  status(400, error(/./), { name: 'no body', body: '' }),
  status(401, error(/./)),
  status(403, error(/./)),
  status(404, error(/./)),
  status(408, error(/./)),
  status(413, error(/./)),
  status(422, error(/./)),
  status(429, error(/rate-limited/)),
  status(429, error(/rate-limited/), { name: 'a short wait', headers: { 'retry-after': '1' } }),
  status(429, error(/rate-limited/), { name: 'a wait of a week', headers: { 'retry-after': '604800' } }),
  status(429, error(/rate-limited/), { name: 'a wait that is none', headers: { 'retry-after': 'soon' } }),
  status(429, error(/rate-limited/), {
    name: 'a page',
    body: errorPage,
    headers: { 'content-type': 'text/html' },
  }),
  status(500, error(/server-fault/)),
  status(502, error(/server-fault/), {
    name: 'a page',
    body: errorPage,
    headers: { 'content-type': 'text/html' },
  }),
  status(503, error(/server-fault/), { headers: { 'retry-after': '5' } }),
  status(504, error(/timeout/)),
  status(529, error(/server-fault/)),
  status(301, error(/./), {
    name: 'elsewhere',
    headers: { location: 'http://127.0.0.1:9/v1/chat/completions' },
  }),
  status(307, error(/./), { name: 'to itself', headers: { location: '/v1/chat/completions' } }),
  status(204, error(/./), { body: '' }),

  // Bodies that are not an answer
  reply('an empty body', error(/./), () => ''),
  reply('white space', error(/./), () => ' \n'),
  reply('half an answer', error(/broken-response/), (text) => completion(text).slice(0, 60)),
  reply('a web page', error(/wrong-url|server-fault/), () => page, { 'content-type': 'text/html' }),
  reply('plain words', error(/./), () => 'upstream connect error', { 'content-type': 'text/plain' }),
  ...['null', '[]', '"yes"', '42', '{}'].map((body) => reply(`the JSON ${body}`, error(/./), () => body)),
  reply('no choices', error(/empty-response/), (text) => completion(text, {}, {}, { choices: [] })),
  reply('choices that are null', error(/empty-response/), (text) =>
    completion(text, {}, {}, { choices: null }),
  ),
  reply('choices that are words', error(/empty-response/), (text) =>
    completion(text, {}, {}, { choices: 'none' }),
  ),
  reply('a choice that is null', error(/empty-response/), (text) =>
    completion(text, {}, {}, { choices: [null] }),
  ),
  reply('a message that is null', error(/empty-response/), (text) => completion(text, {}, { message: null })),
  reply('an error inside of 200', error(/./), () =>
    JSON.stringify({ error: { message: 'overloaded', code: 503 } }),
  ),
  reply(
    'a streamed reply',
    harmless,
    (text) => `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n`,
    {
      'content-type': 'text/event-stream',
    },
  ),
  reply('compressed without saying so', error(/./), (text) => gzipSync(completion(text))),
  reply('said to be compressed', error(/./), (text) => completion(text), {
    ...json,
    'content-encoding': 'gzip',
  }),
  reply('too large a body', error(/oversized/), () => Buffer.alloc(66 * 1024 * 1024, ' ')),

  reply('a prompt that was cut', error(/truncated/), (text) =>
    completion(text, {}, {}, { usage: { prompt_tokens: 9 } }),
  ),

  // Replies without a usable word
  reply('a null text', nothingUsable, (text) => completion(text, { content: null })),
  reply('no text', nothingUsable, (text) => completion(text, { content: undefined })),
  reply('an empty text', nothingUsable, () => completion('')),
  reply('white space alone', nothingUsable, () => completion(' \n\t ')),
  reply('a number for a text', nothingUsable, (text) => completion(text, { content: 4821 })),
  reply('an object for a text', nothingUsable, (text) => completion(text, { content: { text } })),
  reply('parts of a wrong kind', nothingUsable, (text) =>
    completion(text, { content: [7, null, { type: 'text' }] }),
  ),
  reply('a call of a tool', nothingUsable, () =>
    completion('', { content: null, tool_calls: [call] }, { finish_reason: 'tool_calls' }),
  ),
  reply('a call of a function', nothingUsable, () =>
    completion('', { content: null, function_call: call.function }, { finish_reason: 'function_call' }),
  ),
  reply('a call of a tool, with words beside it', nothingUsable, () =>
    completion('Let me look.', { tool_calls: [call] }, { finish_reason: 'tool_calls' }),
  ),
  reply('a filter in words of its own', nothingUsable, () =>
    completion('The gate', {}, { finish_reason: 'content_filter: RECITATION' }),
  ),
  reply('a refusal field', nothingUsable, () => completion('', { content: null, refusal })),
  reply('a refusal as text', nothingUsable, () => completion(refusal)),
  reply('a filter', nothingUsable, () => completion('The gate', {}, { finish_reason: 'content_filter' })),
  reply('a filter and nothing', nothingUsable, () => completion('', {}, { finish_reason: 'content_filter' })),
  reply('reasoning alone, cut', nothingUsable, () =>
    completion('', { reasoning_content: 'The code is 4821' }, length),
  ),
  reply('reasoning alone', nothingUsable, () => completion('', { reasoning: 'The code is 4821' })),
  reply('a thought that was cut', nothingUsable, () => completion('<think>The code is 4821', {}, length)),
  reply('a thought that was never closed', nothingUsable, () => completion('<think>The code is 4821')),
  reply('a box that was cut', nothingUsable, () => completion('\\boxed{48', {}, length)),
  reply('nothing, cut', nothingUsable, () => completion('', {}, length)),

  // Oddities of an answer that is there
  reply('another content type', harmless, (text) => completion(text), { 'content-type': 'text/plain' }),
  reply('no content type', harmless, (text) => completion(text), {}),
  reply('no usage', harmless, (text) => completion(text, {}, {}, { usage: null })),
  reply('usage of a wrong kind', harmless, (text) =>
    completion(text, {}, {}, { usage: { prompt_tokens: 'many' } }),
  ),
  reply('no finish reason', harmless, (text) => completion(text, {}, { finish_reason: null })),
  reply('a finish reason of a wrong kind', harmless, (text) => completion(text, {}, { finish_reason: 7 })),
  reply('parts of text', harmless, (text) => completion(text, { content: [{ type: 'text', text }] })),
  reply('a thought before it', harmless, (text) => completion(`<think>Hm.</think>${text}`)),
  reply('white space before the JSON', harmless, (text) => `\n\n  ${completion(text)}`),
  reply('two choices', harmless, (text) =>
    completion(
      text,
      {},
      {},
      { choices: [{ message: { content: text }, finish_reason: 'stop' }, { message: { content: 'other' } }] },
    ),
  ),
  reply('a mark before the JSON', harmless, (text) => `\ufeff${completion(text)}`),
  reply('fields without end', harmless, (text) =>
    completion(text, {}, {}, { extra: Array.from({ length: 20_000 }, (_, i) => ({ i })) }),
  ),

  // Connections
  {
    name: 'a reset before the answer',
    consequence: error(/connection|unreachable/),
    play: (response) => response.socket?.resetAndDestroy(),
  },
  {
    name: 'a reset inside the answer',
    consequence: error(/connection|broken/),
    play: (response, text) => {
      const body = completion(text)
      response.writeHead(200, { ...json, 'content-length': String(body.length) })
      response.write(body.slice(0, 40), () => response.socket?.resetAndDestroy())
    },
  },
  {
    name: 'an end inside the answer',
    consequence: error(/connection|broken/),
    play: (response, text) => {
      const body = completion(text)
      response.writeHead(200, { ...json, 'content-length': String(body.length + 100) })
      response.write(body, () => response.socket?.end())
    },
  },
  { name: 'silence', consequence: error(/timeout/), isSilent: true, play: () => undefined },
  {
    name: 'silence inside the answer',
    isSilent: true,
    consequence: error(/timeout/),
    play: (response, text) => {
      response.writeHead(200, json)
      response.write(completion(text).slice(0, 40))
    },
  },
  {
    name: 'drop by drop, without end',
    isSilent: true,
    consequence: error(/timeout/),
    play: (response) => {
      response.writeHead(200, json)
      const timer = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(timer))
    },
  },
  {
    name: 'no HTTP',
    consequence: error(/./),
    play: (response) => response.socket?.end('SSH-2.0-OpenSSH_9.6\r\n'),
  },
  {
    name: 'headers without end',
    consequence: error(/./),
    play: (response) => {
      response.socket?.write(`HTTP/1.1 200 OK\r\nx-long: ${'a'.repeat(200_000)}\r\n\r\n`)
      response.socket?.end()
    },
  },
]
