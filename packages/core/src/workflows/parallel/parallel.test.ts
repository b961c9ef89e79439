/** Passes, reports and merges. Grammar and grouping have test files of their own; the rest is in the contract. */
import { describe, expect, it } from 'vitest'
import { createTextDocument } from '../../documents/text-document.ts'
import { createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import {
  contractText,
  outcomeOf,
  type RehearsedCall,
  rehearse,
  rehearseSteps,
} from '../../testing/rehearsal.ts'
import { readingWith } from '../testing/scripted-reading.ts'
import type { Json, Workflow } from '../workflow.ts'
import { parallel } from './parallel.ts'
import { mostMerges, noteTokens } from './parallel-notes.ts'
import type { ParallelState } from './parallel-state.ts'

const readWith = readingWith(parallel)
/** Replies keyed by their conversation, such as `report 0/2` for the third chunk of the first pass. */
const byPlace =
  (replies: Readonly<Record<string, string>>, otherwise = 'no') =>
  ({ conversation: { tag } }: RehearsedCall) =>
    tag.kind === 'answer' ? '\\boxed{x}' : (replies[`${tag.kind} ${tag.pass}/${tag.step}`] ?? otherwise)
const rehearsal = (respond: (call: RehearsedCall) => string, more: object = {}) =>
  rehearse({ workflow: parallel as unknown as Workflow, respond, ...more })
type Read = Awaited<ReturnType<typeof rehearsal>>
const memoriesOf = ({ events }: Read) => events.filter((event) => event.type === 'memory-end')
const warningsOf = ({ events }: Read) => events.filter((event) => event.type === 'warning')
const kindsOf = ({ conversations }: Read) => conversations.map(({ tag }) => tag.kind)
const promptsOf = ({ conversations }: Read) => conversations.map(({ messages }) => messages[0]!.content)
const between = (tag: string, prompt: string) =>
  new RegExp(`<${tag}>\\n(.*?)\\n</${tag}>`, 's').exec(prompt)?.[1]

describe('the parallel workflow', () => {
  it('reads all chunks against one memory, merges what is new in their order, and stops when nothing is', async () => {
    const read = await rehearsal(
      byPlace({
        'report 0/2': 'yes\nBob came.',
        'report 0/0': 'yes\nAnn came.',
        'merge 0/0': 'Ann and Bob came.',
        'report 1/1': 'yes\nThe friend of Ann left.',
        'merge 1/1': 'Ann and Bob came; a friend left.',
      }),
    )
    const chunks = read.events.filter(({ type }) => type === 'chunk-end').length / 3
    const reports = Array(chunks).fill('report')
    expect(kindsOf(read)).toEqual([...reports, 'merge', ...reports, 'merge', ...reports, 'answer'])
    const prompts = promptsOf(read)
    const shown = (from: number) =>
      new Set(prompts.slice(from, from + chunks).map((p) => between('memory', p)))
    expect(shown(0)).toEqual(new Set(['No previous memory']))
    expect(shown(chunks + 1)).toEqual(new Set(['Ann and Bob came.']))
    expect(shown(2 * chunks + 2)).toEqual(new Set(['Ann and Bob came; a friend left.']))
    expect(between('reports', prompts[chunks]!)).toBe('Ann came.\n\nBob came.')
    expect(between('memory', prompts[2 * chunks + 1]!)).toBe('Ann and Bob came.')
    expect(between('reports', prompts[2 * chunks + 1]!)).toBe('The friend of Ann left.')
    expect(prompts.at(-1)).not.toContain('<section>')
    expect(memoriesOf(read).map(({ step, memory, origin }) => [step, memory, origin])).toEqual([
      [chunks - 1, 'Ann and Bob came.', 'sampled'],
      [chunks - 1, 'Ann and Bob came; a friend left.', 'sampled'],
    ])
    expect(read.outcome).toMatchObject({ answer: { text: 'x', outcome: 'found' }, steps: 3 * chunks })
    expect(warningsOf(read)).toEqual([])
  })

  it('takes three passes at most', async () => {
    const read = await rehearsal(byPlace({}, 'yes\nMore.'))
    expect(kindsOf(read).filter((kind) => kind === 'merge')).toHaveLength(3)
    expect(new Set(read.conversations.map(({ tag }) => tag.pass))).toEqual(new Set([0, 1, 2, undefined]))
  })

  it('asks for nothing of a text that can be read only once', async () => {
    const document = { ...createTextDocument('Ann came.'), name: 'standard input', isReopenable: false }
    await expect(readWith([], { document })).rejects.toMatchObject({
      code: 'reading/read-once',
      message: expect.stringContaining('up to 3 times, and standard input can be read only once'),
    })
  })

  it('reads chunk by chunk, too, where a program does', async () => {
    const { states, conversations } = await rehearseSteps(parallel, {
      respond: ({ chunk, conversation: { tag } }) =>
        tag.kind === 'merge' ? `M${chunk}` : chunk === 1 ? 'no' : `yes ${chunk}`,
      chunks: 3,
      question: 'Who?',
    })
    expect(conversations.map(({ tag }) => tag.kind)).toEqual(['report', 'merge', 'report', 'report', 'merge'])
    expect(states.map(({ memory }) => memory)).toEqual(['', 'M0', 'M0', 'M2'])
  })
})

const cut = { unified: 'length', raw: 'length' } as const
const filtered = { unified: 'refusal', raw: 'content_filter' } as const

describe('a report', () => {
  it.each([
    ['without a verdict', 'Ann came.', 'begins with neither'],
    ['with a "no" that says more', 'No, but Ann came.', 'says "no", and more'],
    ['that is empty', ' \n', 'is empty'],
    ['that is a refusal', "I'm sorry, but I can't help with that.", 'is a refusal'],
    ['that was refused', { text: 'yes\nAnn.', finishReason: filtered }, 'is a refusal'],
    ['that is a verdict cut by the limit', { text: 'no', finishReason: cut }, 'reached its token limit'],
  ])('%s is counted and told, and never read as "no"', async (_, reply, problem) => {
    const { answer, warnings, memories } = await readWith(['no', reply, 'no', 'no'])
    expect(warnings).toMatchObject([
      { code: 'report-malformed', step: 1, malformed: { step: 1, kind: 'report', pass: 0 } },
    ])
    expect(warnings[0]?.message).toContain(`the response ${problem}`)
    expect(memories).toMatchObject([{ step: 1, origin: 'kept', changed: false }])
    expect(answer?.answer.outcome).toBe('unsure')
    expect(answer?.usage.keptMemories).toBe(1)
    // One lost report does not put an answer that was found in doubt.
    const found = await readWith([
      'yes\nAnn.',
      reply,
      'no',
      'no',
      'Ann.',
      ...Array(4).fill('no'),
      '\\boxed{x}',
    ])
    expect(found.answer?.answer.outcome).toBe('found')
  })

  it('that reached its limit is taken up to its last sentence', async () => {
    const reply = { text: 'yes\nAnn came. Bob left. Then', finishReason: cut }
    const replies = ['no', reply, 'no', 'no', 'Ann came.', ...Array(4).fill('no'), '\\boxed{x}']
    const { prompts, kinds, answer } = await readWith(replies)
    expect(between('reports', prompts[4]!)).toBe('Ann came. Bob left.')
    expect(kinds).toEqual(['report-cut'])
    expect(answer?.answer.outcome).toBe('found')
  })
})

describe('merges', () => {
  const { budget } = contractProfile
  /** As long as a report may be, with its verdict. */
  const long = (name: string) => `${name} ${'long '.repeat(noteTokens(budget) - 2)}`.trim()

  it('are made in parts where the reports do not fit together', async () => {
    const read = await rehearsal(
      ({ conversation: { tag }, prompt }) => {
        if (tag.kind === 'answer') return '\\boxed{x}'
        if (tag.kind === 'report') return tag.pass === 0 ? `yes\n${long(`N${tag.step}`)}` : 'no'
        const names = between('reports', prompt)!
          .match(/N[\d-]+/g)!
          .join('-')
        return tag.slot === 0 ? names : long(names)
      },
      { text: contractText(7) },
    )
    const merges = read.conversations.filter(({ tag }) => tag.kind === 'merge')
    expect(merges.length).toBeGreaterThan(8)
    const last = merges.at(-1)!
    expect(last.maxTokens).toBe(48)
    for (const { maxTokens } of merges.slice(0, -1)) expect(maxTokens).toBe(28)
    // Each report is in it, in the order of the text.
    const chunks = read.outcome.steps / 2
    const names = /<reports>\n(.*?)\n<\/reports>/s.exec(last.messages[0]!.content)![1]!.match(/(?<=N)\d+/g)
    expect(names?.map(Number)).toEqual([...Array(chunks).keys()])
    expect(merges.length).toBeLessThanOrEqual(mostMerges(chunks, budget))
    expect(warningsOf(read)).toEqual([])
  })

  it.each([
    ['is empty', '', 'is empty'],
    ['is a refusal', { text: 'Ann.', finishReason: filtered }, 'is a refusal'],
    ['says that there is nothing', 'No previous memory', 'says that there is nothing'],
  ])('keep what they were to merge when the response %s', async (_, reply, problem) => {
    const quiet = Array(4).fill('no')
    const replies = ['yes\nAnn came.', 'no', 'yes\nBob left.', 'no', reply, ...quiet, '\\boxed{x}']
    const { answer, warnings, memories } = await readWith(replies, { memory: 'Cay stayed.' })
    expect(answer?.memory).toBe('Cay stayed.\n\nAnn came.\n\nBob left.')
    expect(memories).toMatchObject([{ origin: 'kept', changed: true, previous: 'Cay stayed.' }])
    expect(warnings).toMatchObject([{ code: 'merge-failed', malformed: { kind: 'merge', pass: 0 } }])
    expect(warnings[0]?.message).toContain(`the response ${problem}`)
    expect(answer?.answer.outcome).toBe('found')
  })

  it('say what did not fit when they fail', async () => {
    const reports = ['A', 'B', 'C', 'D'].map((name) => `yes\n${long(name)}`)
    const replies = [...reports, '', '', '', ...Array(4).fill('no'), '\\boxed{not in the text}']
    const { answer, kinds } = await readWith(replies)
    expect(new Set(kinds)).toEqual(new Set(['merge-failed', 'memory-full']))
    expect(answer?.memory).toMatch(/^A long/)
    expect(answer?.answer.outcome).toBe('unsure')
  })

  it('are cut after a sentence when they reach their limit', async () => {
    const reply = { text: 'Ann came. Bob left. Then', finishReason: cut }
    const replies = ['yes\nAnn.', 'no', 'no', 'no', reply, ...Array(4).fill('no'), '\\boxed{x}']
    const { answer, kinds } = await readWith(replies)
    expect(answer?.memory).toBe('Ann came. Bob left.')
    expect(kinds).toEqual(['memory-cut'])
  })
})

/** Two batches of chunks; the reports depend on everything shown. */
const busy = {
  text: contractText(45),
  respond: ({ conversation: { tag }, prompt }: RehearsedCall) => {
    const sum = [...prompt].reduce((total, sign) => (31 * total + sign.codePointAt(0)!) % 1_000_003, 7)
    if (tag.kind === 'answer') return `\\boxed{${sum}}`
    if (tag.kind === 'merge') return sum % 9 === 0 ? '' : `Merged ${sum} ${'on '.repeat(sum % 20)}.`
    if (sum % 7 === 0) return 'Hm.'
    return sum % (3 * (tag.pass! + 1)) === 0 ? `yes\nNews ${sum} ${'long '.repeat(sum % 24)}` : 'no'
  },
}

describe('a long reading', () => {
  it('is the same at any concurrency, events and checkpoints too', async () => {
    const at = async (concurrency: number) => {
      const store = createMemoryCheckpointStore()
      const saved: object[] = []
      const checkpoints = {
        ...store,
        save: async (checkpoint: Parameters<typeof store.save>[0]) => {
          const { seconds: _, ...rest } = checkpoint
          saved.push(rest)
          await store.save(checkpoint)
        },
      }
      const read = await rehearsal(busy.respond, { text: busy.text, concurrency, checkpoints })
      const tags = read.conversations.map(({ tag }) => tag)
      return { outcome: read.outcome, events: read.events.map(outcomeOf), tags, last: saved.at(-1) }
    }
    const alone = await at(1)
    expect(alone.tags.length).toBeGreaterThan(200)
    expect(alone.tags.some(({ slot = 0 }) => slot > 2)).toBe(true)
    for (const concurrency of [2, 7, 64]) expect(await at(concurrency)).toEqual(alone)
  })

  // The contract does this at every conversation of a shorter text.
  it('goes on from a kill in any batch or merge as if there had been none', async () => {
    const { text, respond } = busy
    const whole = await rehearsal(respond, { text })
    const merges = whole.conversations.flatMap(({ tag }, i) => (tag.kind === 'merge' ? i : []))
    const reports = [...whole.conversations.keys()].filter((i) => i % 19 === 0)
    for (const failAtCall of [...merges, ...reports]) {
      const checkpoints = createMemoryCheckpointStore()
      await expect(rehearsal(respond, { text, checkpoints, failAtCall })).rejects.toThrow('the model is gone')
      const resumed = await rehearsal(respond, { text, checkpoints })
      expect(resumed.outcome).toEqual(whole.outcome)
      // The one that failed, and those in flight with it.
      expect(resumed.conversations.length).toBeLessThanOrEqual(whole.conversations.length - failAtCall + 7)
    }
  })

  it('goes on from no state that it cannot have', async () => {
    const store = createMemoryCheckpointStore()
    const states: ParallelState[] = []
    const checkpoints = {
      ...store,
      save: async (checkpoint: Parameters<typeof store.save>[0]) => {
        states.push(checkpoint.state as unknown as ParallelState)
        await store.save(checkpoint)
      },
    }
    const { outcome } = await rehearsal(busy.respond, { text: busy.text, checkpoints })
    const isState = (state: ParallelState, changes: Partial<Record<keyof ParallelState, Json>> = {}) =>
      parallel.isState({ ...state, ...changes } as Json, {
        question: 'Who came on the last day?',
        steps: state.steps,
      })
    for (const state of states) {
      expect(isState(state)).toBe(true)
      expect(isState(state, { ordinal: state.ordinal + 1 })).toBe(false)
      // Between two passes the reading may be done or not.
      const isBetween = state.pass < 3 && state.ordinal === 0
      expect(isState(state, { isDone: !state.isDone })).toBe(isBetween && state.pass > 0)
      expect(isState(state, { pass: 4 })).toBe(false)
      const after = { question: state.question ?? undefined, steps: state.steps, isDone: true }
      expect(parallel.isState(state as Json, after)).toBe(state.isDone)
      expect(isState(state, { notes: [{ step: state.ordinal, level: 0, text: 'x' }] })).toBe(false)
      expect(isState(state, { memory: ' x' })).toBe(false)
      if (state.notes.length < 2) continue
      expect(isState(state, { notes: state.notes.toReversed() })).toBe(false)
      expect(isState(state, { notes: [{ ...state.notes[0]!, text: '' }] })).toBe(false)
    }
    expect(states.some(({ notes }) => notes.length > 5)).toBe(true)
    expect(states.at(-1)).toMatchObject({ isDone: true, pass: 3, steps: outcome.steps })
  })
})
