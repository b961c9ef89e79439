import { expect, it } from 'vitest'
import { isLegible } from './pdf-legible.ts'

it('takes the numbers of glyphs for no text, and a few ligatures and bullets of old fonts for text', () => {
  expect(isLegible('7KH\u0003FRGH\u0003LV\u00037\u0014\u0013')).toBe(false)
  expect(isLegible('\ue001\ue002\ue003')).toBe(false)
  expect(isLegible('E\u000bective \u000cnance')).toBe(true)
  expect(isLegible('\u0007 Item')).toBe(true)
  expect(isLegible('')).toBe(true)
})
