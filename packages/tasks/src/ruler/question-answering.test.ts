import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { madeHotpotQa, madeSquad } from '../testing/qa-files.ts'
import { textOf } from '../testing/task-contract.ts'
import { readHotpotQa } from './hotpotqa-file.ts'
import { rulerTask } from './ruler-task.ts'
import { readSquad } from './squad-file.ts'
import type { TextStore } from './text-store.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const fileOf = async (content: string | object): Promise<string> => {
  const path = folder.join(`${Math.random().toString(36).slice(2)}.json`)
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

const documentsOf = (text: string): string[] => text.split(/(?:^|\n\n)Document \d+:\n/).slice(1)

const textsOf = (store: TextStore): string[] =>
  Array.from({ length: store.count }, (_, number) => store.textOf(number))

describe('SQuAD files', () => {
  const squad = {
    version: 'v2.0',
    data: [
      {
        title: 'A',
        paragraphs: [
          {
            context: '🙂 It is in Ghent, not in Ghent.',
            qas: [
              {
                question: 'Where is it?',
                is_impossible: false,
                answers: [
                  { text: 'Ghent', answer_start: 25 },
                  { text: 'Ghent', answer_start: 11 },
                  { text: 'in Ghent', answer_start: 8 },
                ],
              },
              { question: 'Why?', is_impossible: true, answers: [] },
            ],
          },
          { context: 'Another one.', qas: [] },
        ],
      },
      {
        title: 'B',
        paragraphs: [
          { context: 'Another one.', qas: [] },
          { context: 'A third one.', qas: [] },
        ],
      },
    ],
  }

  it('are read with their answerable questions, each answer once, with its position', async () => {
    const corpus = await readSquad(await fileOf(squad))
    expect(textsOf(corpus.documents)).toEqual([
      '🙂 It is in Ghent, not in Ghent.',
      'Another one.',
      'A third one.',
    ])
    expect(corpus.questions.length).toBe(1)
    const [question] = corpus.questions
    expect(question).toMatchObject({
      question: 'Where is it?',
      references: ['Ghent', 'in Ghent'],
      own: [0],
      related: [1],
    })
    // The file counts code points, so the emoji is one.
    expect(question!.evidence.map(({ start, end }) => corpus.documents.textOf(0).slice(start, end))).toEqual([
      'Ghent',
      'in Ghent',
    ])
    expect(question!.evidence.map(({ start }) => start)).toEqual([26, 9])
  })

  it('are rejected when they are something else', async () => {
    await expect(readSquad(folder.join('none.json'))).rejects.toMatchObject({ code: 'task/unreadable-file' })
    await expect(readSquad(await fileOf('{'))).rejects.toMatchObject({ code: 'task/bad-json' })
    for (const wrong of [
      '[]',
      'null',
      '{"data":[null]}',
      '{"data":[{"paragraphs":[{"context":"x","qas":[null]}]}]}',
      '{"data":[{"paragraphs":[{"context":5}]}]}',
    ]) {
      await expect(readSquad(await fileOf(wrong)), wrong).rejects.toMatchObject({ code: 'task/bad-format' })
    }
    await expect(readSquad(await fileOf('{"data":[]}'))).rejects.toMatchObject({ code: 'task/no-questions' })
  })
})

describe('HotpotQA files', () => {
  const entry = {
    question: 'Which town?',
    answer: 'Ghent',
    supporting_facts: [
      ['Two', 1],
      ['One', 0],
      ['One', 7],
      ['One', 'length'],
      ['Nowhere', 0],
    ],
    context: [
      ['One', ['It is é.', ' Ghent is here.']],
      ['Two', ['Not Ghent.', ' But this is Ghent.']],
    ],
  }

  it('are read with titles, all paragraphs of a question, and the positions of the facts', async () => {
    const yes = { ...entry, answer: 'yes', context: [...entry.context, ['Three', ['More.']]] }
    const corpus = await readHotpotQa(await fileOf([entry, yes]))
    expect(textsOf(corpus.documents)).toEqual([
      'One\nIt is é. Ghent is here.',
      'Two\nNot Ghent. But this is Ghent.',
      'Three\nMore.',
    ])
    const spansOf = (spans: readonly { document: number; start: number; end: number }[]) =>
      spans.map(({ document, start, end }) => corpus.documents.textOf(document).slice(start, end))
    expect(corpus.questions.map(({ references, own }) => [references, own])).toEqual([
      [['Ghent'], [0, 1]],
      [['yes'], [0, 1, 2]],
    ])
    expect(spansOf(corpus.questions[0]!.supportingFacts)).toEqual([' But this is Ghent.', 'It is é.'])
    expect(spansOf(corpus.questions[0]!.evidence)).toEqual(['Ghent'])
    expect(corpus.questions[0]!.evidence[0]!.start).toBe('Two\nNot Ghent. But this is '.length)
    expect(corpus.questions[1]!.evidence).toEqual([])
  })

  it('are rejected when they are something else', async () => {
    await expect(readHotpotQa(folder.join('none.json'))).rejects.toMatchObject({
      code: 'task/unreadable-file',
    })
    for (const wrong of ['{}', '[{]', '[{}', '5', '[5]', '[{}] {}', '[[1]]', '']) {
      await expect(readHotpotQa(await fileOf(wrong)), wrong).rejects.toMatchObject({
        code: expect.stringMatching(/^task\/(bad-json|bad-row|no-questions)$/),
      })
    }
    await expect(readHotpotQa(await fileOf([entry, { ...entry, context: [['One']] }]))).rejects.toMatchObject(
      {
        code: 'task/bad-row',
        message: expect.stringMatching(/item 2: context\.0/),
      },
    )
    await expect(readHotpotQa(await fileOf('[]'))).rejects.toMatchObject({ code: 'task/no-questions' })
  })
})

describe('question answering', () => {
  const request = { seed: 1, index: 0, countTokens }
  const squadTask = async () =>
    rulerTask('qa-squad').create({ path: await fileOf(madeSquad({ articles: 6, paragraphs: 5 })) })

  it('numbers the documents in the order of the text', async () => {
    const sample = await (await squadTask()).sample({ ...request, lengthTokens: 1500 })
    const numbers = [...(await textOf(sample)).matchAll(/^Document (\d+):$/gm)].map(([, number]) =>
      Number(number),
    )
    expect(numbers).toEqual(Array.from({ length: Number(sample.labels.documents) }, (_, i) => i + 1))
  })

  it('takes the rest of the article before other documents, and each document once', async () => {
    const made = madeSquad({ articles: 6, paragraphs: 5 }) as {
      data: { paragraphs: { context: string; qas: { question: string }[] }[] }[]
    }
    const task = await squadTask()
    for (let index = 0; index < 12; index += 1) {
      const sample = await task.sample({ ...request, index, lengthTokens: 800 })
      const article = made.data.find(({ paragraphs }) =>
        paragraphs.some(({ qas }) => qas.some(({ question }) => question === sample.question)),
      )!
      const documents = documentsOf(await textOf(sample))
      expect(new Set(documents).size).toBe(documents.length)
      expect(documents.length).toBeGreaterThan(5)
      for (const { context } of article.paragraphs) expect(documents).toContain(context)
    }
  })

  it('repeats all documents when they are too few, as RULER does', async () => {
    const task = await squadTask()
    const sample = await task.sample({ ...request, lengthTokens: 10_000 })
    const documents = documentsOf(await textOf(sample))
    expect(new Set(documents).size).toBe(30)
    const counts = [...new Set(documents)].map((one) => documents.filter((other) => other === one).length)
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
    expect(Math.min(...counts)).toBeGreaterThan(2)
  })

  it('reads HotpotQA in Parquet as in JSON, and JSON after a byte order mark', async () => {
    const fixture = join(import.meta.dirname, '../published/__fixtures__/hotpotqa')
    const parquet = await readHotpotQa(`${fixture}.parquet`)
    const rows = (await readFile(`${fixture}.jsonl`, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const json = rows.map(({ context, supporting_facts, ...row }) => ({
      ...row,
      supporting_facts: supporting_facts.title.map((one: string, i: number) => [
        one,
        supporting_facts.sent_id[i],
      ]),
      context: context.title.map((one: string, i: number) => [one, context.sentences[i]]),
    }))
    const wanted = await readHotpotQa(await fileOf(`\uFEFF${JSON.stringify(json)}`))
    expect(parquet.questions).toEqual(wanted.questions)
    expect(parquet.questions).toHaveLength(4)
    expect(textsOf(parquet.documents)).toEqual(textsOf(wanted.documents))
    const [{ evidence, references }] = parquet.questions as [(typeof parquet.questions)[number]]
    const [{ document, start, end }] = evidence as [(typeof evidence)[number]]
    expect(parquet.documents.textOf(document).slice(start, end)).toBe(references[0])
  })

  it('reports where each document begins', async () => {
    const path = await fileOf(JSON.stringify([...madeHotpotQa({ questions: 20 })]))
    const task = await rulerTask('qa-hotpotqa').create({ path })
    const { document } = await task.sample({ index: 1, seed: 1, lengthTokens: 3000, countTokens })
    let text = ''
    for await (const piece of document.open()) text += piece.text
    const starts = [...text.matchAll(/(?<=^|\n\n)Document \d+:\n/g)].map(({ index }) =>
      Buffer.byteLength(text.slice(0, index)),
    )
    expect(starts.length).toBeGreaterThan(10)
    expect(document.textStarts).toEqual(starts)
  })

  it('has all ten paragraphs of a HotpotQA question, or refuses', async () => {
    const made = [...madeHotpotQa({ questions: 20 })] as { question: string; context: [string, string[]][] }[]
    const task = await rulerTask('qa-hotpotqa').create({ path: await fileOf(made) })
    for (let index = 0; index < 10; index += 1) {
      const sample = await task.sample({ ...request, index, lengthTokens: 1500 })
      const documents = documentsOf(await textOf(sample))
      const { context } = made.find(({ question }) => question === sample.question)!
      for (const [title, sentences] of context) expect(documents).toContain(`${title}\n${sentences.join('')}`)
    }
    await expect(task.sample({ ...request, lengthTokens: 300 })).rejects.toMatchObject({
      code: 'task/document-too-short',
    })
  })

  it('asks every question once before repeating any', async () => {
    const task = await squadTask()
    const asked: string[] = []
    for (let index = 0; index < 60; index += 1) {
      asked.push((await task.sample({ ...request, index, lengthTokens: 600 })).question)
    }
    expect(new Set(asked.slice(0, 30)).size).toBe(30)
    expect(new Set(asked.slice(30)).size).toBe(30)
    expect(asked.slice(0, 30)).not.toEqual(asked.slice(30))
    await expect(task.sample({ ...request, index: -1, lengthTokens: 600 })).rejects.toMatchObject({
      code: 'task/bad-request',
    })
  })

  it('is right with any of the references', async () => {
    const task = await squadTask()
    const sample = await task.sample({ ...request, lengthTokens: 600 })
    expect(sample.references.length).toBe(2)
    expect(task.score(sample, `about ${sample.references[0]}`)).toEqual({
      ruler: 1,
      sub_em: 1,
      strict: 0,
      lenient: 1,
    })
  })

  it('says which file it needs', async () => {
    await expect(rulerTask('qa-squad').create({})).rejects.toThrow(
      /path is missing \(it takes the path of the development set of SQuAD 2\.0/,
    )
    await expect(rulerTask('qa-hotpotqa').create({})).rejects.toMatchObject({ code: 'task/bad-option' })
  })
})
