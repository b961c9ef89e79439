/** A model's profile from its folder's `profile.json`: window budget, prompts by name, sampling, chunking. */
import { type ModelProfile, promptsNamed } from '@memagent/core'
import { EngineError } from './errors.ts'
import type { Precision } from './generation/decoder-parts.ts'

const budgetFields = ['window', 'question', 'chunk', 'memory', 'output'] as const

function fail(setting: string, value: unknown, allowed: string): never {
  const fault = value === undefined ? 'is missing' : `cannot be ${JSON.stringify(value)}`
  throw new EngineError({
    code: 'engine/profile',
    message: `profile.json is not a model profile: ${setting} ${fault} (it takes ${allowed}).`,
    details: { setting },
  })
}

/** How drafts are verified, where the model's profile says. @throws EngineError for an unknown precision */
export function parsePrecision({ precision }: Readonly<Record<string, unknown>>): Precision | undefined {
  if (precision === undefined || precision === 'float32' || precision === 'int8') return precision
  return fail('precision', precision, '"float32" or "int8"')
}

/** @throws EngineError naming the field that is missing or wrong; ConfigurationError for unknown prompts */
export function parseProfile(json: Readonly<Record<string, unknown>>): ModelProfile {
  const { name, prompts, budget, sampling, chunking } = json
  const isNumber = (value: unknown, from: number, to: number): value is number =>
    typeof value === 'number' && value >= from && value <= to
  const fields = (budget ?? {}) as Record<string, unknown>
  const budgetOf = (field: string) => {
    const value = fields[field]
    return isNumber(value, 1, Number.MAX_SAFE_INTEGER) && Number.isInteger(value)
      ? value
      : fail(`budget.${field}`, value, 'a number of tokens of at least 1')
  }
  const { temperature, topP } = (sampling ?? {}) as Record<string, unknown>
  if (temperature !== undefined && !isNumber(temperature, 0, 100))
    fail('sampling.temperature', temperature, 'a number from 0 to 100')
  if (topP !== undefined && !isNumber(topP, Number.MIN_VALUE, 1))
    fail('sampling.topP', topP, 'a number above 0, at most 1')
  return {
    name: typeof name === 'string' && name !== '' ? name : fail('name', name, 'a text that is not empty'),
    budget: Object.fromEntries(
      budgetFields.map((field) => [field, budgetOf(field)]),
    ) as unknown as ModelProfile['budget'],
    prompts: promptsNamed(
      typeof prompts === 'string' ? prompts : fail('prompts', prompts, 'a name of prompts'),
    ),
    ...(sampling === undefined ? {} : { sampling: sampling as ModelProfile['sampling'] }),
    ...(chunking === undefined
      ? {}
      : {
          chunking:
            chunking === 'natural' || chunking === 'exact'
              ? chunking
              : fail('chunking', chunking, '"natural" or "exact"'),
        }),
  }
}
