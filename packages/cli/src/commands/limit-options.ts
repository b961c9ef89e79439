/** Options for the price of tokens, and for how much a reading may spend. */
import type { ReadingLimits, TokenPrices } from '@memagent/core'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { integer, nonNegative, positive } from './reading-options.ts'

export interface PriceFlags {
  readonly priceIn?: number
  readonly priceOut?: number
}

export interface LimitFlags extends PriceFlags {
  readonly priceCached?: number
  readonly maxCalls?: number
  readonly maxCost?: number
}

export function addPriceOptions(command: Command): Command {
  return command
    .optionsGroup('Cost:')
    .option('--price-in <price>', 'price per million prompt tokens', nonNegative('--price-in'))
    .option('--price-out <price>', 'price per million generated tokens', nonNegative('--price-out'))
    .optionsGroup('')
}

export function addLimitOptions(command: Command): Command {
  return addPriceOptions(command)
    .optionsGroup('Cost:')
    .option(
      '--price-cached <price>',
      "price per million prompt tokens from the server's cache (default: that of the others)",
      nonNegative('--price-cached'),
    )
    .option('--max-calls <n>', 'stop before making more calls than this', integer('--max-calls'))
    .option(
      '--max-cost <amount>',
      'stop before the cost could exceed this; needs --price-in or --price-out',
      positive('--max-cost'),
    )
    .optionsGroup('')
}

/** Undefined if none is given: one that is missing is 0. */
export const pricesOf = ({ priceIn, priceOut, priceCached }: LimitFlags): TokenPrices | undefined =>
  priceIn === undefined && priceOut === undefined
    ? undefined
    : { prompt: priceIn ?? 0, completion: priceOut ?? 0, cachedPrompt: priceCached }

/** @throws UsageError for a cost limit without prices */
export function limitsOf(flags: LimitFlags): ReadingLimits | undefined {
  const { maxCalls, maxCost, priceIn = 0, priceOut = 0, priceCached } = flags
  if (maxCost !== undefined && priceIn + priceOut === 0) {
    throw new UsageError({
      code: 'cli/no-prices',
      message: '--max-cost needs the price of tokens.',
      hint: 'Add --price-in and --price-out, the prices per million tokens.',
    })
  }
  if (maxCalls === undefined && maxCost === undefined) return undefined
  return { maxCalls, maxCost, prices: { prompt: priceIn, completion: priceOut, cachedPrompt: priceCached } }
}
