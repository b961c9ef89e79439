import { expect, test } from 'vitest'
import { readOverlongMessage } from './overlong-prompt.ts'

/** Messages in the servers' own words: [message, prompt, output, window]. */
const messages: [string, string, (number | undefined)?, (number | undefined)?, (number | undefined)?][] = [
  [
    'vLLM 2026',
    "You passed 8193 input tokens and requested 1024 output tokens. However, the model's context length is only 8192 tokens, resulting in a maximum input length of 7168 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=8193)",
    8193,
    1024,
    8192,
  ],
  [
    'vLLM, output',
    "'max_tokens' or 'max_completion_tokens' is too large: 1000. This model's maximum context length is 1200 tokens and your request has 203 input tokens (1000 > 1200 - 203). None",
    203,
    1000,
    1200,
  ],
  [
    'vLLM, input',
    "This model's maximum context length is 200 tokens. However, your request has 203 input tokens. Please reduce the length of the input messages. None",
    203,
    undefined,
    200,
  ],
  [
    'vLLM, OpenAI, DeepSeek',
    "This model's maximum context length is 16384 tokens. However, you requested 122946 tokens (112946 in the messages, 10000 in the completion). Please reduce the length of the messages or completion.",
    112946,
    10000,
    16384,
  ],
  [
    'vLLM engine',
    'The decoder prompt (length 9000) is longer than the maximum model length of 8192. Make sure that `max_model_len` is no smaller than the number of text tokens.',
    9000,
    undefined,
    8192,
  ],
  [
    'OpenAI',
    "This model's maximum context length is 8192 tokens. However, your messages resulted in 9001 tokens. Please reduce the length of the messages.",
    9001,
    undefined,
    8192,
  ],
  [
    'SGLang, input',
    "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    61709,
    undefined,
    40960,
  ],
  [
    'SGLang, total',
    "Requested token count exceeds the model's maximum context length of 202752 tokens. You requested a total of 202941 tokens: 170941 tokens from the input messages and 32000 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
    170941,
    32000,
    202752,
  ],
  [
    'SGLang, memory',
    'Input length (160062 tokens) exceeds the maximum allowed length (59862 tokens). Use a shorter input or enable --allow-auto-truncate.',
    160062,
    undefined,
    59862,
  ],
  [
    'llama.cpp',
    'request (14429 tokens) exceeds the available context size (8192 tokens), try increasing it',
    14429,
    undefined,
    8192,
  ],
  [
    'llama.cpp 2025',
    'the request exceeds the available context size. try increasing the context size or enable context shift',
  ],
  ['llama-cpp-python', 'Requested tokens (2285) exceed context window of 2048', 2285, undefined, 2048],
  ['Ollama', 'prompt too long; exceeded max context length by 900 tokens'],
  ['Ollama embeddings', 'the input length exceeds the context length'],
  [
    'LM Studio',
    'Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    5000,
    undefined,
    4096,
  ],
  [
    'text-generation-inference',
    'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4000 `inputs` tokens and 1000 `max_new_tokens`',
    4000,
    1000,
    4096,
  ],
  ['Anthropic', 'prompt is too long: 210000 tokens > 200000 maximum', 210000, undefined, 200000],
  [
    'Anthropic, output',
    'input length and `max_tokens` exceed context limit: 199999 + 8192 > 200000, decrease input length or `max_tokens` and try again',
    199999,
    8192,
    200000,
  ],
  [
    'TGI before 2',
    'Input validation error: `inputs` must have less than 4096 tokens. Given: 5000',
    5000,
    undefined,
    4096,
  ],
  [
    'xAI',
    "This model's maximum prompt length is 131072 but the request contains 140000 tokens.",
    140000,
    undefined,
    131072,
  ],
  [
    'Cohere',
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt',
    5000,
    undefined,
    4081,
  ],
  ['Moonshot', 'Invalid request: Your request exceeded model token limit: 8192', undefined, undefined, 8192],
  ['DashScope', 'Range of input length should be [1, 30720]', undefined, undefined, 30720],
  ['Zhipu', 'Prompt exceeds max length'],
  ['Bedrock', 'Input is too long for requested model.'],
  ['TabbyAPI', 'Prompt length 9000 is greater than max_seq_len 8192', 9000, undefined, 8192],
]

test.each(messages)(
  'takes the numbers out of the words of %s',
  (_, message, promptTokens, maxTokens, contextWindow) => {
    expect(readOverlongMessage(message)).toEqual({ promptTokens, maxTokens, contextWindow })
  },
)

test.each([
  "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  'Rate limit reached for gpt-4 on tokens per min (TPM): Limit 10000, Used 9000, Requested 2000.',
  'The model `x` does not exist.',
])('does not take another refusal for one of length: %s', (message) => {
  expect(readOverlongMessage(message)).toBeUndefined()
})

test('a hostile message of a megabyte costs nothing', () => {
  const start = performance.now()
  readOverlongMessage('maximum context length is 1 tokens requested 1 tokens ( '.repeat(20_000))
  expect(performance.now() - start).toBeLessThan(200)
})
