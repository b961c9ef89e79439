/** What is looked up, in which order, and what is reported of the rest. The contract has what every workflow guarantees. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createScriptedModel, type ScriptedReply } from '../../chat/scripted.ts'
import { createStreamDocument, createTextDocument } from '../../documents/text-document.ts'
import type { EmbeddingModel } from '../../embeddings/openai-embeddings.ts'
import { createMemoryCheckpointStore } from '../../reading/checkpoint.ts'
import type { ReadingEvent } from '../../reading/events.ts'
import type { ReadingOptions } from '../../reading/options.ts'
import { readDocument } from '../../reading/reader.ts'
import { contractProfile } from '../../testing/contract-profile.ts'
import { watchedDocument } from '../../testing/watched-document.ts'
import type { Json, Workflow } from '../workflow.ts'
import { createSkim, skim } from './skim.ts'

const profile = {
  ...contractProfile,
  budget: { window: 300, question: 40, chunk: 20, memory: 20, output: 20 },
}
/** Paragraphs of at least thirteen words; each is a chunk. */
const storyOf = (i: number) => `Story ${i} is about rivers and mountains and about what the sea was like.\n\n`
const about = (fact: string) =>
  `${`${fact} Nobody can say for how long it has been so or will be.`.split(' ').slice(0, 15).join(' ')}.\n\n`
const textWith = (chunks: number, facts: Readonly<Record<number, string>>) =>
  Array.from({ length: chunks }, (_, i) => (facts[i] ? about(facts[i]) : storyOf(i))).join('')
const sectionOf = (prompt: string) => /<section>\n(.*)\n<\/section>/s.exec(prompt)?.[1]

interface Reading extends Partial<Omit<ReadingOptions, 'model'>> {
  readonly text?: string
  /** The memory after a section, from section and prompt; the answer is `found`. */
  readonly note: (section: string, prompt: string) => ScriptedReply
  readonly answer?: string
}

async function skimmed({ text = '', note, answer = '\\boxed{found}', ...more }: Reading) {
  const sections: string[] = []
  const model = createScriptedModel(
    ({ messages }) => {
      const prompt = messages[0]!.content
      const section = sectionOf(prompt)
      if (section === undefined) return answer
      sections.push(section)
      return note(section, prompt)
    },
    { profile, contextWindow: profile.budget.window },
  )
  const events: ReadingEvent[] = []
  for await (const event of readDocument({
    question: 'Who keeps the north gate?',
    document: createTextDocument(text),
    workflow: skim as unknown as Workflow<Json>,
    model,
    ...more,
  })) {
    events.push(event)
  }
  const end = events.at(-1)
  if (end?.type !== 'answer') return expect.unreachable()
  const chunks = events.filter((event) => event.type === 'chunk-end')
  const memories = events.filter((event) => event.type === 'memory-end')
  return { end, events, sections, memories, read: chunks.map(({ step }) => step), calls: model.calls.length }
}

const keeps = 'The north gate is kept by Ann.'
const nothing = 'No previous memory'
/** Notes this fact if a section has it, and keeps the memory otherwise. */
const noting =
  (...facts: readonly string[]) =>
  (section: string, prompt: string): string => {
    const memory = /<memory>\n(.*)\n<\/memory>/s.exec(prompt)![1]!
    return facts.find((fact) => section.includes(fact) && !memory.includes(fact)) ?? memory
  }

describe('skim', () => {
  it('reads what the question finds, in the order of the text, and says what it passed over', async () => {
    const text = textWith(60, { 50: keeps, 20: 'The south gate is closed.', 7: 'Who goes north?' })
    const { end, read, memories, sections } = await skimmed({ text, note: noting(keeps) })
    const first = read.slice(0, 8)
    expect(first).toEqual(first.toSorted((a, b) => a - b))
    expect(first).toEqual(expect.arrayContaining([7, 20, 50]))
    expect(sections[first.indexOf(50)]).toContain(keeps)
    // Events and sources give the place in the text.
    expect(memories.map(({ step }) => step)).toEqual(read)
    expect(end).toMatchObject({ answer: { text: 'found', outcome: 'found' }, memory: keeps })
    const unread = text.length - end.usage.bytes
    expect(end.unread).toEqual({ bytes: unread, share: unread / text.length })
    expect(end.warnings).toMatchObject([{ code: 'passed-over', count: 1, touchesAnswer: false }])
  })

  it('searches again with its notes, and not with the same ones twice', async () => {
    const [gate, name] = ['The north gate is kept by the firm Kelvora.', 'Kelvora belongs to Bob.']
    const text = textWith(80, { 70: gate, 10: name })
    const { read, end } = await skimmed({ text, note: noting(gate, name) })
    expect(read.indexOf(70)).toBeLessThan(8)
    expect(read.indexOf(10)).toBeGreaterThanOrEqual(8)
    expect(read.indexOf(10)).toBeLessThan(16)
    expect(end.memory).toBe(name)
    // The second round changed the notes, the third did not.
    expect(read).toHaveLength(24)
    const once = await skimmed({ text, note: noting(gate) })
    expect(once.read).toHaveLength(16)
    expect(new Set(once.read).size).toBe(16)
  })

  it('follows a chain link by link, in at most eight rounds', async () => {
    const names = ['Ado', 'Bel', 'Cor', 'Dun', 'Eva', 'Fio', 'Gus', 'Hal', 'Ivo', 'Jon'].map(
      (name) => `${name}rist`,
    )
    const links = names.map((name, i) =>
      i === 0 ? `The north gate is kept by ${name}.` : `${name}, ${names[i - 1]}.`,
    )
    // Against the order of the text, so that every link takes a round.
    const text = textWith(200, Object.fromEntries(links.map((link, i) => [190 - 10 * i, link])))
    const { read, end } = await skimmed({ text, note: noting(...links) })
    expect(end.memory).toBe(links[7])
    expect(read).toHaveLength(64)
  })

  it('reads on among what the question found while nothing is noted, and never says that the text does not answer', async () => {
    const { read, end, calls } = await skimmed({ text: textWith(60, {}), note: () => nothing })
    expect(new Set(read).size).toBe(24)
    expect(calls).toBe(24)
    expect(end.answer).toEqual({ text: '', outcome: 'unsure' })
    expect(end.warnings).toMatchObject([{ code: 'passed-over', touchesAnswer: true }])
    expect(end.warnings[0]!.message).toMatch(/^Only \d+ % of the text was read: [\d,]+ bytes passed over\.$/)
    const denied = await skimmed({
      text: textWith(60, { 50: keeps }),
      note: noting(keeps),
      answer: '\\boxed{not in the text}',
    })
    expect(denied.end.answer).toMatchObject({ text: '', outcome: 'unsure' })
  })

  it('reads all of a short text, and then says that it does not answer', async () => {
    const { read, end } = await skimmed({ text: textWith(20, {}), note: () => nothing })
    expect(read.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i))
    expect(end).toMatchObject({ answer: { outcome: 'not-found' }, unread: undefined, warnings: [] })
  })

  it('begins with notes, which are searched for as well', async () => {
    const name = 'Kelvora belongs to Bob.'
    const text = textWith(60, { 30: name })
    const { read, end } = await skimmed({ text, note: noting(name), memory: 'It is Kelvora.' })
    expect(read.slice(0, 8)).toContain(30)
    expect(end.memory).toBe(name)
  })

  it('searches by meaning with an embedding model, whose name and prefixes belong to the run', async () => {
    const embedded: string[] = []
    const model: EmbeddingModel = {
      name: 'synonyms',
      embed: async (texts) => {
        embedded.push(...texts)
        const vectors = texts.map((text) => Float32Array.of(Number(/keeps|guardian/.test(text)), 0.5))
        return { vectors, promptTokens: undefined }
      },
    }
    const guardian = 'Its guardian in those days was Ann.'
    const text = textWith(60, { 50: guardian })
    const searching = (queryPrefix?: string) =>
      createSkim({ model, queryPrefix }) as unknown as Workflow<Json>
    const byWords = await skimmed({ text, note: noting(guardian) })
    expect(byWords.read).not.toContain(50)
    const checkpoints = createMemoryCheckpointStore()
    const workflow = searching('query: ')
    const { read, end } = await skimmed({ text, note: noting(guardian), workflow, checkpoints })
    expect(read.slice(0, 8)).toContain(50)
    expect(end.memory).toBe(guardian)
    expect(embedded[0]).toBe('query: Who keeps the north gate?')
    expect(embedded.filter((one) => one.includes(guardian) && !one.startsWith('query: '))).toHaveLength(2)
    for (const another of [searching(), skim as unknown as Workflow<Json>]) {
      await expect(skimmed({ text, note: noting(), workflow: another, checkpoints })).rejects.toMatchObject({
        code: 'checkpoint/of-another-run',
      })
    }
  })

  it('takes no notes without a question, and says so before anything is read', async () => {
    const { document, counts } = watchedDocument(textWith(3, {}))
    const refused = skimmed({ document, question: undefined, note: () => nothing })
    await expect(refused).rejects.toMatchObject({ name: 'ConfigurationError', code: 'workflow/no-question' })
    expect(counts.opened).toBe(0)
  })

  it('refuses a document that can be opened once, before any call', async () => {
    const bytes = new TextEncoder().encode(textWith(30, {}))
    const document = createStreamDocument(
      (async function* () {
        yield bytes
      })(),
      'standard input',
    )
    let calls = 0
    const note = () => `${++calls}`
    await expect(skimmed({ document, note })).rejects.toMatchObject({
      name: 'DocumentError',
      message: 'standard input can be read only once.',
    })
    expect(calls).toBe(0)
  })

  it('tells once what is wrong with a text, however often it looks through it', async () => {
    const broken = textWith(40, { 9: `\ufffd\ufffd${'\ufffd'.repeat(99)}` })
    const { end } = await skimmed({ text: broken, note: () => 'A note.' })
    expect(end.warnings).toMatchObject([{ code: 'source-broken', count: 1 }, { code: 'passed-over' }])
  })

  it('says so when the text became shorter between two looks', async () => {
    const [long, short] = [watchedDocument(textWith(60, { 59: keeps })), watchedDocument(textWith(20, {}))]
    const document = {
      ...long.document,
      // After the search.
      open: (signal?: AbortSignal) => (long.counts.opened < 1 ? long : short).document.open(signal),
    }
    await expect(skimmed({ document, note: () => nothing })).rejects.toMatchObject({
      name: 'DocumentError',
      code: 'document/changed',
    })
  })
})

it('any reading reads no chunk twice and few at all, tells exactly the rest, and is the same after any kill', async () => {
  const word = fc.constantFrom('north', 'gate', 'Ann', 'sea', 'keeps', 'story')
  const paragraph = fc.array(word, { minLength: 8, maxLength: 14 }).map((words) => `${words.join(' ')}.\n\n`)
  const kept = fc.record({
    text: fc.array(paragraph, { minLength: 1, maxLength: 45 }).map((parts) => parts.join('')),
    replies: fc.array(fc.constantFrom(nothing, 'A north note.', 'Ann.', ''), {
      minLength: 24,
      maxLength: 24,
    }),
    killAt: fc.nat(26),
  })
  await fc.assert(
    fc.asyncProperty(kept, async ({ text, replies, killAt }) => {
      // Depends only on what is shown, so a repeated call gets the same reply.
      const note = (section: string) => replies[(section.length * 7) % replies.length]!
      const options = { text, note, acceptsSilence: true }
      const whole = await skimmed(options)
      expect(new Set(whole.read).size).toBe(whole.read.length)
      expect(whole.read.length).toBeLessThanOrEqual(24)
      for (let round = 0; round < whole.read.length; round += 8) {
        const ordinals = whole.read.slice(round, round + 8)
        expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b))
      }
      expect((whole.end.unread?.bytes ?? 0) + whole.end.usage.bytes).toBe(text.length)

      const checkpoints = createMemoryCheckpointStore()
      let calls = 0
      const killed = (section: string) => {
        if (calls++ === killAt) throw new Error('killed')
        return note(section)
      }
      const stopped = skimmed({ ...options, note: killed, checkpoints }).catch(
        (error: Error) => error.message,
      )
      if (killAt < whole.read.length) expect(await stopped).toContain('killed')
      else await stopped
      const { end } = await skimmed({ ...options, checkpoints })
      expect({ ...end, seconds: 0 }).toEqual({ ...whole.end, seconds: 0 })
    }),
    { numRuns: 60 },
  )
})
