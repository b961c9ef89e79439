import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TaskError } from '@memagent/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import type { Row } from '../rows/row-file.ts'
import type { Task } from '../task.ts'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { taskContract, textOf } from '../testing/task-contract.ts'

const fixtures = join(import.meta.dirname, '__fixtures__')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memagent-published-'))
})
afterAll(() => rm(folder, { recursive: true }))

let written = 0
async function fileOf(rows: readonly Row[], name = `rows-${written}`): Promise<string> {
  written += 1
  const path = join(folder, `${name}.jsonl`)
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return path
}
const request = { seed: 1, lengthTokens: 500, countTokens }

/** What the made rows of every benchmark have in common: an answer that no other row shares a word with. */
const answers = Array.from({ length: 250 }, (_, i) => ({ i, answer: `Ximen${i} Qort${i}` }))
const context = (i: number, answer: string): string => `In café ${i} 🙂 sat ${answer}. It rained.`

const longBenchRow = (i: number, answer: string, more: Row = {}): Row => ({
  input: `Who sat in café ${i}?`,
  context: context(i, answer),
  answers: [answer, `${answer} alone`],
  length: 8,
  dataset: 'hotpotqa',
  language: 'en',
  all_classes: null,
  _id: `id-${i}`,
  ...more,
})
const choiceRow = (i: number, answer: string): Row => ({
  _id: `id-${i}`,
  domain: 'Single-Document QA',
  sub_domain: 'Literary',
  difficulty: i % 2 ? 'hard' : 'easy',
  length: 'short',
  question: `Who sat in café ${i}?`,
  ...Object.fromEntries(['A', 'B', 'C', 'D'].map((letter, at) => [`choice_${letter}`, `${answer} ${at}`])),
  answer: 'ABCD'[i % 4],
  context: context(i, answer),
})
const mrcrRow = (i: number, answer: string): Row => ({
  prompt: JSON.stringify([
    { role: 'user', content: 'Write a poem about tapirs' },
    { role: 'assistant', content: `A poem by ${answer} é` },
    { role: 'user', content: `Prepend s${i}x to the 1st (1 indexed) poem about tapirs.` },
  ]),
  answer: `s${i}xA poem by ${answer} é`,
  random_string_to_prepend: `s${i}x`,
  n_needles: 1,
  desired_msg_index: 0,
  total_messages: 3,
  n_chars: 100,
})
const made: Readonly<Record<string, (i: number, answer: string) => Row>> = {
  longbench: longBenchRow,
  'longbench-v2': choiceRow,
  narrativeqa: (i, answer) => ({
    question: `Who sat in café ${i}?`,
    answers: [answer],
    document: context(i, answer),
  }),
  babilong: (i) => ({
    input: `Mary went to the ${i % 2 ? 'kitchen' : 'garden'} of café ${i}.`,
    question: 'Where is Mary?',
    target: i % 2 ? 'kitchen' : 'garden',
  }),
  mrcr: mrcrRow,
}
type PublishedName = 'longbench' | 'longbench-v2' | 'narrativeqa' | 'babilong' | 'mrcr'
const create = async (
  name: PublishedName,
  rows: readonly Row[] | string,
  options: object = {},
): Promise<Task> =>
  (tasks[name] as (options: object) => Promise<Task>)({
    path: typeof rows === 'string' ? rows : await fileOf(rows),
    ...options,
  })
const required: Readonly<Record<PublishedName, readonly string[]>> = {
  longbench: ['input', 'context', 'answers', 'dataset'],
  'longbench-v2': ['question', 'choice_A', 'choice_B', 'choice_C', 'choice_D', 'answer', 'context'],
  narrativeqa: ['question', 'answers', 'document'],
  babilong: ['input', 'question', 'target'],
  mrcr: ['prompt', 'answer', 'random_string_to_prepend'],
}
const ownOptions: Partial<Record<PublishedName, object>> = { babilong: { task: 'qa1' } }

describe.each(Object.keys(made) as PublishedName[])('%s', (name) => {
  const rows = answers.map(({ i, answer }) => made[name]!(i, answer))
  const noPlaces = 'the files do not say where answers stand'
  for (const { name: check, run, skipped } of taskContract({
    create: () => create(name, rows, ownOptions[name]),
    countTokens,
    absentShare: 0,
    decoysPer200k: 0,
    skip: {
      'is as long as asked for, and knows its bytes': 'texts of published benchmarks have their own length',
      'holds each reference where the evidence says, and no evidence without an answer': noPlaces,
      'spreads the depth of the answer evenly over the document': noPlaces,
    },
  })) {
    it.skipIf(skipped !== undefined)(check, run)
  }

  it('asks each row once an epoch, and says which one it is, and that the length is its own', async () => {
    const task = await create(name, rows.slice(0, 20), ownOptions[name])
    const drawn = async (seed: number, from: number) =>
      Promise.all(Array.from({ length: 20 }, (_, i) => task.sample({ ...request, seed, index: from + i })))
    const first = await drawn(1, 0)
    expect(first.map(({ labels }) => labels.row).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      Array.from({ length: 20 }, (_, i) => i + 1),
    )
    expect(first.every(({ labels }) => labels.ownLength === true && labels.epoch === 0)).toBe(true)
    const second = await drawn(1, 20)
    expect(second.every(({ labels }) => labels.epoch === 1)).toBe(true)
    expect(second.map(({ labels }) => labels.row)).not.toEqual(first.map(({ labels }) => labels.row))
  })

  it('knows its bytes, names what departs from what was published, and takes but its own options', async () => {
    const task = await create(name, rows.slice(0, 3), { ...ownOptions[name], prose: {} })
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.document.sizeBytes).toBe(Buffer.byteLength(await textOf(sample)))
    expect(task.deviations?.length).toBeGreaterThan(0)
    expect(task.deviations).toContain(
      'The reader of the files was tried on made samples in the published format only.',
    )
    for (const deviation of task.deviations!) expect(deviation).toMatch(/^[A-Z].*\.$/)
    await expect(create(name, rows, { ...ownOptions[name], pad: true })).rejects.toMatchObject({
      code: 'task/unknown-option',
    })
    for (const path of [undefined, '', [], 7]) {
      await expect(create(name, rows, { ...ownOptions[name], path })).rejects.toMatchObject({
        code: 'task/no-path',
      })
    }
  })

  it('names file, row and field of a row that is wrong', async () => {
    const whole = rows[0]!
    const told = new Set<string>()
    for (const field of Object.keys(whole)) {
      for (const value of [undefined, 7.5, '', [], [1], {}]) {
        const path = await fileOf([whole, { ...whole, [field]: value }])
        const task = await create(name, path, ownOptions[name])
        for (const index of [0, 1]) {
          const error = await task.sample({ ...request, index }).catch((reason: unknown) => reason)
          if (error instanceof Error) {
            expect(error).toBeInstanceOf(TaskError)
            expect(error.message).toMatch(new RegExp(`^${path}, line 2: .*${field}`))
            told.add(field)
          }
        }
      }
    }
    expect([...told].sort()).toEqual(required[name].toSorted())
  })
})

describe('LongBench', () => {
  const score = async (row: Row, answer: string | undefined) => {
    const task = await create('longbench', [longBenchRow(0, 'x', row)])
    return task.score(await task.sample({ ...request, index: 0 }), answer)
  }

  it('gives the best of the answers, by the metric of the dataset', async () => {
    const answers = ['the lighthouse keeper', 'Otto Berg']
    expect(await score({ answers }, 'Otto the keeper')).toMatchObject({ f1: 0.5, strict: 0, lenient: 0 })
    expect(await score({ answers, dataset: 'hotpotqa_e' }, 'otto berg!')).toEqual({
      f1: 1,
      strict: 1,
      lenient: 1,
    })
    expect(await score({ answers, dataset: 'gov_report', input: '' }, 'Otto slept')).toMatchObject({
      rouge_l: 0.5,
    })
  })

  // Worked by hand after the published definitions.
  it.each([
    ['The answer is Paragraph 12', 1],
    ['Paragraph 12, or 7', 0.5],
    ['Paragraph 120', 0],
    ['none', 0],
  ])('retrieval: of the numbers in %j the share %d is right', async (answer, retrieval) => {
    expect(await score({ dataset: 'passage_retrieval_en', answers: ['Paragraph 12'] }, answer)).toMatchObject(
      { retrieval },
    )
  })

  it.each([
    ['17', 1],
    ['17 of 30', 0.5],
    ['117', 0],
  ])('count: of the numbers in %j the share %d is right', async (answer, count) => {
    expect(await score({ dataset: 'passage_count', input: '', answers: ['17'] }, answer)).toMatchObject({
      count,
    })
  })

  it.each([
    ['Date of birth', 1],
    ['Date of birth\nQuestion: Where?\nType: Place', 1],
    ['Date of birth or Place', 0.5],
    // "Date" is within the right one; "Place" is not.
    ['Date', 0],
    ['Place', 0],
  ])('classification: %j gets %d', async (answer, classification) => {
    const row = {
      dataset: 'trec',
      answers: ['Date of birth'],
      all_classes: ['Date', 'Date of birth', 'Place'],
    }
    expect(await score(row, answer)).toMatchObject({ classification })
  })

  it('takes silence for what Qasper calls unanswerable, and only there', async () => {
    const answers = ['unanswerable']
    expect(await score({ dataset: 'qasper', answers }, undefined)).toEqual({ f1: 1, strict: 1, lenient: 1 })
    expect(await score({ dataset: 'hotpotqa', answers }, undefined)).toEqual({ f1: 0, strict: 0, lenient: 0 })
  })

  it('asks about TriviaQA’s passage, which stands at the end of the text', async () => {
    const row = longBenchRow(0, 'Otto', {
      dataset: 'triviaqa',
      input: 'Passage:\nOtto left. Question: he had none.\nQuestion:\nWho left?\nAnswer:',
    })
    const task = await create('longbench', [row])
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.question).toMatch(/^Question:\nWho left\?/)
    expect(await textOf(sample)).toBe(`${row.context}\n\nPassage:\nOtto left. Question: he had none.\n`)
  })

  it('reads one dataset at a time, and those in English', async () => {
    const rows = [longBenchRow(0, 'x'), longBenchRow(1, 'y', { dataset: 'musique' })]
    const task = await create('longbench', rows)
    await expect(
      Promise.all([0, 1].map((index) => task.sample({ ...request, index }))),
    ).rejects.toMatchObject({ message: expect.stringContaining('it belongs to musique') })
    await expect(create('longbench', [longBenchRow(0, 'x', { dataset: 'dureader' })])).rejects.toMatchObject({
      code: 'task/bad-row',
    })
  })
})

describe('LongBench v2', () => {
  it.each([
    // answer, choice, strict, lenient; right is (B) "Five ships"
    ['B', 1, 1, 1],
    ['(b)', 1, 1, 1],
    ['The correct answer is (B).', 1, 0, 1],
    ['**The correct answer is B** because of the ships', 1, 0, 1],
    ['B. Five ships', 1, 0, 1],
    ['Five ships', 0, 1, 1],
    ['There were five ships.', 0, 0, 1],
    ['The correct answer is (A), not B', 0, 0, 0],
    ['A', 0, 0, 0],
    ['Both', 0, 0, 0],
    ['', 0, 0, 0],
  ])('%j', async (answer, choice, strict, lenient) => {
    const row = { ...choiceRow(1, 'x'), choice_A: 'One', choice_B: 'Five ships', choice_C: 'Six' }
    const task = await create('longbench-v2', [row])
    const sample = await task.sample({ ...request, index: 0 })
    expect(sample.question).toContain('(B) Five ships\n(C) Six')
    expect(task.score(sample, answer)).toEqual({ choice, strict, lenient })
  })

  it('reads the JSON file as published, and takes the rows that are wanted', async () => {
    const path = join(folder, 'data.json')
    await writeFile(path, JSON.stringify(answers.slice(0, 10).map(({ i, answer }) => choiceRow(i, answer))))
    const task = await create('longbench-v2', path, { where: { difficulty: 'hard' } })
    for (let index = 0; index < 5; index += 1) {
      const sample = await task.sample({ ...request, index })
      expect(sample.labels).toMatchObject({ difficulty: 'hard', words: 'short', epoch: 0 })
    }
    expect((await task.sample({ ...request, index: 5 })).labels.epoch).toBe(1)
  })
})

describe('NarrativeQA', () => {
  it('reads the columns of the Parquet files, the best of the answers counts', async () => {
    const task = await create('narrativeqa', join(fixtures, 'narrativeqa.parquet'))
    for (let index = 0; index < 5; index += 1) {
      const sample = await task.sample({ ...request, index })
      const row = Number(sample.labels.row) - 1
      expect(sample.question).toMatch(new RegExp(`^Who lost the ship of story ${row} \\?\n`))
      expect(sample.labels).toMatchObject({ id: `story-${row}`, words: 41_000 + row })
      expect(await textOf(sample)).toMatch(new RegExp(`^The café 🙂 of story ${row}\\.`))
      expect(task.score(sample, sample.references[1])).toEqual({ f1: 1, rouge_l: 1, strict: 1, lenient: 1 })
      expect(task.score(sample, `${sample.references[1]} and nobody`)).toMatchObject({ f1: 0.5, strict: 0 })
    }
  })

  it('streams stories from files of their own', async () => {
    const story = 'Otto lost the ship. '.repeat(20_000)
    await writeFile(join(folder, 'story.txt'), story)
    const row = { question: 'Who?', answers: ['Otto'] }
    const task = await create('narrativeqa', [{ ...row, documentFile: 'story.txt' }])
    const sample = await task.sample({ ...request, index: 0 })
    let pieces = 0
    for await (const _ of sample.document.open()) pieces += 1
    expect(pieces).toBeGreaterThan(1)
    expect(await textOf(sample)).toBe(story)
    const missing = await create('narrativeqa', [{ ...row, documentFile: 'missing.txt' }])
    await expect(missing.sample({ ...request, index: 0 })).rejects.toMatchObject({
      code: 'task/bad-row',
      message: expect.stringMatching(/line 1: .*missing\.txt/),
    })
  })
})

describe('BABILong', () => {
  it('knows its task from the path', async () => {
    const task = await create('babilong', join(fixtures, 'babilong-qa1.parquet'))
    expect(task.name).toBe('babilong-qa1')
    await expect(create('babilong', [made.babilong!(0, '')])).rejects.toMatchObject({
      code: 'task/bad-option',
      hint: expect.stringContaining('qa1, qa2'),
    })
  })

  it.each([
    // target, answer, score; asked: "What did Mary give to Fred?" Fred is in the question.
    ['apple', 'Mary gave Fred the apple.', 0],
    ['apple', 'Fred got the apple.', 1],
    ['apple', 'The apple. The milk came later.', 1],
    ['apple', 'The apple or the milk', 0],
    ['apple', 'The pineapples', 0],
    ['Apple', 'apple', 1],
  ])('qa5: %s, answered with %j', async (target, answer, babilong) => {
    const row = { input: 'x', question: 'What did Fred get?', target }
    const task = await create('babilong', [row], { task: 'qa5' })
    expect(task.score(await task.sample({ ...request, index: 0 }), answer)).toMatchObject({ babilong })
  })

  it('wants all of what is carried, and tells "none" from "one"', async () => {
    const carried = { input: 'x', question: 'What is Mary carrying?', target: 'apple,milk' }
    const task = await create('babilong', [carried], { task: 'qa8' })
    const sample = await task.sample({ ...request, index: 0 })
    expect(task.score(sample, 'milk, apple')).toEqual({ babilong: 1, strict: 1, lenient: 1 })
    expect(task.score(sample, 'milk')).toEqual({ babilong: 0, strict: 0.5, lenient: 0.5 })
    const counted = { input: 'x', question: 'How many objects is Mary carrying?', target: 'none' }
    const count = await create('babilong', [counted], { task: 'qa7' })
    expect(count.score(await count.sample({ ...request, index: 0 }), 'none')).toMatchObject({ babilong: 1 })
  })
})

describe('MRCR', () => {
  it('asks with the last message about the ones before, and says where the reply stands', async () => {
    const task = await create('mrcr', join(fixtures, 'mrcr.parquet'))
    const sample = await task.sample({ ...request, index: 0 })
    const i = Number(sample.labels.row) - 1
    expect(sample.question).toBe(`Prepend key${i} to the 2nd (1 indexed) poem about tapirs.`)
    const text = await textOf(sample)
    expect(text).toMatch(
      /^User: Here are some examples 🙂\n\nUser: write a poem about tapirs\n\nAssistant: Poem 0 of/,
    )
    expect(text).not.toContain('Prepend')
    const [{ startByte, endByte } = { startByte: 0, endByte: 0 }] = sample.supportingFacts!
    const reply = Buffer.from(text).subarray(startByte, endByte).toString()
    expect(`key${i}${reply}`).toBe(sample.references[0])
    expect(sample.labels).toMatchObject({ needles: i % 2 ? 4 : 2 })
  })

  it('gives the ratio behind the random string, and nothing without it', async () => {
    const row = { ...mrcrRow(1, 'x'), answer: 's1xabcd' }
    const task = await create('mrcr', [row])
    const sample = await task.sample({ ...request, index: 0 })
    // "bcd" of "bcde" and "abcd": 2 x 3 of 8 characters
    expect(task.score(sample, 's1xbcde')).toMatchObject({ sequence_ratio: 0.75, strict: 0 })
    expect(task.score(sample, 'abcd')).toMatchObject({ sequence_ratio: 0 })
    expect(task.score(sample, 's1xabcd')).toEqual({ sequence_ratio: 1, strict: 1, lenient: 1 })
    expect(sample.supportingFacts).toBeUndefined()
  })
})
