import { createFact, createRandom } from '@memagent/tasks'
import { expect, it } from 'vitest'
import { loadProse } from './prose-passages.ts'
import { withStrangeValue } from './strange-value.ts'

const prose = loadProse([
  'The harbour was quiet that morning. Nobody had expected snow in April.\n'.repeat(900),
])

it('gives a fact a new value, in its statement too, that no two draws share', () => {
  const values = new Set<string>()
  for (let seed = 0; seed < 200; seed++) {
    const fact = createFact(createRandom('fact', seed), { split: 'train', templates: 'train' })
    const strange = withStrangeValue(fact, prose, createRandom(seed))
    const { statement, value, valueStart } = strange
    expect(statement.slice(valueStart, valueStart + value.length)).toBe(value)
    expect(statement.slice(0, valueStart)).toBe(fact.statement.slice(0, fact.valueStart))
    expect(statement.slice(valueStart + value.length)).toBe(
      fact.statement.slice(fact.valueStart + fact.value.length),
    )
    expect(value.trim()).toBe(value)
    expect(value).not.toBe('')
    expect(strange.subject).toBe(fact.subject)
    values.add(value)
  }
  expect(values.size).toBeGreaterThan(190)
})
