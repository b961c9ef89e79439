import { describe, expect, it } from 'vitest'
import { fact, profiles, promptOf, type Rehearsal, rehearse, textWith } from '../testing/rehearsal.ts'
import { createMethod } from './registry.ts'

const [instructed] = profiles
const text = textWith(800, fact, 0.5)

async function run(more: Partial<Rehearsal> = {}) {
  const started = rehearse({ method: await createMethod('refine'), profile: instructed!, text, ...more })
  const result = await started.result
  return { result, prompts: started.model.calls.map(promptOf) }
}
const partOf = (prompt: string, name: string) =>
  new RegExp(`<${name}>\\n?([\\s\\S]*?)\\n?</${name}>`).exec(prompt)?.[1]?.trim()

describe('a model that follows instructions', () => {
  it('answers from the first chunk, and refines with each further one; the last answer is the answer', async () => {
    const { result, prompts } = await run({ respond: ({ index }) => `Now it is \\boxed{answer ${index}}.` })
    expect(prompts).toHaveLength(result.steps)
    expect(result.steps).toBeGreaterThan(4)
    expect(prompts.map((prompt) => partOf(prompt, 'memory'))).toEqual(
      prompts.map((_, i) => (i === 0 ? undefined : `Now it is \\boxed{answer ${i - 1}}.`)),
    )
    expect(result.answer).toEqual({
      text: `answer ${result.steps - 1}`,
      outcome: 'found',
      response: `Now it is \\boxed{answer ${result.steps - 1}}.`,
      finishReason: { unified: 'stop', raw: undefined },
    })
    expect(result.trace.map(({ step }) => step)).toEqual(prompts.map((_, i) => i))
  })

  it('keeps its answer after an empty response or a refusal', async () => {
    const refusal = { text: 'No.', finishReason: { unified: 'refusal', raw: undefined } } as const
    for (const unusable of ['', ' \n', refusal]) {
      const { result } = await run({ respond: ({ index }) => (index === 1 ? '\\boxed{kept}' : unusable) })
      expect(result.answer.text).toBe('kept')
      expect(result.trace).toHaveLength(1)
    }
  })

  it('may take an answer back', async () => {
    const { result } = await run({
      respond: ({ index }) => (index === 0 ? '\\boxed{early}' : '\\boxed{not in the text}'),
    })
    expect(result.answer.outcome).toBe('not-found')
  })

  it('starts from earlier notes as its first answer', async () => {
    const { prompts } = await run({ request: { memory: 'It was noted.' } })
    expect(partOf(prompts[0]!, 'section')).toBe('It was noted.')
    expect(partOf(prompts[1]!, 'memory')).toBe('\\boxed{not in the text}')
  })
})
