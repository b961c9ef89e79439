import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastBoxed, parseAnswer } from './boxed.ts'
import { endsInClosedBox } from './closed-box.ts'

describe('endsInClosedBox', () => {
  it.each([
    'The answer is \\boxed{Paris}.',
    '\\boxed{Paris}',
    '\\fbox{42}',
    '\\boxed{first} but rather \\boxed{second}',
    '\\boxed{\\frac{1}{2}}',
    '\\boxed{outer \\boxed{inner}}',
    '\\boxed{not in the text}',
    '\\fbox{a} and then \\boxed{b}',
    `${'Long thoughts. '.repeat(400)}\\boxed{4711}`,
    `\\boxed{4711}${'.'.repeat(288)}`,
    // Characters are counted, not UTF-16 units.
    `\\boxed{4711}${'🙂'.repeat(288)}`,
  ])('grants %j', (response) => {
    expect(endsInClosedBox(response)).toBe(true)
    expect(parseAnswer(response).source).toBe('box')
  })

  it.each([
    ['', 'nothing'],
    ['Paris', 'a bare name'],
    ['not in the text', 'the bare phrase'],
    ['\\boxed{Paris', 'an open box'],
    ['\\boxed{Paris} no: \\boxed{London', 'a last box that is open'],
    ['\\boxed{}', 'an empty box'],
    ['\\boxed{Paris} is in \\boxed{}', 'a last box that is empty'],
    ['\\boxed{\\text{ }}', 'a box that holds a style alone'],
    ['\\boxed Paris', 'a box without braces'],
    ['\\boxed {Paris}', 'a blank before the brace'],
    ['\\boxed{a \\} b', 'a box that only an escaped brace closes'],
    [`\\boxed{4711}${'.'.repeat(800)}`, 'a box followed by 800 characters'],
    [`\\boxed{4711}${'.'.repeat(289)}`, 'a box that begins 301 characters before the end'],
    [`\\boxed{${'x'.repeat(300)}}`, 'a box of 308 characters'],
  ])('does not grant %j: %s', (response) => {
    expect(endsInClosedBox(response)).toBe(false)
  })

  it('never accepts a box other than the one people are shown', () => {
    const part = fc.constantFrom(
      '\\boxed{',
      '\\fbox{',
      '\\boxed',
      '{',
      '}',
      '\\',
      ' ',
      'a',
      'b',
      '\\text{',
      '🙂',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const response = parts.join('')
        if (!endsInClosedBox(response)) return
        const last = response.lastIndexOf(response.includes('\\boxed') ? '\\boxed' : '\\fbox')
        expect(lastBoxed(response)).toBe(lastBoxed(response.slice(last)))
        expect(lastBoxed(response)).not.toBe('')
      }),
      { numRuns: 3000 },
    )
  })
})
