import { expect, it } from 'vitest'
import { chooseSampling } from './sampling.ts'

it('takes each field from the first that says it, 0 included', () => {
  const call = { temperature: 0, topP: undefined }
  const profile = { temperature: 0.7, topP: 0.9 }
  expect(chooseSampling(call, undefined, profile, { seed: 0 })).toEqual({
    temperature: 0,
    topP: 0.9,
    seed: 0,
  })
  expect(chooseSampling()).toEqual({ temperature: undefined, topP: undefined, seed: undefined })
})
