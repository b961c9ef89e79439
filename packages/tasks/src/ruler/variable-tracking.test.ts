import { describe, expect, it } from 'vitest'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { textOf } from '../testing/task-contract.ts'
import { rulerTask } from './ruler-task.ts'
import { createVariableTracking } from './variable-tracking.ts'

const request = { seed: 2, lengthTokens: 4096, countTokens }
const task = await rulerTask('variable-tracking').create({})

/** Runs the assignments of a text from top to bottom. */
function runAssignments(text: string): Map<string, string> {
  const values = new Map<string, string>()
  for (const [, name, source, value] of text.matchAll(/^VAR (\w+) = (?:VAR (\w+)|(\d+)) ?$/gm)) {
    values.set(name!, value ?? values.get(source!)!)
  }
  return values
}

describe('variable tracking', () => {
  it('has the answer that results from running the assignments', async () => {
    for (let index = 0; index < 40; index += 1) {
      const sample = await task.sample({ ...request, index })
      const asked = /\d{5}/.exec(sample.question)![0]
      const values = runAssignments(await textOf(sample))
      const having = [...values].filter(([, value]) => value === asked).map(([name]) => name)
      expect(having).toEqual(sample.references)
      expect(having.length).toBe(5)
    }
  })

  it('asks as RULER does, without explaining how values are passed along', async () => {
    const { question, query } = await task.sample({ ...request, index: 0 })
    expect(question).toMatch(/^Find all variables that are assigned the value \d{5} in the text\.$/)
    expect(query).toBe(question.slice('Find all '.length, -' in the text.'.length))
    expect(task.deviations).toContainEqual(expect.stringMatching(/how many variables/))
  })

  it('writes assignments as RULER does, on lines among noise', async () => {
    const lines = (await textOf(await task.sample({ ...request, index: 0 }))).split('\n')
    const noise = 'The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again.'
    const statements = lines.filter((line) => line !== noise)
    expect(statements[0]).toMatch(/^VAR [A-Z]{5} = [1-9]\d{4}$/)
    for (const statement of statements.slice(1)) {
      expect(statement).toMatch(/^VAR [A-Z]{5} = VAR [A-Z]{5} $/)
    }
    expect(statements.length).toBe(5)
    expect(lines.at(-1)).toBe(noise)
  })

  it('distinguishes several chains', async () => {
    const several = createVariableTracking('several', { chains: 3, hops: 2 })
    for (let index = 0; index < 20; index += 1) {
      const sample = await several.sample({ ...request, index })
      const values = runAssignments(await textOf(sample))
      expect(values.size).toBe(9)
      const asked = /\d{5}/.exec(sample.question)![0]
      expect([...values].filter(([, value]) => value === asked).map(([name]) => name)).toEqual(
        sample.references,
      )
    }
  })

  it('gives the share of the variables found', async () => {
    const sample = await task.sample({ ...request, index: 0 })
    const three = sample.references.slice(0, 3).join(', ')
    expect(task.score(sample, three)).toEqual({ ruler: 0.6, strict: 0.6, lenient: 0.6 })
  })
})
