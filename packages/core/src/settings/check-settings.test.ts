import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { checkSettings } from './check-settings.ts'
import { nearestName } from './nearest-name.ts'

const schema = z.strictObject({
  name: z.string().min(1).optional(),
  steps: z.number().int().positive(),
  share: z.number().min(0).max(1).default(0.5),
  rate: z.number().positive().lt(2).optional(),
  rows: z.number().int().multipleOf(64).optional(),
  on: z.boolean().optional(),
  kind: z.enum(['a', 'b']).optional(),
  stages: z
    .array(z.strictObject({ steps: z.number().int().min(0) }))
    .min(1)
    .optional(),
  engine: z
    .discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('here'), threads: z.number() }),
      z.strictObject({ kind: z.literal('there'), address: z.string() }),
    ])
    .optional(),
  weights: z.record(z.string(), z.number()).optional(),
  even: z
    .number()
    .refine((value) => value % 2 === 0, { message: 'an even number is wanted' })
    .optional(),
  spec: z.preprocess(
    (value) => (value === 'short' ? { deep: 'x' } : value),
    z.strictObject({ deep: z.number() }).optional(),
  ),
})
const messages = (given: object) =>
  checkSettings(schema, { steps: 1, ...given }).problems?.map(({ message }) => message)

describe('checkSettings', () => {
  it('gives what the schema makes of settings that are right', () => {
    expect(checkSettings(schema, { steps: 3 })).toEqual({ settings: { steps: 3, share: 0.5 } })
  })

  it.each<[object, string]>([
    [{ steps: undefined }, 'steps is missing (it takes a whole number of at least 1)'],
    [{ steps: 'many' }, 'steps cannot be "many" (it takes a whole number of at least 1)'],
    [{ steps: Number.NaN }, 'steps cannot be NaN (it takes a whole number of at least 1)'],
    [{ name: '' }, 'name cannot be "" (it takes a text that is not empty)'],
    [{ share: 1.5 }, 'share cannot be 1.5 (it takes a number from 0 to 1)'],
    [{ rate: 2 }, 'rate cannot be 2 (it takes a number of more than 0 and less than 2)'],
    [{ rows: 65 }, 'rows cannot be 65 (it takes a whole number, a multiple of 64)'],
    [{ on: 'yes' }, 'on cannot be "yes" (it takes true or false)'],
    [{ kind: 3 }, 'kind cannot be 3 (it takes "a" or "b")'],
    [{ stages: [] }, 'stages cannot be [] (it takes a list of the fields steps)'],
    [{ stages: [{ steps: -1 }] }, 'stages.0.steps cannot be -1 (it takes a whole number of at least 0)'],
    [{ stages: [{ steps: 1, stps: 1 }] }, 'stages.0.stps is unknown (did you mean steps?)'],
    [{ engine: { kind: 'her' } }, 'engine.kind cannot be "her" (it takes "here" or "there")'],
    [{ engine: { kind: 'here', thread: 2, threads: 1 } }, 'engine.thread is unknown (did you mean threads?)'],
    [{ engine: { kind: 'there', address: 'x', zzz: 2 } }, 'engine.zzz is unknown (known: kind, address)'],
    [{ weights: { a: 'heavy' } }, 'weights.a cannot be "heavy" (it takes a number)'],
    [{ weights: 3 }, 'weights cannot be 3 (it takes values by name, each a number)'],
    [{ even: 3 }, 'even cannot be 3 (an even number is wanted)'],
    [{ spec: 'short' }, 'spec.deep cannot be "x" (it takes a number)'],
    [
      { name: ['x'.repeat(200)] },
      `name cannot be ["${'x'.repeat(98)}... (it takes a text that is not empty)`,
    ],
  ])('%j', (given, message) => {
    expect(messages(given)).toEqual([message])
  })

  it('does not show what may be a secret', () => {
    const secret = z.strictObject({ key: z.string().min(9).meta({ writeOnly: true }) })
    const { problems } = checkSettings(secret, { key: 'abc' })
    expect(problems![0]!.message).toBe('key has a wrong value (it takes a text that is not empty)')
  })

  it('tells all that is wrong', () => {
    expect(messages({ share: -1, on: 1, colour: 'red' })).toHaveLength(3)
    expect(checkSettings(schema, 'steps').problems?.[0]?.message).toMatch(
      /^the whole cannot be "steps" \(it takes the fields name, steps, /,
    )
  })
})

describe('nearestName', () => {
  it.each([
    ['decoy', 'decoys'],
    ['DECOYS', 'decoys'],
    ['dceoys', 'decoys'],
    ['per200k', 'decoysPer200k'],
    ['colour', undefined],
    ['', undefined],
  ])('%j is near to %j', (name, nearest) => {
    expect(nearestName(name, ['decoys', 'decoysPer200k', 'hops'])).toBe(nearest)
  })
})
