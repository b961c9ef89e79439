/** Predicts the cost of a plan without any call. */
import {
  ConfigurationError,
  chooseSampling,
  createEstimateTokenizer,
  createImmediateCounter,
  paperProfile,
} from '@memagent/core'
import type { CostEstimate } from '../method.ts'
import { priceOf } from './answer-job.ts'
import { checkedPlan } from './check-plan.ts'
import { documentTokens } from './document-tokens.ts'
import { listJobs } from './jobs.ts'
import type { BenchPlan, Job } from './plan.ts'

export interface PlanEstimate extends CostEstimate {
  readonly samples: number
  /** Undefined if the tokens per second are unknown. */
  readonly seconds?: number | undefined
  /** Undefined without prices. */
  readonly price?: number | undefined
}

export interface GroupEstimate extends PlanEstimate {
  readonly method: string
  readonly lengthTokens: number
  /** The documents keep their own lengths, which were measured; `lengthTokens` is only a name. */
  readonly keepsLength: boolean
}

export interface BenchEstimate extends PlanEstimate {
  readonly groups: readonly GroupEstimate[]
}

/**
 * Adds up the methods' upper estimates. Calls no model, and ignores what is already recorded. Documents that keep their own
 * length, or may be longer than asked, are read and measured.
 * @param tokensPerSecond of prompts and responses together, at the plan's concurrency
 * @throws ConfigurationError if the plan is wrong or asks no question, or the rate is no number; TaskError if a task cannot make
 * a sample to measure
 */
export async function estimateBenchmark(given: BenchPlan, tokensPerSecond?: number): Promise<BenchEstimate> {
  const plan = checkedPlan(given)
  if (tokensPerSecond !== undefined && !(tokensPerSecond > 0)) {
    const message = `tokensPerSecond cannot be ${tokensPerSecond}: it takes a number above 0.`
    throw new ConfigurationError({ code: 'bench/bad-rate', message })
  }
  const profile = plan.profile ?? plan.model.profile ?? paperProfile
  const tokensOf = await documentMeter(plan)
  const groups = new Map<string, Group>()
  const known = new Map<string, CostEstimate>()
  for (const job of listJobs(plan)) {
    const { name } = job.method.method
    const { keepsLength = false, keepsLonger = false } = job.task.task
    const measured = keepsLength || keepsLonger ? await tokensOf(job) : 0
    const tokens = keepsLength ? measured : Math.max(measured, job.lengthTokens)
    const one = known.get(`${name}/${tokens}`) ?? job.method.method.estimate(tokens, profile, plan.ahead)
    known.set(`${name}/${tokens}`, one)
    const id = `${name}/${job.lengthTokens}/${keepsLength}`
    const { samples, cost } = groups.get(id) ?? { samples: 0, cost: nothing }
    groups.set(id, {
      method: name,
      lengthTokens: job.lengthTokens,
      keepsLength,
      samples: samples + 1,
      cost: add(cost, one),
    })
  }
  const complete = (samples: number, cost: CostEstimate): PlanEstimate => ({
    samples,
    ...cost,
    seconds: tokensPerSecond && (cost.promptTokens + cost.completionTokens) / tokensPerSecond,
    price: plan.prices && priceOf(cost, plan.prices),
  })
  const listed = [...groups.values()].toSorted((a, b) => a.lengthTokens - b.lengthTokens)
  return {
    ...complete(
      listed.reduce((sum, { samples }) => sum + samples, 0),
      listed.map(({ cost }) => cost).reduce(add),
    ),
    groups: listed.map(({ samples, cost, ...group }) => ({ ...group, ...complete(samples, cost) })),
  }
}

interface Group extends Pick<GroupEstimate, 'method' | 'lengthTokens' | 'keepsLength' | 'samples'> {
  readonly cost: CostEstimate
}

/** Tokens of a job's document, counted once for all methods. */
async function documentMeter({ model, tokenizer, sampling, profile }: BenchPlan) {
  const { count } = await createImmediateCounter(tokenizer ?? model.tokenizer ?? createEstimateTokenizer())
  const { seed = 1 } = chooseSampling(sampling, (profile ?? model.profile)?.sampling)
  const known = new Map<string, number>()
  return async ({ task, lengthTokens, index }: Job): Promise<number> => {
    const id = `${task.name}/${lengthTokens}/${index}`
    let tokens = known.get(id)
    if (tokens !== undefined) return tokens
    const { document } = await task.task.sample({ index, seed, lengthTokens, countTokens: count })
    tokens = await documentTokens(document, count)
    known.set(id, tokens)
    return tokens
  }
}

const nothing = { calls: 0, promptTokens: 0, completionTokens: 0, embeddedTokens: 0 }

const add = (a: CostEstimate, b: CostEstimate): typeof nothing => ({
  calls: a.calls + b.calls,
  promptTokens: a.promptTokens + b.promptTokens,
  completionTokens: a.completionTokens + b.completionTokens,
  embeddedTokens: (a.embeddedTokens ?? 0) + (b.embeddedTokens ?? 0),
})
