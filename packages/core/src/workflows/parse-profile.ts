/** A model's profile as JSON: window budget, prompts, sampling, chunking. */
import type { ModelProfile } from '../chat/profile.ts'
import { ConfigurationError } from '../errors.ts'
import { parsePromptSet } from './prompts.ts'

const budgetFields = ['window', 'question', 'chunk', 'memory', 'output'] as const

/**
 * @param file where the JSON is from
 * @throws ConfigurationError naming the setting that is missing or wrong, and what it may be
 */
export function parseProfile(json: unknown, file = 'profile.json'): ModelProfile {
  const fail = (setting: string, value: unknown, allowed: string): never => {
    const fault = value === undefined ? 'is missing' : `cannot be ${JSON.stringify(value)}`
    throw new ConfigurationError({
      code: 'profile/invalid',
      message: `${file} is not a model profile: ${setting} ${fault} (it takes ${allowed}).`,
      details: { setting },
    })
  }
  const { name, prompts, budget, sampling, chunking } = (json ?? {}) as Readonly<Record<string, unknown>>
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
    ...(prompts === undefined
      ? {}
      : {
          prompts: typeof prompts === 'string' ? prompts : parsePromptSet(prompts, `${file}: prompts`, 'own'),
        }),
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

/** Where the profile of a GGUF file is looked for: `model.profile.json` beside `model.gguf`. */
export const profileFileBeside = (ggufFile: string): string =>
  `${ggufFile.replace(/\.gguf$/i, '')}.profile.json`
