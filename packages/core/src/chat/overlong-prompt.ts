/**
 * Recognizes "the prompt does not fit" in the wordings of common servers, and extracts the numbers. The wordings come from the
 * servers' sources and issue trackers; one line each.
 */
export interface OverlongNumbers {
  readonly promptTokens?: number | undefined
  readonly maxTokens?: number | undefined
  readonly contextWindow?: number | undefined
}

type Field = 'prompt' | 'output' | 'window' | '-'

/** Gaps are bounded, so a hostile message cannot make matching slow. */
const wordings: readonly (readonly [RegExp, ...Field[]])[] = [
  // vLLM, newest first
  [
    /passed (\d+) input tokens and requested (\d+) output tokens[\s\S]{0,80}?context length is only (\d+)/i,
    'prompt',
    'output',
    'window',
  ],
  [
    /too large: (\d+)\.[\s\S]{0,40}?maximum context length is (\d+) tokens and your request has (\d+) input/i,
    'output',
    'window',
    'prompt',
  ],
  [
    /maximum context length is (\d+) tokens\. However, your request has (\d+) input tokens/i,
    'window',
    'prompt',
  ],
  [/prompt \(length (\d+)\) is longer than the maximum model length of (\d+)/i, 'prompt', 'window'],
  // OpenAI, vLLM, SGLang, DeepSeek: the total, then its parts
  [
    /maximum context length (?:is|of) (\d+) tokens[\s\S]{0,40}?requested (?:a total of )?(\d+) tokens[:\s(]{1,4}(\d+)[^\d]{0,40}?(?:messages|prompt|input)[^\d]{0,40}?(\d+)/i,
    'window',
    '-',
    'prompt',
    'output',
  ],
  [
    /maximum context length is (\d+) tokens[\s\S]{0,60}?(?:resulted in|requested|contains(?: at least)?) (\d+)/i,
    'window',
    'prompt',
  ],
  // SGLang
  [/input \((\d+) tokens\) is longer than the model's context length \((\d+) tokens\)/i, 'prompt', 'window'],
  [/input length \((\d+) tokens\) exceeds the maximum allowed length \((\d+) tokens\)/i, 'prompt', 'window'],
  // llama.cpp, llama-cpp-python
  [/request \((\d+) tokens\) exceeds the available context size \((\d+) tokens\)/i, 'prompt', 'window'],
  [/exceeds the available context size/i],
  [/requested tokens \((\d+)\) exceed context window of (\d+)/i, 'prompt', 'window'],
  // Ollama
  [/prompt too long; exceeded max context length by \d+/i],
  [/input length exceeds (?:the )?(?:maximum )?context length/i],
  // LM Studio
  [/keep the first (\d+) tokens[\s\S]{0,80}?context length of only (\d+)/i, 'prompt', 'window'],
  [/tokens to keep from the initial prompt is greater than the context length/i],
  [/reached context length of (\d+)/i, 'window'],
  // text-generation-inference, Anthropic, Gemini, Mistral
  [
    /`inputs` tokens \+ `max_new_tokens` must be <= (\d+)\. Given: (\d+) `inputs` tokens and (\d+)/i,
    'window',
    'prompt',
    'output',
  ],
  [/prompt is too long: (\d+) tokens > (\d+) maximum/i, 'prompt', 'window'],
  [
    /input token count \(?(\d+)\)? exceeds the maximum number of tokens allowed \(?(\d+)/i,
    'prompt',
    'window',
  ],
  [/prompt contains (\d+) tokens[\s\S]{0,120}?(\d+) maximum context length/i, 'prompt', 'window'],
  [/`inputs` must have less than (\d+) tokens\. Given: (\d+)/i, 'window', 'prompt'],
  [/exceed context limit: (\d+) \+ (\d+) > (\d+)/i, 'prompt', 'output', 'window'],
  // xAI, Cohere, Moonshot, DashScope, Zhipu, Bedrock, TabbyAPI
  [/maximum prompt length is (\d+) but the request contains (\d+)/i, 'window', 'prompt'],
  [/tokens in the prompt cannot exceed (\d+)[\s-]{1,9}received (\d+)/i, 'window', 'prompt'],
  [/exceeded model token limit:? ?(\d+)/i, 'window'],
  [/range of input length should be \[\d+, ?(\d+)\]/i, 'window'],
  [/prompt exceeds max length/i],
  [/input is too long for requested model/i],
  [/prompt length (\d+) is greater than max_seq_len (\d+)/i, 'prompt', 'window'],
  // Any server
  [/context_length_exceeded|exceed_context_size_error/i],
  [/maximum context length (?:is|of) (\d+)/i, 'window'],
  [/(?:exceeds?|too long|longer than)\b[\s\S]{0,40}context (?:length|size|window)/i],
]

/** The numbers in an error about prompt length, as far as it gives them; undefined when it is about something else. */
export function readOverlongMessage(message: string): OverlongNumbers | undefined {
  const text = message.slice(0, 4000)
  for (const [pattern, ...fields] of wordings) {
    const match = pattern.exec(text)
    if (match === null) continue
    const find = (field: Field) => {
      const index = fields.indexOf(field)
      const digits = index < 0 ? undefined : match[index + 1]
      return digits === undefined ? undefined : Number(digits)
    }
    return { promptTokens: find('prompt'), maxTokens: find('output'), contextWindow: find('window') }
  }
  return undefined
}
