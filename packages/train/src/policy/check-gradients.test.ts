import { expect, it } from 'vitest'
import { checkGradients } from './check-gradients.ts'

const sequence = { promptTokens: [1, 2], responseTokens: [3, 4] }
const gradient = Float32Array.of(0.5, -1)

it('names the sequence and the token whose gradient is missing or not finite', () => {
  expect(() => checkGradients([sequence], [gradient])).not.toThrow()
  const bad = Float32Array.of(1, Number.NaN)
  expect(() => checkGradients([sequence, sequence], [gradient, bad])).toThrow(
    'The gradient of sequence 1 at response token 1 is NaN.',
  )
  expect(() => checkGradients([sequence], [Float32Array.of(Number.POSITIVE_INFINITY, 0)])).toThrow('Infinity')
  expect(() => checkGradients([sequence], [Float32Array.of(1)])).toThrow('2 response tokens and 1 gradients')
  expect(() => checkGradients([sequence], [])).toThrow('0 gradients for 1 sequences')
})
