/** Limits on the cost of one reading: it stops before it would exceed one, and can continue from its checkpoint. */
import type { ChatModel, ChatResult, TokenUsage } from '../chat/chat.ts'
import { ChatError, ConfigurationError, LimitError } from '../errors.ts'
import type { CallUsage } from './events.ts'

/** Per million tokens, in any currency. */
export interface TokenPrices {
  readonly prompt: number
  readonly completion: number
  /** Price of prompt tokens that the server reports as cached. @default `prompt` */
  readonly cachedPrompt?: number | undefined
}

export const costOf = (
  { promptTokens, completionTokens, cachedPromptTokens = 0 }: TokenUsage,
  { prompt, completion, cachedPrompt = prompt }: TokenPrices,
): number =>
  ((promptTokens - cachedPromptTokens) * prompt +
    cachedPromptTokens * cachedPrompt +
    completionTokens * completion) /
  1e6

/** For a whole reading, including what it spent before it was resumed from a checkpoint. */
export interface ReadingLimits {
  /** Finished calls; failed attempts do not count. @default no limit */
  readonly maxCalls?: number | undefined
  /** In the currency of the prices. @default no limit */
  readonly maxCost?: number | undefined
  /** Required for `maxCost`. */
  readonly prices?: TokenPrices | undefined
}

/** @throws ConfigurationError for unknown names and invalid numbers, and for a cost limit without prices */
export function checkLimits({ maxCalls, maxCost, prices, ...rest }: ReadingLimits): void {
  const wrong = (setting: string, value: unknown, allowed: string): never => {
    throw new ConfigurationError({
      code: 'reading/bad-limit',
      message: `${setting} cannot be ${String(value)} (it takes ${allowed}).`,
    })
  }
  const [unknown] = Object.keys(rest)
  if (unknown !== undefined) {
    throw new ConfigurationError({
      code: 'reading/bad-limit',
      message: `There is no limit named ${unknown}.`,
      hint: 'Limits are maxCalls and maxCost, with prices.',
    })
  }
  if (maxCalls !== undefined && !(Number.isSafeInteger(maxCalls) && maxCalls > 0)) {
    wrong('maxCalls', maxCalls, 'a whole number of at least 1')
  }
  if (maxCost !== undefined && !(maxCost > 0)) wrong('maxCost', maxCost, 'a number above 0')
  for (const [name, price] of Object.entries(prices ?? {})) {
    if (price !== undefined && !(price >= 0 && price < Number.POSITIVE_INFINITY))
      wrong(`prices.${name}`, price, 'a number of at least 0')
  }
  // A call must be allowed before it is known how much of its prompt is cached.
  if (prices?.cachedPrompt !== undefined && prices.cachedPrompt > prices.prompt) {
    wrong(
      'prices.cachedPrompt',
      prices.cachedPrompt,
      `at most the price of other prompt tokens, ${prices.prompt}`,
    )
  }
  if (maxCost !== undefined && !(prices && prices.prompt + prices.completion > 0)) {
    throw new ConfigurationError({
      code: 'reading/no-prices',
      message: 'A cost limit needs token prices.',
    })
  }
}

/**
 * Wraps the model's `generate`: a call that could exceed a limit is not made. A call is assumed to fill the window, unless the
 * model counts its prompts.
 * @param limits checked by `checkLimits` @param window tokens of one call: prompt and response @param spent before
 * @returns a `generate` that throws LimitError, and ChatError when the cost is limited but the server does not report the
 * tokens of a call
 */
export function withinLimits(
  model: ChatModel,
  limits: ReadingLimits,
  window: number,
  spent: CallUsage,
): ChatModel {
  const { maxCalls = Number.POSITIVE_INFINITY, maxCost = Number.POSITIVE_INFINITY } = limits
  const { prices = { prompt: 0, completion: 0 } } = limits
  let { calls } = spent
  const after = () => `The reading stopped after ${calls} ${calls === 1 ? 'call' : 'calls'}`
  let cost = costOf(spent, prices)
  // The most that calls in flight may still cost.
  let [callsHeld, costHeld] = [0, 0]
  return {
    name: model.name,
    ...(model.countPromptTokens && {
      countPromptTokens: (messages) => model.countPromptTokens!(messages),
    }),
    async generate(messages, options) {
      const promptTokens = model.countPromptTokens?.(messages) ?? Math.max(0, window - options.maxTokens)
      const most = costOf({ promptTokens, completionTokens: options.maxTokens }, prices)
      if (calls + callsHeld + 1 > maxCalls) {
        throw new LimitError({
          code: 'reading/limit-calls',
          message: `${after()}, of ${maxCalls} that it may make.`,
          details: { calls, maxCalls },
        })
      }
      if (cost + costHeld + most > maxCost) {
        throw new LimitError({
          code: 'reading/limit-cost',
          message: `${after()} that cost ${cost.toFixed(4)}: the next may cost ${most.toFixed(4)}, and ${maxCost} is the limit.`,
          details: { calls, cost, maxCost },
        })
      }
      callsHeld += 1
      costHeld += most
      let result: ChatResult
      try {
        result = await model.generate(messages, options)
      } finally {
        callsHeld -= 1
        costHeld -= most
      }
      calls += 1
      if (result.usage) cost += costOf(result.usage, prices)
      // Ended by the server's filter, whose errors have no usage.
      else if (result.text === '') cost += most
      else if (maxCost < Number.POSITIVE_INFINITY) {
        throw new ChatError({
          code: 'reading/no-usage',
          message: `${model.name} does not tell how many tokens a call took, so its cost cannot be limited.`,
          hint: 'Limit the number of calls (--max-calls) instead.',
          details: { model: model.name },
        })
      }
      return result
    },
  }
}
