/**
 * Recognizes "the prompt does not fit" in the wordings of common servers, and extracts the numbers. The wordings come from the
 * servers' sources and issue trackers; one line each.
 */
export interface OverlongNumbers {
  readonly promptTokens?: number | undefined
  readonly maxTokens?: number | undefined
  readonly contextWindow?: number | undefined
}

/** Gaps are bounded, so a hostile message cannot make matching slow. */
const wordings: readonly RegExp[] = [
  // vLLM, newest first
  /passed (?<prompt>\d+) input tokens and requested (?<output>\d+) output tokens[\s\S]{0,80}?context length is only (?<window>\d+)/i,
  /too large: (?<output>\d+)\.[\s\S]{0,40}?maximum context length is (?<window>\d+) tokens and your request has (?<prompt>\d+) input/i,
  /maximum context length is (?<window>\d+) tokens\. However, your request has (?<prompt>\d+) input tokens/i,
  /prompt \(length (?<prompt>\d+)\) is longer than the maximum model length of (?<window>\d+)/i,
  // OpenAI, vLLM, SGLang, DeepSeek: the total, then its parts
  /maximum context length (?:is|of) (?<window>\d+) tokens[\s\S]{0,40}?requested (?:a total of )?\d+ tokens[:\s(]{1,4}(?<prompt>\d+)[^\d]{0,40}?(?:messages|prompt|input)[^\d]{0,40}?(?<output>\d+)/i,
  /maximum context length is (?<window>\d+) tokens[\s\S]{0,60}?(?:resulted in|requested|contains(?: at least)?) (?<prompt>\d+)/i,
  // SGLang
  /input \((?<prompt>\d+) tokens\) is longer than the model's context length \((?<window>\d+) tokens\)/i,
  /input length \((?<prompt>\d+) tokens\) exceeds the maximum allowed length \((?<window>\d+) tokens\)/i,
  // llama.cpp, llama-cpp-python
  /request \((?<prompt>\d+) tokens\) exceeds the available context size \((?<window>\d+) tokens\)/i,
  /exceeds the available context size/i,
  /requested tokens \((?<prompt>\d+)\) exceed context window of (?<window>\d+)/i,
  // Ollama
  /prompt too long; exceeded max context length by \d+/i,
  /input length exceeds (?:the )?(?:maximum )?context length/i,
  // LM Studio
  /keep the first (?<prompt>\d+) tokens[\s\S]{0,80}?context length of only (?<window>\d+)/i,
  /tokens to keep from the initial prompt is greater than the context length/i,
  /reached context length of (?<window>\d+)/i,
  // text-generation-inference, Anthropic, Gemini, Mistral
  /`inputs` tokens \+ `max_new_tokens` must be <= (?<window>\d+)\. Given: (?<prompt>\d+) `inputs` tokens and (?<output>\d+)/i,
  /prompt is too long: (?<prompt>\d+) tokens > (?<window>\d+) maximum/i,
  /input token count \(?(?<prompt>\d+)\)? exceeds the maximum number of tokens allowed \(?(?<window>\d+)/i,
  /prompt contains (?<prompt>\d+) tokens[\s\S]{0,120}?(?<window>\d+) maximum context length/i,
  /`inputs` must have less than (?<window>\d+) tokens\. Given: (?<prompt>\d+)/i,
  /exceed context limit: (?<prompt>\d+) \+ (?<output>\d+) > (?<window>\d+)/i,
  // xAI, Cohere, Moonshot, DashScope, Zhipu, Bedrock, TabbyAPI
  /maximum prompt length is (?<window>\d+) but the request contains (?<prompt>\d+)/i,
  /tokens in the prompt cannot exceed (?<window>\d+)[\s-]{1,9}received (?<prompt>\d+)/i,
  /exceeded model token limit:? ?(?<window>\d+)/i,
  /range of input length should be \[\d+, ?(?<window>\d+)\]/i,
  /prompt exceeds max length/i,
  /input is too long for requested model/i,
  /prompt length (?<prompt>\d+) is greater than max_seq_len (?<window>\d+)/i,
  // Any server
  /context_length_exceeded|exceed_context_size_error/i,
  /maximum context length (?:is|of) (?<window>\d+)/i,
  /(?:exceeds?|too long|longer than)\b[\s\S]{0,40}context (?:length|size|window)/i,
]

/** The numbers in an error about prompt length, as far as it gives them; undefined when it is about something else. */
export function readOverlongMessage(message: string): OverlongNumbers | undefined {
  const text = message.slice(0, 4000)
  for (const wording of wordings) {
    const match = wording.exec(text)
    if (match === null) continue
    const { prompt, output, window } = match.groups ?? {}
    const numberOf = (digits: string | undefined) => (digits === undefined ? undefined : Number(digits))
    return {
      promptTokens: numberOf(prompt),
      maxTokens: numberOf(output),
      contextWindow: numberOf(window),
    }
  }
  return undefined
}
