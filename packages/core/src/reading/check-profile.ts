/** Checks that a profile is valid, also from JavaScript: an error names the wrong part. */
import type { ModelProfile, WindowBudget } from '../chat/profile.ts'
import { ConfigurationError } from '../errors.ts'
import { isObject } from '../json-shape.ts'

/** The type keeps the list complete. */
const parts: { readonly [Part in keyof WindowBudget]-?: true } = {
  window: true,
  question: true,
  chunk: true,
  memory: true,
  output: true,
}

/** @throws ConfigurationError */
export function checkProfile(profile: ModelProfile): void {
  const given: { readonly [Name in keyof ModelProfile]?: unknown } = isObject(profile) ? profile : {}
  const { name = 'without a name', budget, chunking, prompts } = given
  const wrong = (what: string, code = 'reading/bad-profile') =>
    new ConfigurationError({
      code,
      message: `${what} (profile ${name}).`,
      details: { ...(isObject(budget) && budget) },
    })
  if (!isObject(budget))
    throw wrong(`The budget is none: it is { ${Object.keys(parts).join(', ')} }, in tokens`)
  for (const part of new Set([...Object.keys(parts), ...Object.keys(budget)])) {
    const tokens = budget[part]
    if (Number.isInteger(tokens) && (tokens as number) > 0) continue
    throw wrong(
      `The budget for ${part} must be a whole number of tokens above 0, not ${tokens}`,
      'reading/bad-budget',
    )
  }
  if (chunking !== undefined && chunking !== 'natural' && chunking !== 'exact') {
    throw wrong(`chunking cannot be ${chunking}: it is natural or exact`)
  }
  if (
    prompts !== undefined &&
    typeof prompts !== 'string' &&
    !(isObject(prompts) && isObject(prompts.templates))
  ) {
    throw wrong('prompts is neither the name of a set nor one, which is { name, templates }')
  }
}
