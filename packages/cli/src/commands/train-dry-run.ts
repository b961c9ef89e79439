/** `memagent train rl --dry-run`: the tokens, and with `--prices` the dollars, of a step and of the whole run. */

import { ConfigurationError } from '@memagent/core'
import { UsageError } from '../failures.ts'
import { printableLines, printJson, type Terminal } from '../terminal.ts'
import { priceBound } from '../view/price-bound.ts'
import { count } from '../view/progress.ts'

interface DryRunFlags {
  readonly config: string
  readonly events?: boolean
  readonly set?: readonly string[]
  readonly prices?: string
}

/**
 * Prints what a step and the whole run cost at most, or JSON with `--events`.
 *
 * @throws ConfigurationError; what the run would throw before its first step
 */
export async function describeDryRun(flags: DryRunFlags, terminal: Terminal): Promise<void> {
  const prices = parsePrices(flags.prices)
  const { dryRunFromConfig, withDraws } = await import('@memagent/train')
  const dry = await dryRunFromConfig(flags.config, { settings: flags.set })
  const price = prices && {
    dollarsPerStep: priceOf(withDraws(dry.step, dry.draws), prices),
    dollars: priceOf(dry.total, prices),
  }
  if (flags.events) {
    return printJson(terminal.stdout, { ...dry, ...price })
  }
  const { step, steps, stages, draws, total, flops } = dry
  for (const notice of dry.notices) terminal.stderr.write(`${printableLines(`warning: ${notice}`)}\n`)
  const drawn = draws > 1 ? ` (up to ${draws} times when groups are replaced)` : ''
  const lines = [
    `one step${stages.length > 1 ? ' of the first stage' : ''}, with memories at their limit: ${count(step.rollouts)} rollouts, ${count(step.conversations)} conversations, the longest of ${count(step.longestConversation)} tokens`,
    `  documents      ${count(step.documentTokens)} tokens`,
    `  sampler reads  ${count(step.promptTokens)} tokens${drawn}; what rollouts of a group share is counted for each`,
    `  sampler writes ${count(step.sampledTokens)} tokens${drawn}`,
    `  scored         ${count(step.scoredTokens)} tokens`,
    `  trained        ${count(step.trainedTokens)} tokens`,
    ...(price === undefined ? [] : [`  price at most  $${priceBound(price.dollarsPerStep)}`]),
    ...stages
      .slice(1)
      .map(
        (stage, i) =>
          `stage ${i + 2}, ${count(stage.steps)} steps: ${count(stage.step.trainedTokens)} tokens trained a step`,
      ),
    `${count(dry.evaluations)} evaluations: ${count(dry.evaluation.promptTokens)} tokens read and ${count(dry.evaluation.sampledTokens)} written in each`,
    `all ${count(steps)} steps and evaluations, at most:`,
    `  sampler reads  ${count(total.promptTokens)} tokens`,
    `  sampler writes ${count(total.sampledTokens)} tokens`,
    `  scored         ${count(total.scoredTokens)} tokens`,
    `  trained        ${count(total.trainedTokens)} tokens`,
    ...(flops === undefined ? [] : [`  computed       ${flops.toExponential(2)} FLOP`]),
    ...(price === undefined ? [] : [`  price          $${priceBound(price.dollars)}`]),
  ]
  terminal.stdout.write(`${lines.join('\n')}\n`)
}

export const pricesWithoutDryRun = () =>
  new UsageError({
    code: 'cli/prices',
    message: '--prices is for --dry-run: a training tells no price.',
    hint: 'Add --dry-run to see what it would cost, or leave --prices out.',
  })

type Prices = readonly [prompt: number, sample: number, train: number]

/** @throws ConfigurationError */
function parsePrices(text: string | undefined): Prices | undefined {
  if (text === undefined) return undefined
  // Number takes no digits for 0.
  const numbers = text.split(',').map((part) => (/\d/.test(part) ? Number(part) : Number.NaN))
  if (numbers.length === 3 && numbers.every((price) => price >= 0)) return numbers as unknown as Prices
  throw new ConfigurationError({
    code: 'cli/prices',
    message: `--prices wants three numbers, such as 0.15,0.40,0.45, not ${text}.`,
  })
}

const priceOf = (
  step: { promptTokens: number; sampledTokens: number; scoredTokens: number; trainedTokens: number },
  [prompt, sample, train]: Prices,
) =>
  ((step.promptTokens + step.scoredTokens) * prompt +
    step.sampledTokens * sample +
    step.trainedTokens * train) /
  1e6
