/**
 * When a memory grows and shrinks. A reading never exceeds its window, and the result is the same after a stop and when reading
 * ahead.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScriptedModel } from '../chat/scripted.ts'
import { createStreamDocument, createTextDocument } from '../documents/text-document.ts'
import type { Tokenizer } from '../tokenizers/tokenizer.ts'
import { edits } from '../workflows/edits/edits.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { workflowNamed, workflowNames } from '../workflows/registry.ts'
import { skim } from '../workflows/skim/skim.ts'
import { carefulReply, gateAnswer, gateFact, gateQuestion } from '../workflows/testing/careful-model.ts'
import type { Workflow } from '../workflows/workflow.ts'
import { AdaptiveMemory, adaptiveBudgets, isMemorySize } from './adaptive-memory.ts'
import { type Checkpoint, createMemoryCheckpointStore } from './checkpoint.ts'
import type { ReadingEvent } from './events.ts'
import type { ReadingOptions } from './options.ts'
import { readDocument } from './reader.ts'

const paper = { window: 8192, question: 1024, chunk: 5000, memory: 1024, output: 1024 }
/** Each memory is read and written once; instructions take 300. */
const chunkBeside = (memory: number) => 8192 - 300 - 2 * memory

describe('the budgets', () => {
  it('double the memory while the window has room for a quarter of the chunk', () => {
    const budgets = adaptiveBudgets(paper, chunkBeside, false)
    expect(budgets.map(({ memory, chunk }) => [memory, chunk])).toEqual([
      [1024, 5000],
      [2048, 3796],
    ])
    expect(budgets[1]).toMatchObject({ window: 8192, question: 1024, output: 1024 })
  })

  it('are one where the window has no room', () => {
    expect(adaptiveBudgets(paper, () => 0, false)).toEqual([paper])
  })

  it('have chunks of one size for a workflow that goes back to them', () => {
    expect(adaptiveBudgets(paper, chunkBeside, true).map(({ chunk }) => chunk)).toEqual([3796, 3796])
  })
})

describe('a memory', () => {
  const budgets = adaptiveBudgets({ ...paper, memory: 256 }, chunkBeside, false)
  const after = (...tokens: readonly number[]) => {
    const memory = new AdaptiveMemory(budgets)
    return tokens.map((size) => (memory.observe(size) ? memory.budget.memory : undefined))
  }
  const times = (count: number, tokens: number): number[] => Array.from({ length: count }, () => tokens)

  it('grows while more than three quarters are full, as far as it can', () => {
    expect(budgets.map(({ memory }) => memory)).toEqual([256, 512, 1024, 2048])
    expect(after(192, 193, 384, 385, 1000, 2048)).toEqual([undefined, 512, undefined, 1024, 2048, undefined])
  })

  it('shrinks after sixteen steps in a row with at most an eighth, and no further than it was', () => {
    expect(after(200, ...times(15, 64), 65, ...times(16, 64)).filter(Boolean)).toEqual([512, 256])
    expect(after(200, ...times(16, 0))[16]).toBe(256)
    expect(after(...times(100, 0)).every((change) => change === undefined)).toBe(true)
  })

  it('that grew beside another window has the smallest size that holds as much, or the largest', () => {
    const sizeAfter = (memory: number) => new AdaptiveMemory(budgets, { memory, emptySteps: 9 }).size
    expect(sizeAfter(500)).toEqual({ memory: 512, emptySteps: 0 })
    expect(sizeAfter(512)).toEqual({ memory: 512, emptySteps: 9 })
    expect(sizeAfter(100)).toEqual({ memory: 256, emptySteps: 0 })
    expect(sizeAfter(9000)).toEqual({ memory: 2048, emptySteps: 0 })
  })

  it('goes on from where it was, at any step', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2500), { maxLength: 60 }), fc.nat(60), (tokens, stop) => {
        const whole = new AdaptiveMemory(budgets)
        let resumed = new AdaptiveMemory(budgets)
        for (const [step, size] of tokens.entries()) {
          if (step === stop) resumed = new AdaptiveMemory(budgets, JSON.parse(JSON.stringify(resumed.size)))
          expect(resumed.observe(size)).toBe(whole.observe(size))
          expect(resumed.size).toEqual(whole.size)
          expect(isMemorySize(whole.size, budgets)).toBe(true)
          expect(budgets).toContain(whole.budget)
        }
      }),
    )
  })

  it('has no size that it cannot come to', () => {
    expect(isMemorySize({ memory: 512, emptySteps: 15 }, budgets)).toBe(true)
    expect(isMemorySize({ memory: 512, emptySteps: 16 }, budgets)).toBe(false)
    expect(isMemorySize({ memory: 500, emptySteps: 0 }, budgets)).toBe(false)
    expect(isMemorySize({ memory: 256, emptySteps: 1 }, budgets)).toBe(false)
  })
})

const tokenizer: Tokenizer = {
  name: 'words',
  isExact: true,
  count: (text) => text.match(/\S+/g)?.length ?? 0,
}
const budget = { window: 420, question: 20, chunk: 80, memory: 16, output: 20 }
const profile = { name: 'adaptive', budget, adaptsMemory: true }
const textOf = (guests: number) =>
  Array.from({ length: guests }, (_, i) => `Guest ${i} came with gifts and left again.`).join(' ')
const text = textOf(260)
const words = (count: number, of: string) => Array.from({ length: count }, (_, i) => `${of}${i}`).join(' ')

interface Reading extends Partial<ReadingOptions> {
  /** Words of the memory after a section, from the section and the room in the memory. */
  readonly wants: (section: string, room: number) => number
}

async function readAdaptively({ wants, ...more }: Reading) {
  const sections: number[] = []
  const model = createScriptedModel(
    ({ messages, options }) => {
      const prompt = messages[0]!.content
      const section = /<section>\n(.*)\n<\/section>/s.exec(prompt)?.[1]
      if (section === undefined) return '\\boxed{x}'
      sections.push(tokenizer.count(section) as number)
      const count = Math.min(wants(section, options.maxTokens), options.maxTokens)
      return more.workflow?.name === 'edits' ? `+ ${words(Math.max(1, count), 'e')}` : words(count, 'w')
    },
    // Rejects prompts that do not fit, by an exact count.
    { contextWindow: budget.window, tokenizer, profile },
  )
  const events: ReadingEvent[] = []
  for await (const event of readDocument({
    question: 'Who came?',
    document: createTextDocument(text),
    workflow: overwrite as unknown as Workflow,
    acceptsSilence: true,
    model,
    now: () => 0,
    ...more,
  })) {
    events.push(event)
  }
  const changes = events.filter((event) => event.type === 'budget-change')
  return { events, changes, sections, end: events.at(-1)! }
}

/** Fills the room until the chunk with this guest, and almost nothing from then on. */
const fillingUntil = (guest: number) => (section: string, room: number) =>
  Number(/Guest (\d+)/.exec(section)?.[1] ?? guest) < guest ? room : 3

describe('a reading', () => {
  it('tells of every new size, cuts the next chunk for it, and answers with it', async () => {
    const long = textOf(700)
    const document = createTextDocument(long)
    const { events, changes, sections, end } = await readAdaptively({ wants: fillingUntil(60), document })
    const sizes = changes.map(({ memory }) => memory)
    expect(sizes.slice(0, 2)).toEqual([32, 64])
    expect(sizes).toContain(16)
    const chunks = events.filter((event) => event.type === 'chunk-end')
    for (const [i, { step, chunk }] of changes.entries()) {
      const next = chunks.filter((event) => event.step > step && event.step <= (changes[i + 1]?.step ?? 1e9))
      for (const { tokens } of next) expect(tokens).toBeLessThanOrEqual(chunk)
    }
    const ordinals = chunks.map(({ step }) => step)
    expect(ordinals).toEqual(ordinals.map((_, i) => i))
    // All of the text was read, once.
    expect(end).toMatchObject({ type: 'answer', unread: undefined, usage: { bytes: long.length } })
    expect(Math.max(...sections)).toBeLessThanOrEqual(80)
    expect(events.filter(({ type }) => type === 'warning')).toEqual([])
  })

  // Not `slots`: a fact is longer than one of four slots of a memory that three facts fill.
  it.each(workflowNames.filter((name) => name !== 'slots'))(
    'with %s answers from what fills the memory',
    async (name) => {
      const model = createScriptedModel(({ messages }) => carefulReply(name, messages.at(-1)!.content), {
        contextWindow: 900,
        tokenizer,
        profile: { ...profile, budget: { window: 900, question: 80, chunk: 60, memory: 26, output: 60 } },
      })
      const gates = ['amber', 'cedar', 'flint']
      const parts = gates.map((word, i) => `${gateFact(i + 1, word)} ${textOf(20)}`)
      const events: ReadingEvent[] = []
      const document = createTextDocument(parts.join(' '))
      for await (const event of readDocument({
        question: gateQuestion,
        document,
        model,
        workflow: await workflowNamed(name),
      })) {
        events.push(event)
      }
      const codes = events.flatMap((event) => (event.type === 'warning' ? [event.code] : []))
      expect(codes).toEqual(name === 'gated-exit' ? ['ended-early'] : [])
      expect(events.find(({ type }) => type === 'budget-change')).toMatchObject({ memory: 52 })
      expect(events.at(-1)).toMatchObject({ answer: { text: gateAnswer(gates), outcome: 'found' } })
    },
  )

  it('of a workflow that looks through the text more than once has chunks of one size', async () => {
    const workflow = skim as unknown as Workflow
    const { changes, end } = await readAdaptively({ wants: (_, room) => room, workflow })
    expect(changes.length).toBeGreaterThan(0)
    expect(new Set(changes.map(({ chunk }) => chunk)).size).toBe(1)
    expect(end).toMatchObject({ type: 'answer', answer: { outcome: 'found' } })
  })

  it('needs a text that can be opened again, and a checkpoint of its own kind', async () => {
    const bytes = new TextEncoder().encode(text)
    const document = createStreamDocument(
      (async function* () {
        yield bytes
      })(),
      'standard input',
    )
    await expect(readAdaptively({ wants: () => 3, document })).rejects.toMatchObject({
      code: 'reading/read-once',
    })
    const checkpoints = createMemoryCheckpointStore()
    let steps = 0
    const stopping = (_: string, room: number) => {
      if (++steps === 6) throw new Error('stopped')
      return room
    }
    await expect(readAdaptively({ wants: stopping, checkpoints })).rejects.toThrow('stopped')
    const another = { wants: () => 3, checkpoints, profile: { ...profile, adaptsMemory: false } }
    await expect(readAdaptively(another)).rejects.toMatchObject({ code: 'checkpoint/of-another-run' })
    for (const memorySize of [undefined, { memory: 17, emptySteps: 0 }]) {
      const saved = { ...(await checkpoints.load())!, memorySize } as Checkpoint
      const damaged = { ...checkpoints, load: async () => saved }
      await expect(readAdaptively({ wants: () => 3, checkpoints: damaged })).rejects.toMatchObject({
        code: 'checkpoint/damaged',
      })
    }
  })

  it('with memories of any sizes stays within its window, and is the same after any kill and read ahead', async () => {
    const recipe = fc.record({
      sizes: fc.array(fc.nat(80), { minLength: 4, maxLength: 40 }),
      killAt: fc.nat(40),
      ahead: fc.integer({ min: 1, max: 6 }),
      workflow: fc.constantFrom<unknown>(overwrite, edits, skim),
    })
    await fc.assert(
      fc.asyncProperty(recipe, async ({ sizes, killAt, ahead, ...rest }) => {
        const workflow = rest.workflow as unknown as Workflow
        // Depends on the section only, so a repeated call gets the same reply.
        const wants = (section: string) => sizes[Number(/\d+/.exec(section)?.[0] ?? 0) % sizes.length]!
        const whole = await readAdaptively({ wants, workflow })
        for (const { memory, chunk } of whole.changes) {
          expect(chunk).toBeGreaterThanOrEqual(20)
          expect(memory % 16).toBe(0)
        }
        const checkpoints = createMemoryCheckpointStore()
        let calls = 0
        const killed = (section: string) => {
          if (calls++ === killAt) throw new Error('killed')
          return wants(section)
        }
        const options = { workflow, checkpoints, ahead, replays: true }
        await readAdaptively({ ...options, wants: killed }).catch(() => undefined)
        const resumed = await readAdaptively({ ...options, wants })
        expect(resumed.changes).toEqual(whole.changes)
        expect(outcomeOf(resumed.end)).toEqual(outcomeOf(whole.end))
        const straight = await readAdaptively({ wants, workflow, ahead })
        expect(straight.changes).toEqual(whole.changes)
        expect(outcomeOf(straight.end)).toEqual(outcomeOf(whole.end))
      }),
      { numRuns: 40 },
    )
  })
})

/** Leaves out what differs with repeated and wasted calls. */
function outcomeOf(event: ReadingEvent) {
  if (event.type !== 'answer') return event
  const { chunkTokens, bytes, keptMemories } = event.usage
  return { ...event, usage: { chunkTokens, bytes, keptMemories } }
}
