/** Predicts what a plan will take, without any call. */
import { paperProfile } from '@memagent/core'
import type { CostEstimate } from '../method.ts'
import { priceOf } from './answer-job.ts'
import { listJobs } from './jobs.ts'
import type { BenchPlan } from './plan.ts'

export interface PlanEstimate extends CostEstimate {
  readonly samples: number
  /** Undefined unless the tokens per second are known. */
  readonly seconds?: number | undefined
  /** Undefined without prices. */
  readonly price?: number | undefined
}

export interface BenchEstimate extends PlanEstimate {
  readonly groups: readonly (PlanEstimate & { readonly method: string; readonly lengthTokens: number })[]
}

/**
 * From the methods' upper estimates. Calls no model, and ignores what is already recorded.
 * @param tokensPerSecond of prompts and responses together, at the plan's concurrency
 * @throws ConfigurationError when the plan asks no question
 */
export function estimateBenchmark(plan: BenchPlan, tokensPerSecond?: number): BenchEstimate {
  const profile = plan.profile ?? plan.model.profile ?? paperProfile
  const groups = new Map<
    string,
    { method: string; lengthTokens: number; samples: number; one: CostEstimate }
  >()
  for (const { method, lengthTokens } of listJobs(plan)) {
    const { name } = method.method
    const id = `${name}/${lengthTokens}`
    const group = groups.get(id)
    if (group) group.samples++
    else {
      const one = method.method.estimate(lengthTokens, profile, plan.ahead)
      groups.set(id, { method: name, lengthTokens, samples: 1, one })
    }
  }
  const complete = (samples: number, cost: CostEstimate): PlanEstimate => ({
    samples,
    ...cost,
    seconds: tokensPerSecond && (cost.promptTokens + cost.completionTokens) / tokensPerSecond,
    price: plan.prices && priceOf(cost, plan.prices),
  })
  const listed = [...groups.values()]
    .map(({ method, lengthTokens, samples, one }) => ({
      method,
      lengthTokens,
      samples,
      cost: times(one, samples),
    }))
    .toSorted((a, b) => a.lengthTokens - b.lengthTokens)
  const total = listed.map(({ cost }) => cost).reduce(add)
  return {
    ...complete(
      listed.reduce((sum, { samples }) => sum + samples, 0),
      total,
    ),
    groups: listed.map(({ method, lengthTokens, samples, cost }) => ({
      method,
      lengthTokens,
      ...complete(samples, cost),
    })),
  }
}

const times = (
  { calls, promptTokens, completionTokens, embeddedTokens = 0 }: CostEstimate,
  samples: number,
) => ({
  calls: calls * samples,
  promptTokens: promptTokens * samples,
  completionTokens: completionTokens * samples,
  embeddedTokens: embeddedTokens * samples,
})

const add = (a: ReturnType<typeof times>, b: ReturnType<typeof times>) => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  embeddedTokens: a.embeddedTokens + b.embeddedTokens,
})
