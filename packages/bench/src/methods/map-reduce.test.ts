import { describe, expect, it } from 'vitest'
import {
  asksForAnswer,
  compactPrompts,
  fact,
  profiles,
  promptOf,
  question,
  type Rehearsal,
  rehearse,
  textWith,
  value,
} from '../testing/rehearsal.ts'
import { nothingPhrase } from './prompts.ts'
import { createMethod } from './registry.ts'

const [instructed, compact] = profiles
const text = textWith(2500, fact, 0.5)

async function run(more: Partial<Rehearsal> = {}, spec = 'map-reduce') {
  const started = rehearse({ method: await createMethod(spec), profile: instructed!, text, ...more })
  const result = await started.result
  return { result, prompts: started.model.calls.map(promptOf) }
}
const isMerge = (prompt: string) => prompt.includes('Please merge them')
const isNote = (prompt: string) => prompt.includes('Please note')

it('reads every chunk without any other, and answers from the notes', async () => {
  const { result, prompts } = await run()
  const notes = prompts.filter(isNote)
  expect(notes).toHaveLength(result.steps)
  for (let i = 0; text.includes(`q${i}z`); i++) {
    expect(notes.filter((prompt) => prompt.includes(`q${i}z`))).toHaveLength(1)
  }
  expect(prompts.at(-1)).toContain(`<section>\n${value}\n</section>`)
  expect(prompts).toHaveLength(result.steps + 1)
})

it('stays within the requested concurrency', async () => {
  for (const [spec, wanted] of [
    ['map-reduce:concurrency=3', 3],
    ['map-reduce', 8],
  ] as const) {
    let [underWay, most] = [0, 0]
    const respond = async () => {
      most = Math.max(most, ++underWay)
      await new Promise((resolve) => setTimeout(resolve, 2))
      underWay--
      return 'a note'
    }
    await run({ respond }, spec)
    expect(most).toBe(wanted)
  }
})

describe('notes', () => {
  it('that do not fit one prompt are merged group by group, level by level, in their order', async () => {
    const { prompts, result } = await run({
      text: textWith(15_000, fact, 0.5),
      respond: ({ index, ...call }) =>
        asksForAnswer(promptOf(call), instructed!)
          ? '\\boxed{done}'
          : `${isMerge(promptOf(call)) ? 'Merged' : 'Note'} ${index} ${'on and on '.repeat(15)}end.`,
    })
    expect(result.answer.text).toBe('done')
    const merges = prompts.filter(isMerge)
    expect(merges.length).toBeGreaterThan(4)
    const merged = merges.map((prompt) =>
      [...prompt.matchAll(/(Note|Merged) (\d+)/g)].map((match) => match[0]),
    )
    expect(merged.flat().filter((one) => one.startsWith('Note'))).toEqual(
      Array.from({ length: result.steps }, (_, i) => `Note ${i}`),
    )
    expect(merged.every((group) => group.length >= 2)).toBe(true)
    expect(merged.some((group) => group.some((one) => one.startsWith('Merged')))).toBe(true)
    expect(prompts.at(-1)).toContain('Merged')
  })

  it('are not lost to an empty merge', async () => {
    for (const unusable of ['', nothingPhrase]) {
      const { prompts } = await run({
        respond: ({ index, ...call }) =>
          isMerge(promptOf(call)) ? unusable : `Note ${index} ${'on and on '.repeat(15)}`,
      })
      expect(prompts.some(isMerge)).toBe(true)
      expect(prompts.at(-1)).toContain('Note 0')
    }
  })

  it('that are equal count once', async () => {
    const { prompts } = await run({ respond: () => 'The same in every chunk.' })
    expect(prompts.at(-1)?.match(/The same in every chunk\./g)).toHaveLength(1)
    expect(prompts.some(isMerge)).toBe(false)
  })

  it('of nothing, and refusals, are none, without a call; but a refusal does not say that nothing is there', async () => {
    const nothing = { text: '', outcome: 'not-found' } as const
    const refusal = { text: 'No.', finishReason: { unified: 'refusal', raw: undefined } } as const
    for (const [reply, answer] of [
      ['Nothing relevant.', nothing],
      [refusal, { text: '', outcome: 'unsure', isUnusable: true }],
      ["I'm sorry, I can't help with that.", { text: '', outcome: 'unsure', isUnusable: true }],
    ] as const) {
      const { result, prompts } = await run({ respond: () => reply })
      expect(result.answer).toEqual(answer)
      expect(prompts).toHaveLength(result.steps)
    }
    const { result } = await run({ respond: ({ index }) => (index === 0 ? refusal : 'Nothing relevant.') })
    expect(result.answer).toEqual({ text: '', outcome: 'unsure' })
  })
})

it('asks a small model in its own prompts alone', async () => {
  const { result, prompts } = await run({ profile: compact! })
  expect(result.answer.text).toBe(value)
  const sections = prompts.slice(0, -1).map((prompt) => /<section>(.*)<\/section>/s.exec(prompt)![1]!)
  expect(sections.toSorted((a, b) => text.indexOf(a) - text.indexOf(b)).join('')).toBe(text)
  expect(prompts).toEqual(
    [
      ...sections.map((section) =>
        compactPrompts.messages('update', { question, memory: 'nothing yet', section }),
      ),
      compactPrompts.messages('answer', { question, memory: value }),
    ].map((messages) => promptOf({ messages })),
  )
})

it('rejects a window without room for two notes', async () => {
  const narrow = { ...compact!, budget: { ...compact!.budget, chunk: 60 } }
  const respond = ({ index }: { readonly index: number }) => `Note ${index} ${'on and on '.repeat(20)}`
  await expect(run({ profile: narrow, respond })).rejects.toMatchObject({ code: 'method/window-too-small' })
})
