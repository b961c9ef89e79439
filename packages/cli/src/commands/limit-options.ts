/** Options about what tokens cost, and how much a reading may spend. */
import type { ReadingLimits } from '@memagent/core'
import type { Command } from 'commander'
import { UsageError } from '../failures.ts'
import { integer, nonNegative, positive } from './reading-options.ts'

export interface PriceFlags {
  readonly priceIn?: number
  readonly priceOut?: number
}

export interface LimitFlags extends PriceFlags {
  readonly maxCalls?: number
  readonly maxCost?: number
}

export function addPriceOptions(command: Command): Command {
  return command
    .option('--price-in <price>', 'price of a million prompt tokens', nonNegative('--price-in'))
    .option('--price-out <price>', 'price of a million generated tokens', nonNegative('--price-out'))
}

export function addLimitOptions(command: Command): Command {
  return addPriceOptions(
    command
      .option('--max-calls <n>', 'stop before more calls than these', integer('--max-calls'))
      .option(
        '--max-cost <amount>',
        'stop before it could cost more than this; needs --price-in or --price-out',
        positive('--max-cost'),
      ),
  )
}

/** @throws UsageError for a cost without prices */
export function limitsOf(flags: LimitFlags): ReadingLimits | undefined {
  const { maxCalls, maxCost, priceIn = 0, priceOut = 0 } = flags
  if (maxCost !== undefined && priceIn + priceOut === 0) {
    throw new UsageError({
      code: 'cli/no-prices',
      message: '--max-cost needs what tokens cost.',
      hint: 'Give --price-in and --price-out, the prices of a million tokens.',
    })
  }
  if (maxCalls === undefined && maxCost === undefined) return undefined
  return { maxCalls, maxCost, prices: { prompt: priceIn, completion: priceOut } }
}
