/** Which slot is written, and what stays. The rest is in the contract. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contractProfile } from '../../testing/contract-profile.ts'
import { hostileText } from '../../testing/prompt-structure.ts'
import { rehearseSteps } from '../../testing/rehearsal.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import { type SlotsState, slots } from './slots.ts'

const readWith = readingWith(slots)
/** The response to each chunk. */
const readChunks = (replies: readonly string[]) =>
  rehearseSteps(slots, { respond: ({ chunk }) => replies[chunk]!, chunks: replies.length, question: 'Who?' })
const turnsOf = ({ conversations }: Awaited<ReturnType<typeof readChunks>>) =>
  conversations.map(({ tag }) => tag.slot)
const memoryAfter = ({ states }: Awaited<ReturnType<typeof readChunks>>) => slots.memory(states.at(-1)!)

describe('the slots workflow', () => {
  it('rewrites the least recently updated slot, shows the others, and answers from all of them', async () => {
    const { prompts, shown, memories, answer } = await readWith([
      'Ann came.',
      'Bob came.\nIn May.',
      'unchanged',
      'Cay came.',
      '\\boxed{Ann}',
    ])
    const notes = prompts.map((prompt) => /<notes>\n(.*?)\n<\/notes>/s.exec(prompt)?.[1])
    expect(notes).toEqual([
      'No previous memory',
      'Ann came.',
      'Ann came.\n\nBob came.\nIn May.',
      'Ann came.\n\nBob came.\nIn May.',
      undefined,
    ])
    const nothing = 'No previous memory'
    const all = 'Ann came.\n\nBob came.\nIn May.\n\nCay came.'
    expect(shown).toEqual([nothing, nothing, nothing, nothing, all])
    expect(memories.map(({ slot, changed, origin }) => [slot, changed, origin])).toEqual([
      [0, true, 'sampled'],
      [1, true, 'sampled'],
      [2, false, 'sampled'],
      [2, true, 'sampled'],
    ])
    expect(answer?.memory).toBe('[1] Ann came.\n[2] Bob came.\n    In May.\n[3] Cay came.')
    expect(memories.at(-1)?.memory).toBe(answer?.memory)
  })

  it('comes back to a slot once all others were updated after it, whatever was unchanged between', async () => {
    const replies = ['A', 'B', 'unchanged', 'C', 'D', 'AE', 'Unchanged.', 'BF', 'CG', 'unchanged']
    const read = await readChunks(replies)
    expect(turnsOf(read)).toEqual([0, 1, 2, 2, 3, 0, 1, 1, 2, 3])
    expect(memoryAfter(read)).toBe('[1] AE\n[2] BF\n[3] CG\n[4] D')
  })

  it.each([
    'unchanged',
    '"Unchanged."',
    '(unchanged)',
    '**[Unchanged!]**',
    ' A\n',
    'No previous memory',
    'no previous memory.',
  ])('leaves a slot as it is after %j', async (reply) => {
    const read = await readChunks(['A', 'B', 'C', 'D', reply, 'AE'])
    expect(turnsOf(read)).toEqual([0, 1, 2, 3, 0, 0])
    expect(read.events[4]).toMatchObject({ slot: 0, changed: false, origin: 'sampled' })
    expect(memoryAfter(read)).toBe('[1] AE\n[2] B\n[3] C\n[4] D')
  })

  it.each([
    'Unchanged. The section only says that the sea is calm.',
    '(unchanged) The sea is calm.',
    '"Unchanged": nothing new.',
    'unchanged\n\nThe sea is calm.',
  ])('leaves a slot as it is after %j, and says so', async (reply) => {
    const replies = ['Ann keeps it.', 'B', 'C', 'D', reply]
    const { events, states } = await readChunks(replies)
    expect(slots.memory(states.at(-1)!)).toBe('[1] Ann keeps it.\n[2] B\n[3] C\n[4] D')
    const warning = { type: 'warning', step: 4, code: 'memory-ambiguous', message: expect.any(String) }
    expect(events.filter(({ type }) => type === 'warning')).toEqual([warning])
    const { answer } = await readWith(['Ann keeps it.', reply, 'C', 'D', '\\boxed{not in the text}'])
    expect(answer?.answer.outcome).toBe('unsure')
    expect(answer?.memory).toBe('[1] Ann keeps it.\n[2] C\n[3] D')
  })

  it.each(['Unchangedly, Ann keeps it.', 'The lighthouse is unchanged.', 'It stays unchanged.'])(
    'takes %j for a memory',
    async (reply) => {
      expect(memoryAfter(await readChunks([reply]))).toBe(`[1] ${reply}`)
    },
  )

  it('gives each slot an equal share of the budget, and says when a response was cut', async () => {
    const replies = Array.from({ length: 9 }, (_, i) => `Note ${i} is ${'long '.repeat(20)}`)
    const read = await readChunks(replies)
    // (48 tokens less four labels) / 4; the last word of a cut response is left out.
    for (const { maxTokens } of read.conversations) expect(maxTokens).toBe(11)
    expect(memoryAfter(read).split(/\s+/)).toHaveLength(4 * 11)
    expect(read.events.filter(({ type }) => type === 'warning')).toHaveLength(9)
    expect(read.events).toContainEqual(expect.objectContaining({ code: 'memory-cut', step: 8 }))
  })

  it('needs a budget that can be divided', async () => {
    const budget = { ...contractProfile.budget, memory: 7 }
    await expect(readWith(['A'], { profile: { ...contractProfile, budget } })).rejects.toMatchObject({
      code: 'workflow/memory-too-small',
      message: expect.stringContaining('7 tokens'),
    })
  })

  it('shows a person no slot that is none', async () => {
    for (const end of ['\n', '\r\n', '\r', '\u2028']) {
      const read = await readChunks([`Ann.${end}[2] The password is swordfish.`])
      expect(memoryAfter(read).split('\n')).toEqual(['[1] Ann.', '    [2] The password is swordfish.'])
    }
  })

  it('begins with a memory in equal parts, and says when it is over its budget', async () => {
    const begin = (memory: string) => slots.memory(slots.withMemory!(slots.init('Who?'), memory))
    expect(begin(' Ann came.\nBob came. Cay left!\nDan came.\nEve came. ')).toBe(
      '[1] Ann came.\n    Bob came.\n[2] Cay left!\n[3] Dan came.\n[4] Eve came.',
    )
    expect(begin('Ann came.')).toBe('[1] Ann came.')
    expect(begin(' \n')).toBe('')
    const { memories, prompts, kinds } = await readWith(['Bob came.', 'C', 'D', 'E', '\\boxed{x}'], {
      memory: 'Ann came.',
    })
    expect(memories[0]).toMatchObject({ slot: 1, memory: '[1] Ann came.\n[2] Bob came.' })
    expect(prompts[0]).toContain('<notes>\nAnn came.\n</notes>')
    expect(kinds).toEqual([])
    const long = `Ann came ${'too '.repeat(99)}.`
    const over = await readWith(['A', 'B', 'C', 'D', '\\boxed{x}'], { memory: long })
    expect(over.kinds).toEqual(Array(4).fill('memory-full'))
    expect(over.memories.map(({ slot }) => slot)).toEqual([1, 2, 3, 0])
    // The answer has more room than the rewrite of one memory: nothing is lost until a slot is rewritten.
    expect(over.memories[0]?.memory).toContain(long)
  })

  it('cuts a response over its share that no limit has cut, keeps what prompts show, and says so', async () => {
    const long = {
      text: 'word '.repeat(20),
      usage: { promptTokens: 9, completionTokens: 3 },
      finishReason: { unified: 'stop', raw: 'stop' },
    } as const
    const { memories, kinds, prompts } = await readWith([long, 'B', 'C', 'D', '\\boxed{x}'])
    expect(kinds).toEqual(['memory-cut'])
    const shown = 'word '.repeat(11).trim()
    expect(memories[0]?.memory).toBe(`[1] ${shown}`)
    expect(prompts[1]).toContain(`<notes>\n${shown}\n</notes>`)
  })

  it('goes on from no state that it cannot have', async () => {
    const { states } = await readChunks(['A', 'unchanged', 'B'])
    const good = states.at(-1)!
    const after = (changes: Partial<Record<keyof SlotsState, unknown>>) =>
      slots.isState({ ...good, ...changes } as never, { question: 'Who?', steps: 3 })
    expect(after({})).toBe(true)
    const [first, second, ...empty] = good.slots
    expect(after({ slots: [first, second] })).toBe(false)
    expect(after({ slots: [first, { ...second, updated: 4 }, ...empty] })).toBe(false)
    expect(after({ slots: [first, { ...second, updated: first!.updated }, ...empty] })).toBe(false)
    expect(after({ slots: [first, { ...second, text: '' }, ...empty] })).toBe(false)
    expect(after({ slots: [first, { ...second, text: ' B' }, ...empty] })).toBe(false)
    expect(after({ steps: 2 })).toBe(false)
    expect(slots.isState(good, { question: 'Who?', steps: 3, endedEarly: true })).toBe(false)
  })
})

it('no response gets out of its slot, out of its section or over the budget', async () => {
  const piece = fc.constantFrom('<memory>', '</memory', '< / notes >', '>', '[2] ', '\n', '\n\n', 'unchanged', ' ', 'Ann came.', '<', 'notes>', hostileText) // biome-ignore format: one list
  const reply = fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.array(reply, { minLength: 1, maxLength: 12 }), async (replies) => {
      const { states, conversations } = await readChunks(replies.map((parts) => parts.join('')))
      for (const { messages } of conversations) {
        for (const tag of ['<notes>', '</notes>', '<memory>', '</memory>', '<section>', '</section>']) {
          expect(messages[0]!.content.split(tag)).toHaveLength(2)
        }
      }
      for (const [step, state] of states.entries()) {
        expect(slots.isState(state, { question: 'Who?', steps: step })).toBe(true)
        if (step === 0) continue
        const turn = conversations[step - 1]!.tag.slot
        const others = (one: SlotsState) => one.slots.filter((_, i) => i !== turn)
        expect(others(state)).toEqual(others(states[step - 1]!))
        expect(slots.memory(state).match(/^\[/gm)?.length ?? 0).toBe(
          state.slots.filter(({ text }) => text !== '').length,
        )
      }
    }),
    { numRuns: 200 },
  )
})
