/**
 * Split and replacement patterns of published `tokenizer.json` files, by exact string. Each of these takes linear time; any other
 * pattern might take forever on a malicious text.
 */
const contractions = "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
const punctuation = ' ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*'
const whiteSpace = '\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+'
const capitals = '[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]'
const smalls = '[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]'
const before = '[^\\r\\n\\p{L}\\p{N}]?'

export const knownPatterns = {
  gpt2: "'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+",
  /** Also for Qwen 2.5 and 3. */
  qwen2: `${contractions}|${before}\\p{L}+|\\p{N}|${punctuation}|${whiteSpace}`,
  qwen35: `${contractions}|${before}[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*|${whiteSpace}`,
  /** Also for GLM 4, OLMo 2, Phi 4, SmolLM 3. */
  llama3: `${contractions}|${before}\\p{L}+|\\p{N}{1,3}|${punctuation}|${whiteSpace}`,
  /** Also for gpt-oss and Llama 4. */
  o200k: `${before}${capitals}*${smalls}+${contractions}?|${before}${capitals}+${smalls}*${contractions}?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|${whiteSpace}`,
  /** For Mistral Nemo and later. */
  tekken: `${before}${capitals}*${smalls}+|${before}${capitals}+${smalls}*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*|${whiteSpace}`,
  deepSeek:
    '[!"#$%&\'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+',
  deepSeekIdeographs: '[一-龥぀-ゟ゠-ヿ]+',
  threeDigits: '\\p{N}{1,3}',
  digit: '\\p{N}',
  digits: '\\p{N}+',
  falconDigits: '[0-9][0-9][0-9]',
  bloom: ' ?[^(\\s|[.,!?…。，、।۔،])]+',
  clip: "'s|'t|'re|'ve|'m|'ll|'d|[\\p{L}]+|[\\p{N}]|[^\\s\\p{L}\\p{N}]+",
  /** For CLIP's normalizer, and T5's and XLM-R's. */
  whiteSpace: '\\s+',
  spaces: ' {2,}',
} as const

const known: ReadonlySet<string> = new Set(Object.values(knownPatterns))

/** The regular expressions of a `tokenizer.json` (normalizer, pre-tokenizer, decoder and so on) that the table lacks. */
export function unknownPatterns(tokenizerJson: Readonly<Record<string, unknown>>): string[] {
  // Vocabularies and added tokens are literal text, and long.
  const { model: _, added_tokens: __, ...steps } = tokenizerJson
  const unknown = new Set<string>()
  const open: unknown[] = [steps]
  while (open.length > 0) {
    const value = open.pop()
    if (typeof value !== 'object' || value === null) continue
    const { Regex: pattern } = value as { readonly Regex?: unknown }
    if (pattern !== undefined && !known.has(pattern as string)) unknown.add(String(pattern))
    for (const part of Object.values(value)) open.push(part)
  }
  return [...unknown]
}
