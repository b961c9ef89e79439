/** A request for every route, with every field that its protocol knows here: what malformed ones are made from. */

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or undefined. */
  readonly body?: unknown
  /** In place of `body`. */
  readonly raw?: Buffer | undefined
}

const headers = { host: 'localhost', 'content-type': 'application/json', 'x-api-key': 'none' }
const text = `${'The sea is calm. '.repeat(20)}The key is 48213. ${'Nobody spoke. '.repeat(20)}`
const question = 'What is the key?'
const common = { model: 'reader', temperature: 0.5, top_p: 0.9, stream: true, memagent: { question } }

const chat = {
  ...common,
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', name: 'Ann', content: [{ type: 'text', text }] },
    { role: 'assistant', content: 'I see.', refusal: null, annotations: [], reasoning_content: 'Hm.' },
    { role: 'user', content: question },
  ],
  stream_options: { include_usage: true, include_obfuscation: false },
  max_tokens: 20,
  max_completion_tokens: 20,
  seed: 1,
  n: 1,
  frequency_penalty: 0,
  presence_penalty: 0,
  logprobs: false,
  tools: [],
  tool_choice: 'none',
  response_format: { type: 'text' },
  user: 'ann',
  metadata: { of: 'a test' },
}

const responses = {
  ...common,
  instructions: 'Be brief.',
  input: [
    { role: 'user', content: text },
    { type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: 'Hm.' }] },
    {
      type: 'message',
      role: 'assistant',
      id: 'msg_1',
      status: 'completed',
      content: [{ type: 'output_text', text: 'I see.', annotations: [], logprobs: [] }],
    },
    { role: 'user', content: [{ type: 'input_text', text: question }] },
  ],
  stream_options: { include_obfuscation: false },
  max_output_tokens: 20,
  store: false,
  previous_response_id: null,
  include: [],
  reasoning: { effort: null, summary: 'auto' },
  text: { format: { type: 'text' }, verbosity: 'medium' },
  truncation: 'disabled',
  metadata: { of: 'a test' },
  tools: [],
  tool_choice: 'none',
  top_logprobs: 0,
}

const messages = {
  ...common,
  system: [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }],
  messages: [
    {
      role: 'user',
      content: [
        {
          type: 'document',
          source: { type: 'text', media_type: 'text/plain', data: text },
          title: 'A letter',
        },
        { type: 'text', text: 'Read it.' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm.', signature: '' },
        { type: 'text', text: 'I see.', citations: null },
      ],
    },
    { role: 'user', content: question },
  ],
  max_tokens: 20,
  thinking: { type: 'enabled', budget_tokens: 1024, display: 'summarized' },
  stop_sequences: [],
  tools: [],
  tool_choice: { type: 'none' },
  metadata: { user_id: 'ann' },
}

export const validRequests: readonly Sent[] = [
  { method: 'POST', path: '/v1/chat/completions', headers, body: chat },
  { method: 'POST', path: '/v1/responses', headers, body: responses },
  {
    method: 'POST',
    path: '/v1/messages',
    headers: { ...headers, 'anthropic-version': '2026-10-21' },
    body: messages,
  },
  { method: 'GET', path: '/v1/models', headers },
  { method: 'GET', path: '/v1/models/reader', headers },
  {
    method: 'POST',
    path: '/mcp',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
  },
  { method: 'GET', path: '/openapi.json', headers },
  { method: 'GET', path: '/healthz', headers },
  { method: 'GET', path: '/readyz', headers },
]
