import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEstimateTokenizer } from './estimate.ts'

describe('estimates', () => {
  const tokenizer = createEstimateTokenizer()

  it('are labelled as such', () => {
    expect(tokenizer.isExact).toBe(false)
    expect(tokenizer.name).toContain('estimate')
    expect(tokenizer.encode).toBeUndefined()
  })

  it('weight punctuation twice as much as letters, and count other scripts by the character', () => {
    expect(tokenizer.count('')).toBe(0)
    expect(tokenizer.count('abcdefg')).toBe(2)
    expect(tokenizer.count('1234567')).toBe(4)
    expect(tokenizer.count('你好世界')).toBe(4)
    expect(createEstimateTokenizer({ charactersPerToken: 7 }).count('abcdefg')).toBe(1)
  })

  // Counted with o200k_base.
  it.each([
    [
      'Greek',
      71,
      'Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. Είναι προικισμένοι με λογική και συνείδηση, και οφείλουν να συμπεριφέρονται μεταξύ τους με πνεύμα αδελφοσύνης.',
    ],
    [
      'Ukrainian',
      65,
      'Всі люди народжуються вільними і рівними у своїй гідності та правах. Вони наділені розумом і совістю і повинні діяти у відношенні один до одного в дусі братерства. Її їжа є на кухні.',
    ],
    [
      'Kazakh',
      66,
      'Барлық адамдар тумысынан азат және қадір-қасиеті мен құқықтары тең болып дүниеге келеді. Адамдарға ақыл-парасат, ар-ождан берілген, сондықтан олар бір-бірімен туыстық, бауырмалдық қарым-қатынас жасаулары тиіс.',
    ],
    [
      'Czech',
      50,
      'Všichni lidé rodí se svobodní a sobě rovní co do důstojnosti a práv. Jsou nadáni rozumem a svědomím a mají spolu jednat v duchu bratrství.',
    ],
    [
      'Amharic',
      187,
      'የሰው ልጅ ሁሉ ሲወለድ ነጻና በክብርና በመብትም እኩልነት ያለው ነው። የተፈጥሮ ማስተዋልና ሕሊና ስላለው አንዱ ሌላውን በወንድማማችነት መንፈስ መመልከት ይገባዋል።',
    ],
  ])('are on the safe side for %s', (_, tokens, text) => {
    expect(tokenizer.count(text)).toBeGreaterThanOrEqual(tokens)
  })

  it('never shrink when text is appended, and are about the sum of their parts', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (a, b) => {
          const [whole, first, second] = [a + b, a, b].map((text) => tokenizer.count(text) as number)
          expect(whole).toBeGreaterThanOrEqual(first!)
          expect(Math.abs(whole! - first! - second!)).toBeLessThanOrEqual(1)
        },
      ),
    )
  })
})
