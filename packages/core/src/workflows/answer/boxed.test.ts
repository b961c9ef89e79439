import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { boxedTexts, lastBoxed, parseAnswer } from './boxed.ts'

/** Up to the brace that closes one opened earlier. */
function balanced(text: string): string | undefined {
  let depth = 1
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '{') depth++
    else if (text[i] === '}' && --depth === 0) return text.slice(0, i)
  }
  return undefined
}

describe('lastBoxed', () => {
  it.each([
    ['The answer is \\boxed{Paris}.', 'Paris'],
    ['\\boxed{first} but rather \\boxed{second}', 'second'],
    ['\\fbox{ 42 }', '42'],
    ['\\boxed {spaced}', 'spaced'],
    ['\\boxed{\\frac{1}{2}}', '\\frac{1}{2}'],
    ['\\boxed{a set \\{1, 2\\} and a lone \\} brace}', 'a set \\{1, 2\\} and a lone \\} brace'],
    ['\\boxed{whole} and then \\boxed{never closed', 'whole'],
    ['\\boxed{outer \\boxed{inner}}', 'inner'],
    ['\\boxed{two\nlines}', 'two\nlines'],
    ['\\boxed{}', ''],
    ['\\boxed{\\boxed{}}', ''],
    ['\\boxed{7} and \\boxed{\\text{ }}', '7'],
    ['The answer is \\boxed{42}. I put it in \\boxed{}.', '42'],
    ['\\boxed{42}, and not \\boxed{ \\text{ } }', '42'],
    ['\\boxed{a \\\\} b}', 'a \\\\'],
  ])('takes the last whole box of %j that holds something', (response, expected) => {
    expect(lastBoxed(response)).toBe(expected)
  })

  it.each(['', 'no box', '\\boxed{open', 'boxed{x}', '\\boxed x'])('finds none in %j', (response) => {
    expect(lastBoxed(response)).toBeUndefined()
  })

  it('stays quick on thousands of open boxes', () => {
    const start = performance.now()
    expect(lastBoxed('\\boxed{'.repeat(60_000))).toBeUndefined()
    expect(lastBoxed('\\boxed{'.repeat(60_000) + '}'.repeat(60_000))).toBe('')
    expect(lastBoxed(`${'\\boxed{'.repeat(60_000)}\\text{}${'}'.repeat(60_000)}`)).toBe('')
    expect(parseAnswer('\\boxed{'.repeat(60_000)).source).toBe('open-box')
    expect(parseAnswer(`\\boxed{${'\\text{'.repeat(20_000)}x${'}'.repeat(20_001)}`).source).toBe('box')
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('finds the boxes whose own braces are balanced', () => {
    const part = fc.constantFrom('\\boxed{', '\\fbox {', '{', '}', '\\', 'a')
    fc.assert(
      fc.property(fc.array(part, { maxLength: 16 }), (parts) => {
        const response = parts.join('')
        const contents = [...response.matchAll(/\\(?:boxed|fbox)\s*\{/g)].flatMap(({ index, 0: start }) => {
          const content = balanced(response.slice(index + start.length))
          return content === undefined ? [] : [content.trim()]
        })
        const says = (content: string) => content.replace(/\\(?:boxed|fbox)\s*\{|[{}\s]/g, '') !== ''
        const wanted = contents.findLast(says)
        expect(lastBoxed(response)).toBe(wanted ?? (contents.length > 0 ? '' : undefined))
      }),
      { numRuns: 2000 },
    )
  })
})

describe('boxedTexts', () => {
  it.each([
    ['1. \\boxed{Ann Hale} 2. \\boxed{Karl Mott}', ['Ann Hale', 'Karl Mott']],
    ['\\boxed{\\boxed{Ann Hale}, \\boxed{\\text{Karl Mott}}}', ['Ann Hale', 'Karl Mott']],
    ['\\boxed{Ann}: "ANN." in \\boxed{\\text{ANN.}}, not in \\boxed{}', ['Ann']],
    ['\\boxed{7}, no, \\boxed{8}, no, \\boxed{7}', ['8', '7']],
    ['\\boxed{outer \\boxed{inner}}', ['inner']],
    ['\\boxed{}', []],
    ['none', []],
  ])('are, in %j, %j', (response, texts) => {
    expect(boxedTexts(response)).toEqual(texts)
  })

  it('stay quick on thousands of boxes', () => {
    const start = performance.now()
    expect(boxedTexts('\\boxed{7} '.repeat(30_000))).toEqual(['7'])
    expect(boxedTexts(`${'\\boxed{'.repeat(30_000)}7${'}'.repeat(30_000)}`)).toEqual(['7'])
    expect(performance.now() - start).toBeLessThan(5000)
  })
})

describe('parseAnswer', () => {
  it.each([
    ['So: \\boxed{Paris}', { text: 'Paris', found: true, source: 'box' }],
    ['\\boxed{Paris, the capital of', { text: 'Paris, the capital of', found: true, source: 'open-box' }],
    [' Paris. ', { text: 'Paris.', found: true, source: 'response' }],
    ['\\boxed{not in the text}', { text: '', found: false, source: 'box' }],
    ['\\boxed{\\text{Not in the text.}}', { text: '', found: false, source: 'box' }],
    ['\\boxed{"not in  the text"}', { text: '', found: false, source: 'box' }],
    ['I am sorry, this is not in the text.', { text: '', found: false, source: 'response' }],
    ['**Not in the text.**', { text: '', found: false, source: 'response' }],
    [
      ' The keeper is Ann Hale. Her age is not in the text.',
      { text: 'The keeper is Ann Hale. Her age is not in the text.', found: true, source: 'response' },
    ],
    [
      '守護者はアンです。Her age is not in the text.',
      { text: '守護者はアンです。Her age is not in the text.', found: true, source: 'response' },
    ],
    ['\\boxed{}', { text: '', found: false, source: 'box' }],
    ['', { text: '', found: false, source: 'response' }],
  ])('reads %j', (response, expected) => {
    expect(parseAnswer(response)).toEqual(expected)
  })

  it.each([
    ['\\text{Anna Mott}', 'Anna Mott'],
    ['\\textbf{\\text{Anna}} \\text{Mott}', 'Anna Mott'],
    ['\\$5,000', '$5,000'],
    ['Fernandez \\& Mott', 'Fernandez & Mott'],
    ['50\\%', '50%'],
    ['blue\\_harbor-db', 'blue_harbor-db'],
    ['4{,}711\\,km', '4,711 km'],
    ['\\frac{1}{2}', '\\frac{1}{2}'],
    ['C:\\temp', 'C:\\temp'],
  ])('reads the LaTeX of a box, %j', (boxed, text) => {
    expect(parseAnswer(`\\boxed{${boxed}}`).text).toBe(text)
  })

  it('leaves text outside a box unchanged', () => {
    expect(parseAnswer('50\\%').text).toBe('50\\%')
  })

  it('accepts a boxed answer that mentions the phrase', () => {
    expect(parseAnswer('\\boxed{a treasure not in the text of the law}').found).toBe(true)
  })
})

it.each([
  'Answer:\nnot in the text',
  'The answer is:\n\nNot in the text.',
  '1. Not in the text.',
  "Dr. Mott's code is not in the text.",
  'The code of Mrs. Crane is not in the text.',
  'The U.S. code is not in the text.',
  'Sorry! It is not in the text.',
  'I read all. The answer is not in the text.',
  'Not in the text. It does not say.',
  'The answer is not in the text.\n\n---',
])('is no answer, whatever stands about it without naming anything: %j', (text) => {
  expect(parseAnswer(text)).toMatchObject({ found: false, text: '' })
})
