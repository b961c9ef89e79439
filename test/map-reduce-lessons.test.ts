/** The lessons for map-reduce are conversations that the benchmark's method holds, and their answers are right. */

import { readFileSync } from 'node:fs'
import { createMethod } from '@memagent/bench'
import { createHuggingFaceTokenizer, type ModelProfile } from '@memagent/core'
import { createRandom, createTextProse, type Sample, type Task, tasks } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { perfectReading, responseWriters } from '../packages/train/src/testing/perfect-lessons.ts'

const nano = new URL('../models/nano/tokenizer.json', import.meta.url)
const tokenizer = createHuggingFaceTokenizer(JSON.parse(readFileSync(nano, 'utf8')), undefined, {
  name: 'nano',
})
const words = 'river stone lamp seven window quiet market under yellow paper north engine'.split(' ')
const random = createRandom('prose of lessons')
const sentence = () => `${Array.from({ length: 9 }, () => random.pick(words)).join(' ')}.`
const paragraph = () => Array.from({ length: 4 }, sentence).join(' ')
const prose = createTextProse('lessons', Array.from({ length: 80 }, paragraph).join('\n\n'))
const budget = { window: 1024, question: 128, chunk: 90, memory: 160, output: 160 }
const profile: ModelProfile = { name: 'lessons', prompts: 'compact', budget }
const common = { prose, split: 'train', templates: 'train' } as const
const countTokens = (text: string) => tokenizer.encode(text).length

const lessonsOf = (sample: Sample) =>
  perfectReading(sample, responseWriters['map-reduce'], profile, tokenizer, 'not in the text')

/** [task, how many of twelve documents have lessons at least] */
const skills: Record<string, [() => Promise<Task>, number]> = {
  'facts-in-prose': [() => tasks['facts-in-prose'](common), 9],
  'several-values': [() => tasks['several-values'](common), 9],
  'all-mentions': [() => tasks['all-mentions']({ ...common, mentions: [2, 3, 4] }), 6],
  'corrected-fact': [() => tasks['corrected-fact'](common), 9],
  'many-facts': [() => tasks['many-facts'](common), 9],
  'order-of-telling': [() => tasks['order-of-telling']({ ...common, wish: ['list', 'nth'] }), 9],
  'never-mentioned': [() => tasks['never-mentioned']({ ...common, wish: 'which' }), 9],
  // Equal counts are left out as duplicates, and a link or an outcome says nothing without what was told before it.
  count: [() => tasks.tally({ ...common, measure: 'count', events: [1, 2, 3] }), 1],
  'changing-state': [() => tasks['changing-state'](common), 1],
  'two hops': [() => tasks['multi-hop']({ ...common, hops: 2, order: 'forward' }), 1],
}

describe('lessons of map-reduce', () => {
  it.each(Object.keys(skills))('of %s are what the method asks, and lead to the answer', async (name) => {
    const [create, least] = skills[name]!
    const task = await create()
    const method = await createMethod('map-reduce')
    let taught = 0
    for (let index = 0; index < 12; index += 1) {
      const sample = await task.sample({ index, seed: 5, lengthTokens: 900, countTokens })
      const lessons = await lessonsOf(sample)
      if (!lessons) continue
      taught += 1
      const responses = new Map(lessons.map(({ messages, response }) => [messages[0]!.content, response]))
      const generate = async ([message]: readonly { readonly content: string }[]) => {
        const text = responses.get(message!.content)
        expect(text, message!.content).toBeDefined()
        return { text: text!, usage: undefined, finishReason: { unified: 'stop', raw: undefined } } as const
      }
      const { answer } = await method.answer({
        question: sample.question,
        document: sample.document,
        model: { name: 'pupil', profile, tokenizer, generate },
        profile,
        tokenizer,
      })
      const stated = answer.outcome === 'found' ? answer.text : undefined
      expect(task.score(sample, stated)).toMatchObject({ strict: 1 })
    }
    expect(taught).toBeGreaterThanOrEqual(least)
  })

  it('merge the notes of several chunks, in their order', async () => {
    const task = await tasks['several-values'](common)
    const sample = await task.sample({ index: 0, seed: 5, lengthTokens: 900, countTokens })
    const lessons = (await lessonsOf(sample))!
    const notes = lessons
      .slice(0, -2)
      .flatMap(({ response, kind }) => (kind === 'changed' ? [response.trim()] : []))
    expect(notes.length).toBeGreaterThan(1)
    const [merge, answer] = lessons.slice(-2)
    expect(merge!.messages[0]!.content).toContain(
      `<section>${notes.join('; ')}</section><memory> nothing yet`,
    )
    expect(merge!.response.trim().split('; ').toSorted()).toEqual(sample.references.toSorted())
    expect(answer!.messages[0]!.content).toContain(`<memory> ${notes.join('; ')}</memory>`)
  })
})
