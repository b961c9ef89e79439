/**
 * Detects prompts that a server cut silently, by comparing the prompt tokens it reports with our own count.
 *
 * The rule. The text of the messages is counted; whatever the server's template adds only makes its number larger.
 * - With an exact tokenizer, a prompt was cut if the server reports less than 98 % of our count minus 16 tokens.
 * - Without one, the count is an estimate (UTF-8 bytes / 4.5) and a shortfall only a suspicion, since blank lines and
 *   tables have few tokens for many characters: less than 75 % of the estimate and at least 256 tokens short. Then
 *   both halves of the prompt are sent with one output token each. A server that sees everything counts about as much
 *   in the halves as in the whole; one that cuts counts clearly more (> 110 % + 128). A cleared suspicion is
 *   remembered, so that such texts are not probed again.
 * A server that reports no count is not judged.
 */
import { TruncatedPromptError } from '../errors.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import type { Message } from './message.ts'

/** The tokens that a server reports if it sees everything: at least, or about. */
export interface ExpectedTokens {
  readonly tokens: number
  readonly isExact: boolean
}

export interface TruncationCheck {
  /** Counts a prompt; slow for a long one, so best done while the server reads it. */
  expect(messages: readonly Message[]): Promise<ExpectedTokens>
  /**
   * @param expected what `expect` returned for these messages
   * @param reported prompt tokens of the call, as the server counted them
   * @param measure asks the server for its count of other messages (one output token); undefined when it reports none
   * @throws TruncatedPromptError with the numbers
   */
  check(
    messages: readonly Message[],
    expected: ExpectedTokens,
    reported: number | undefined,
    measure: (messages: readonly Message[]) => Promise<number | undefined>,
  ): Promise<void>
}

export interface TruncationCheckOptions {
  readonly model: string
  readonly tokenizer?: Tokenizer | undefined
  /** Counts the whole prompt, template included; preferred if given. */
  readonly countPromptTokens?: ((messages: readonly Message[]) => number) | undefined
  readonly hint: string
}

const exactTolerance = { share: 0.98, tokens: 16 }
const suspicion = { share: 0.75, tokens: 256 }
const probe = { share: 1.1, tokens: 128 }
/** UTF-8 bytes per token of ordinary text, in any language, with current vocabularies. */
const bytesPerToken = 4.5

export function createTruncationCheck(options: TruncationCheckOptions): TruncationCheck {
  const { model, tokenizer, countPromptTokens, hint } = options
  let clearedShare = 1

  async function expect(messages: readonly Message[]): Promise<ExpectedTokens> {
    if (countPromptTokens !== undefined) return { tokens: countPromptTokens(messages), isExact: true }
    const exact = tokenizer?.isExact ? tokenizer : undefined
    let tokens = 0
    for (const { content } of messages) {
      tokens += exact === undefined ? utf8Length(content) / bytesPerToken : await exact.count(content)
    }
    return { tokens: Math.round(tokens), isExact: exact !== undefined }
  }

  function truncated(expected: number, reported: number, isExact: boolean, probed?: number) {
    return new TruncatedPromptError({
      code: 'chat/truncated-prompt',
      message:
        probed === undefined
          ? `The server cut the prompt without saying so: ${expected} tokens were sent, ${model} saw ${reported}`
          : `The server cut the prompt without saying so: ${model} saw ${reported} tokens of about ${expected}, but ${probed} in its two halves`,
      hint,
      details: {
        model,
        expectedTokens: expected,
        reportedTokens: reported,
        isExact,
        ...(probed === undefined ? {} : { tokensInHalves: probed }),
      },
    })
  }

  return {
    expect,
    async check(messages, { tokens: expected, isExact }, reported, measure) {
      if (reported === undefined || reported <= 0) return
      if (isExact) {
        if (reported < expected * exactTolerance.share - exactTolerance.tokens) {
          throw truncated(expected, reported, true)
        }
        return
      }
      const share = reported / expected
      if (share >= suspicion.share * clearedShare || expected - reported < suspicion.tokens) return
      const counts = await Promise.all(halves(messages).map(measure))
      if (counts.some((count) => count === undefined)) return
      const inHalves = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0)
      if (inHalves > reported * probe.share + probe.tokens)
        throw truncated(expected, reported, false, inHalves)
      clearedShare = Math.min(clearedShare, share)
    },
  }
}

/** Two prompts that together hold the text of all messages; no character is split. */
function halves(messages: readonly Message[]): Message[][] {
  const text = messages.map((message) => message.content).join('\n')
  let middle = text.length >> 1
  if (/[\uDC00-\uDFFF]/.test(text.charAt(middle))) middle--
  return [text.slice(0, middle), text.slice(middle)].map((content) => [{ role: 'user', content }])
}

function utf8Length(text: string): number {
  let length = text.length
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) continue
    // A surrogate pair is four bytes in two units, anything else from U+0800 three in one.
    length += unit >= 0x800 && (unit < 0xd800 || unit > 0xdfff) ? 2 : 1
  }
  return length
}
