import { describe, expect, it } from 'vitest'
import { createRandom } from '../random.ts'
import { createFact } from './facts.ts'
import { loosen, loosenQuestion } from './loose-statement.ts'

const words = [...'abcdefgh'].map((letter) => `${letter}word`)

describe('loosen', () => {
  it('keeps value and subject and changes most other words, for hundreds of facts', () => {
    const random = createRandom(5)
    let changed = 0
    for (let i = 0; i < 400; i++) {
      const fact = createFact(random, { split: 'train', templates: 'train' })
      const loose = loosen(fact, words, random)
      const { statement, valueStart, value } = loose
      expect(statement.slice(valueStart, valueStart + value.length)).toBe(fact.value)
      expect(statement).toBe(statement.trim())
      const bare = fact.subject.replace(/^the /, '').toLowerCase()
      const isSlug = !fact.statement.toLowerCase().includes(bare)
      if (!isSlug) expect(statement.toLowerCase()).toContain(bare)
      if (statement !== fact.statement) changed++
    }
    expect(changed).toBeGreaterThan(320)
  })
})

describe('loosenQuestion', () => {
  it('keeps the subject', () => {
    const random = createRandom(6)
    for (let i = 0; i < 200; i++) {
      const fact = createFact(random, { split: 'train', templates: 'train' })
      const question = fact.question(random).text
      const bare = fact.subject.replace(/^the /, '')
      if (!question.includes(bare)) continue
      expect(loosenQuestion(question, fact.subject, words, random)).toContain(bare)
    }
  })
})
