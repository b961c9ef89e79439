import { readFileSync } from 'node:fs'
import {
  type Answer,
  ChatTemplate,
  createConversationTokens,
  createHuggingFaceTokenizer,
  type ModelProfile,
  readDocument,
} from '@memagent/core'
import { createRandom, createTextProse, type Sample, type Task, tasks } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { checkSkills } from './check-skills.ts'
import { sftConfigSchema } from './config.ts'
import { drawBatch } from './draw-batch.ts'
import { perfectReading } from './perfect-reader.ts'
import { loadProse } from './prose-passages.ts'
import { chatTemplate } from './reader-files.ts'
import { responseWriters, type TaughtWorkflow } from './response-writers.ts'
import { drawTaskLesson } from './task-lessons.ts'

const nano = new URL('../../../../models/nano/tokenizer.json', import.meta.url)
const tokenizer = createHuggingFaceTokenizer(JSON.parse(readFileSync(nano, 'utf8')), undefined, {
  name: 'nano',
})
const words = 'river stone lamp seven window quiet market under yellow paper north engine'.split(' ')
const random = createRandom('prose of lessons')
const paragraph = () =>
  Array.from({ length: 4 }, () => `${Array.from({ length: 9 }, () => random.pick(words)).join(' ')}.`).join(
    ' ',
  )
const prose = createTextProse('lessons', Array.from({ length: 80 }, paragraph).join('\n\n'))
const budget = { window: 1024, question: 128, chunk: 90, memory: 160, output: 160 }
const profile: ModelProfile = { name: 'lessons', prompts: 'compact', budget }
const train = { split: 'train', templates: 'train' } as const

const skills: Record<string, () => Promise<Task>> = {
  'facts-in-prose': () => tasks['facts-in-prose']({ prose, ...train }),
  'several-values': () => tasks['several-values']({ prose, ...train }),
  'corrected-fact': () => tasks['corrected-fact']({ prose, ...train }),
  'many-facts': () => tasks['many-facts']({ prose, ...train }),
  'two hops': () => tasks['multi-hop']({ prose, ...train, hops: 2, order: 'forward' }),
  needles: () => tasks['needles-in-prose']({ prose, split: 'train', queries: 2, valuesPerKey: 2 }),
}
/** Skills in which a statement's effect on the memory depends on others. */
const dependent = ['corrected-fact', 'many-facts', 'two hops']
const countTokens = (text: string) => tokenizer.encode(text).length

const read = (Object.keys(responseWriters) as TaughtWorkflow[]).filter(
  (name) => !responseWriters[name].readsAlone,
)
describe.each(read)('a perfect reading with %s', (workflow) => {
  const { run } = responseWriters[workflow].workflow
  const taught = Object.keys(skills).filter((name) => !run || !dependent.includes(name))
  it.each(taught)('of %s is one that a model could have held, and right', async (name) => {
    const writer = responseWriters[workflow]
    const task = await skills[name]!()
    let perfect = 0
    for (let index = 0; index < 12; index += 1) {
      const sample = await task.sample({ index, seed: 5, lengthTokens: 900, countTokens })
      const taught = await perfectReading(sample, writer, profile, tokenizer, 'not in the text')
      if (!taught) continue
      perfect += 1
      // The workflow itself, with a model that gives these responses, asks exactly these questions.
      const waiting = [...taught]
      const generate = async (messages: unknown) => {
        const { messages: expected, response } = waiting.shift()!
        expect(messages).toEqual(expected)
        return {
          text: response,
          usage: undefined,
          finishReason: { unified: 'stop', raw: undefined },
        } as const
      }
      let answer: Answer | undefined
      for await (const event of readDocument({
        question: sample.question,
        document: sample.document,
        model: { name: 'pupil', profile, tokenizer, generate },
        workflow: writer.workflow,
        acceptsSilence: true,
      })) {
        if (event.type === 'answer') answer = event.answer
      }
      expect(waiting).toEqual([])
      const stated = answer?.outcome === 'found' ? answer.text : undefined
      expect(task.score(sample, stated)).toMatchObject({ strict: 1 })
    }
    expect(perfect).toBeGreaterThan(8)
  })
})

it('is none where a statement lies across two chunks or the memory is over its budget', async () => {
  const sample = await (await skills.needles!()).sample({ index: 0, seed: 5, lengthTokens: 900, countTokens })
  const read = (changes: Partial<typeof budget>) =>
    perfectReading(
      sample,
      responseWriters.edits,
      { ...profile, budget: { ...budget, ...changes } },
      tokenizer,
      'not in the text',
    )
  expect(await read({})).toBeDefined()
  expect(await read({ chunk: 10 })).toBeUndefined()
  expect(await read({ memory: 12 })).toBeUndefined()
})

describe('parallel', () => {
  const inParallel = (sample: Sample, own = profile) =>
    perfectReading(sample, responseWriters.parallel, own, tokenizer, 'not in the text')
  const reading = async (name: string) => {
    const sample = await (await skills[name]!()).sample({ index: 0, seed: 5, lengthTokens: 900, countTokens })
    return { sample, taught: await inParallel(sample) }
  }

  it('reports each section on its own, merges what was reported, and has nothing to add in a second pass', async () => {
    const { taught } = await reading('needles')
    const all = taught!.map(({ messages, response, kind }) => ({
      text: messages[0]!.content,
      response,
      kind,
    }))
    const merge = all.findIndex(({ text }) => text.includes('<reports>'))
    const [first, merged, second] = [all.slice(0, merge), all[merge]!, all.slice(merge + 1, -1)]
    for (const { text } of first) expect(text).toContain('<memory> nothing yet</memory>')
    const news = first.filter(({ kind }) => kind === 'changed').map(({ response }) => response)
    expect(news.length).toBeGreaterThan(1)
    for (const response of news) expect(response).toMatch(/^yes\n \S/)
    expect(merged.response).toBe(` ${news.map((response) => response.slice('yes\n '.length)).join('; ')}`)
    expect(second).toHaveLength(first.length)
    for (const { text, response, kind } of second) {
      expect([response, kind]).toEqual(['no', 'kept'])
      expect(text).toContain(`<memory>${merged.response}</memory>`)
    }
    expect(all.at(-1)).toMatchObject({ kind: 'answer', text: expect.stringContaining(merged.response) })
  })

  it('has no lessons where the reports do not fit into one merge', async () => {
    const many = await tasks['needles-in-prose']({ prose, split: 'train', valuesPerKey: 8 })
    const sample = await many.sample({ index: 0, seed: 5, lengthTokens: 900, countTokens })
    const read = (chunk: number) => inParallel(sample, { ...profile, budget: { ...budget, chunk } })
    // Eight values take 70 tokens.
    expect(await read(75)).toBeDefined()
    expect(await read(60)).toBeUndefined()
  })

  it('has no lessons where one note changes another', async () => {
    const { sample, taught } = await reading('corrected-fact')
    expect(new Set(sample.notes!.map(({ line }) => line)).size).toBeLessThan(sample.notes!.length)
    expect(taught).toBeUndefined()
  })

  it('has no lessons where a note rests on one before it', async () => {
    const chains = await tasks['variable-tracking']({})
    for (const index of [0, 1, 2]) {
      const sample = await chains.sample({ index, seed: 5, lengthTokens: 900, countTokens })
      expect(await inParallel(sample)).toBeUndefined()
    }
  })

  it('reports what a chunk tells again: it does not know the others', async () => {
    const mentions = await tasks['all-mentions']({ prose, ...train, mentions: 3, repeats: 3, lures: 0 })
    let again = 0
    for (let index = 0; index < 8; index += 1) {
      const sample = await mentions.sample({ index, seed: 5, lengthTokens: 900, countTokens })
      const taught = await inParallel(sample)
      const reported = taught?.filter(({ response }) => response.startsWith('yes')) ?? []
      again += Math.max(0, reported.length - sample.notes!.length)
    }
    expect(again).toBeGreaterThan(0)
  })
})

describe('a drawn lesson', () => {
  const source = {
    prose,
    writer: responseWriters.edits,
    tokenizer,
    tokens: createConversationTokens(tokenizer, new ChatTemplate({ template: chatTemplate })),
    budget,
    notFound: 'not in the text',
    skills: { list: { task: 'several-values', options: train } },
  }
  // A row of skills alone is filled up with a question about a memory.
  const batchSource = {
    ...source,
    prose: loadProse([Array.from({ length: 400 }, paragraph).join('\n\n')]),
    encoder: {
      plain: (text: string) => tokenizer.encode(text),
      marked: (text: string) => tokenizer.encode(text, { specialTokens: true }),
      kindToken: () => 0,
    },
    emptyMemory: 'nothing yet',
    charactersPerToken: 4,
    ...train,
  }
  const stageWith = (lengths: readonly number[], keptShare = 1) =>
    sftConfigSchema.shape.stages.element.parse({
      ...{ steps: 1, sectionTokens: 90, rowTokens: 512, rows: 1, questions: 1, families: 1 },
      ...{ skillShare: 1, keptShare, skills: { list: { lengths } } },
    })

  it('is the same for the same seed, with as many steps without news as asked for', async () => {
    const draw = (keptShare: number) =>
      drawTaskLesson(source, stageWith([900, 900], keptShare), createRandom('lesson'))
    const all = await draw(1)
    const names = all.map(({ branches }) => branches[0]!.name)
    expect(await draw(1)).toEqual(all)
    expect(names.filter((name) => name === 'list/kept').length).toBeGreaterThan(2)
    expect(names.at(-1)).toBe('list/answer')
    const changing = (await draw(0)).map(({ branches }) => branches[0]!.name)
    expect(changing).toEqual(names.filter((name) => name !== 'list/kept'))
  })

  it.each([
    ['a question over its budget', { ...budget, question: 4 }, [900, 900], /The question has \d+ tokens/],
    ['no room for its statements', budget, [20, 20], /do not fit a document of 20 tokens/],
    ['a prompt over the window', { ...budget, window: 430 }, [900, 900], /more than the window of 430/],
    ['more to note than fits', { ...budget, memory: 5 }, [900, 900], /do not fit the memory/],
  ])(
    'is none, and says why, for %s; nothing is trained where all are so',
    async (_, own, lengths, reason) => {
      const reasons: string[] = []
      const strict = { ...source, budget: own }
      const stage = stageWith(lengths)
      const random = createRandom('lesson')
      expect(
        await drawTaskLesson(strict, stage, random, (skill, why) => reasons.push(`${skill}: ${why}`)),
      ).toEqual([])
      expect(reasons).toEqual([expect.stringMatching(reason)])
      const { documents } = await drawBatch({ ...batchSource, skills: strict }, stage, 1, 0)
      expect(documents).toEqual({ drawn: 3, passedOver: 3, tooLong: 0 })
      await expect(checkSkills(strict, [stageWith([900, 900]), stage])).rejects.toMatchObject({
        code: 'train/unreadable-skill',
        message: expect.stringMatching(reason),
      })
      expect(await checkSkills(source, [stageWith([900, 900])])).toEqual([])
    },
  )

  it('is none where the samples do not say what to note: the answer would come from an empty memory', async () => {
    const needles = { list: { task: 'niah-single-1', options: {} } }
    await expect(checkSkills({ ...source, skills: needles }, [stageWith([900, 900])])).rejects.toMatchObject({
      code: 'train/unreadable-skill',
      message: expect.stringContaining('do not say what to note'),
    })
  })

  it('is left out, counted and warned of where it does not fit a row', async () => {
    const narrow = (rowTokens: number) => ({ ...stageWith([900, 900]), rowTokens })
    expect(await checkSkills(source, [narrow(64)])).toEqual([
      expect.stringMatching(
        /^Stage 1 leaves out a part of every document of the skill list: a row of 64 tokens/,
      ),
    ])
    const stage = { ...narrow(128), rows: 4 }
    const { documents } = await drawBatch({ ...batchSource, skills: source }, stage, 1, 0)
    expect(documents.passedOver).toBe(0)
    expect(documents.tooLong).toBeGreaterThan(0)
  })
})
