/** What llama.cpp needs to know about a byte-level BPE `tokenizer.json` (its tokenizer model `gpt2`). */
import { knownPatterns } from '@memagent/core'
import { EngineError } from '../errors.ts'
import type { GgufValue } from './gguf.ts'
import { tokenText } from './model-folder.ts'

type JsonObject = Readonly<Record<string, unknown>>

/** llama.cpp's `llama_token_type`. */
const tokenTypes = { normal: 1, control: 3, userDefined: 4, unused: 5 } as const

interface AddedToken {
  readonly id: number
  readonly content: string
  readonly special: boolean
}

/** @throws EngineError when llama.cpp has no equivalent tokenizer */
export function ggufTokenizer(
  tokenizerJson: JsonObject,
  tokenizerConfig: JsonObject,
  vocabularySize: number,
): Map<string, GgufValue> {
  const fail = (message: string): never => {
    throw new EngineError({
      code: 'engine/gguf-tokenizer',
      message: `The tokenizer cannot be written as GGUF: ${message}.`,
    })
  }
  const { model, added_tokens: added = [] } = tokenizerJson as {
    model?: { type?: string; vocab?: Record<string, number>; merges?: (string | [string, string])[] }
    added_tokens?: AddedToken[]
  }
  if (model?.type !== 'BPE' || !model.vocab || !model.merges) return fail('it is not byte-level BPE')
  if (Object.keys(model.vocab).length === 0 || Array.isArray(model.vocab))
    return fail('its vocab has no tokens')
  if (!Array.isArray(model.merges)) return fail('its merges are no list')
  if (!Array.isArray(added) || added.includes(null as never)) return fail('its added_tokens are no tokens')
  const pre = preTokenizerName(tokenizerJson) ?? fail('llama.cpp has no equivalent rule for splitting words')

  const tokens = Array.from({ length: vocabularySize }, (_, id) => `[unused${id}]`)
  const types = new Array<number>(vocabularySize).fill(tokenTypes.unused)
  const place = (id: number, content: string, type: number) => {
    if (!(Number.isInteger(id) && id >= 0 && id < vocabularySize))
      fail(`its token ${JSON.stringify(content)} has the id ${id} of ${vocabularySize}`)
    tokens[id] = content
    types[id] = type
  }
  for (const [content, id] of Object.entries(model.vocab)) place(id, content, tokenTypes.normal)
  for (const { id, content, special } of added) {
    place(id, content, special ? tokenTypes.control : tokenTypes.userDefined)
  }
  const metadata = new Map<string, GgufValue>([
    ['tokenizer.ggml.model', { string: 'gpt2' }],
    ['tokenizer.ggml.pre', { string: pre }],
    ['tokenizer.ggml.tokens', { strings: tokens }],
    ['tokenizer.ggml.token_type', { int32s: types }],
    [
      'tokenizer.ggml.merges',
      { strings: model.merges.map((merge) => (typeof merge === 'string' ? merge : merge.join(' '))) },
    ],
  ])
  for (const [name, key] of [
    ['bos_token', 'bos_token_id'],
    ['eos_token', 'eos_token_id'],
    ['pad_token', 'padding_token_id'],
  ] as const) {
    const content = tokenText(tokenizerConfig[name])
    // llama.cpp would never end a response.
    if (content === undefined && name === 'eos_token') fail('it has no eos_token')
    const id = content === undefined ? undefined : tokens.indexOf(content)
    if (id === -1) fail(`its ${name} ${JSON.stringify(content)} is not in the vocabulary`)
    if (id !== undefined) metadata.set(`tokenizer.ggml.${key}`, { uint32: id })
  }
  metadata.set('tokenizer.ggml.add_bos_token', { bool: tokenizerConfig.add_bos_token === true })
  if (typeof tokenizerConfig.chat_template === 'string') {
    metadata.set('tokenizer.chat_template', { string: tokenizerConfig.chat_template })
  }
  return metadata
}

interface PreTokenizer {
  readonly type: string
  readonly individual_digits?: boolean
  readonly use_regex?: boolean
  readonly add_prefix_space?: boolean
  readonly pattern?: { readonly Regex?: string }
  readonly pretokenizers?: readonly PreTokenizer[]
}

/** llama.cpp's name (`LLAMA_VOCAB_PRE_TYPE_*`) for how the tokenizer splits words; undefined when it has none. */
function preTokenizerName(tokenizerJson: JsonObject): string | undefined {
  const { pre_tokenizer: outer, normalizer } = tokenizerJson as {
    pre_tokenizer?: PreTokenizer | null
    normalizer?: { type: string } | null
  }
  const steps = outer?.type === 'Sequence' ? (outer.pretokenizers ?? []) : outer ? [outer] : []
  const [first, last] = [steps[0], steps.at(-1)]
  if (last?.type !== 'ByteLevel' || last.add_prefix_space || steps.length > 2) return undefined
  if (normalizer && normalizer.type !== 'NFC') return undefined
  if (steps.length === 1) return last.use_regex === false ? undefined : 'gpt-2'
  if (first?.type === 'Digits' && first.individual_digits && last.use_regex !== false) return 'smollm'
  if (first?.type === 'Split' && first.pattern?.Regex === knownPatterns.qwen2 && last.use_regex === false)
    return 'qwen2'
  return undefined
}
