import { Bm25Ranking } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { otherWords, topics } from './other-words.ts'
import { templatesOf } from './templates.ts'
import { countTokensRoughly as countTokens, registerContract, sampleProse } from './testing/fixtures.ts'
import { headings, plantedStatements, readStatement } from './testing/read-statements.ts'

const prose = sampleProse()
const request = { index: 0, seed: 0, lengthTokens: 1500, countTokens }

describe.each(['train', 'held-out', 'mixed'] as const)('other words, %s templates', (templates) => {
  registerContract(it, () => otherWords.create({ prose, templates }), { absentShare: 0.1 })
})

const functionWords = new Set(
  (
    'a all an and any anybody anything are as at away be been before by did do does else ever every for from get gets give given ' +
    'go goes got had has have he her his hardly if in into is it its like little made make makes making many more neither never ' +
    'next no nor not nothing of off on one only or other others out over people person place put she so somebody something such ' +
    'than that the their them then there they this those through to told took two up very was were what whatever when where ' +
    'which while who whom whose will with would'
  ).split(' '),
)

/** Words with a meaning of their own, stemmed. */
const contentWords = (text: string): string[] =>
  (
    text
      .replace(/\{\w+\}/g, ' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  )
    .filter((word) => !functionWords.has(word))
    .map((word) => word.replace(/(?<=...)(ings?|ed|e?s|ers?|e|y|ies|ied)$/, ''))

describe.each(topics().map((topic) => [topic.name, topic] as const))('the topic %s', (_, topic) => {
  it('shares no content word between its statements and its questions, and some with every lure', () => {
    const asked = new Set(topic.questions.flatMap(({ text }) => contentWords(text)))
    const shared = ({ text }: { readonly text: string }) =>
      contentWords(text).filter((word) => asked.has(word))
    expect(topic.statements.flatMap(shared)).toEqual([])
    for (const lure of topic.lures) expect(shared(lure).length, lure.text).toBeGreaterThanOrEqual(1)
  })

  it('is worded in training and in evaluation', () => {
    const counts = [topic.statements, topic.questions, topic.lures].map((list) =>
      (['train', 'held-out'] as const).map((choice) => templatesOf(list, choice).length),
    )
    expect(counts).toEqual([
      [6, 3],
      [4, 2],
      [2, 1],
    ])
  })
})

describe('other words', () => {
  it('has one statement on the topic, which no lure and no other topic repeats', async () => {
    for (const templates of ['train', 'held-out'] as const) {
      const task = otherWords.create({ prose: headings, templates })
      for (let index = 0; index < 150; index += 1) {
        const sample = await task.sample({ ...request, index })
        const topic = topics().find(({ name }) => name === sample.labels.kind)!
        const told = (await plantedStatements(sample)).flatMap(
          (statement) => readStatement(statement, topic.statements)?.value ?? [],
        )
        expect(told).toEqual(sample.references)
        expect(sample.notes!.map(({ text }) => text)).toEqual(sample.references)
      }
    }
  })

  it('is not found by the words of the question, which find lures', async () => {
    const task = otherWords.create({ prose: headings, absentShare: 0 })
    let lured = 0
    for (let index = 0; index < 100; index += 1) {
      const sample = await task.sample({ ...request, index })
      const ranking = new Bm25Ranking(contentWords(sample.question).join(' '))
      const [answer] = sample.references
      // A name may have any word: Morolwell Water Works.
      const unnamed = (await plantedStatements(sample)).map((statement) => statement.replace(answer!, '_'))
      const found = unnamed.filter((statement) => ranking.add(statement))
      expect(found.filter((statement) => statement.includes('_'))).toEqual([])
      lured += found.length > 0 ? 1 : 0
    }
    expect(lured).toBeGreaterThan(50)
  })

  it('tells only of other topics if the text does not answer', async () => {
    const whole = await otherWords.create({ prose, absentShare: 0 }).sample({ ...request, index: 9 })
    const absent = await otherWords.create({ prose }).sample({ ...request, index: 9 })
    expect([absent.question, absent.references]).toEqual([whole.question, []])
    expect([absent.notes, absent.labels.present]).toEqual([[], false])
  })
})
