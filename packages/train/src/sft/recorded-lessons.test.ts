/**
 * Recorded trainings used exactly these lessons, so moving code or data must not change them unnoticed. The usual cause of a
 * difference is a changed order or random draw: undo it. If the change is intended, put the new hashes here, and name in the
 * commit the recorded trainings that used other lessons.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createRandom, factKinds } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { parseSftConfig } from './config.ts'
import { type BatchSource, drawBatch } from './draw-batch.ts'
import { loadProse } from './prose-passages.ts'
import { drawLesson } from './reading-lesson.ts'
import { responseWriters } from './response-writers.ts'

const repository = resolve(import.meta.dirname, '../../../..')
const seed = 1

/** By stage: of 200 lessons, and of ten batches. */
const recorded = {
  'recipes/nano/sft.yaml': [
    { lessons: 'f420db6bbcb874ac', batches: '39b9a73862a35cbd' },
    { lessons: '54d3d4c8b44b66d6', batches: 'a5c5d3be1995f2ee' },
    { lessons: '610a80357172a8e7', batches: 'e882cedd416c828b' },
  ],
  'recipes/lab/sft-more.yaml': [{ lessons: '7ebc9429458c4231', batches: '2d222c10eba46944' }],
}

const words =
  'river stone lamp seven window quiet market under yellow paper north engine letter garden slow bright'.split(
    ' ',
  )
const prose = loadProse(
  Array.from({ length: 3 }, (_, text) => {
    const random = createRandom('prose', text)
    const sentence = () => Array.from({ length: random.between(4, 14) }, () => random.pick(words)).join(' ')
    return Array.from({ length: 700 }, () => `${sentence()}.`).join(' ')
  }),
)

/** Characters as tokens: no tokenizer can change the batches. */
const encode = (text: string) => [...text].map((character) => character.codePointAt(0)! % 8000)
const source: BatchSource = {
  prose,
  encoder: {
    plain: encode,
    marked: encode,
    kindToken: (kind) => 8127 - factKinds().findIndex(({ name }) => name === kind),
  },
  emptyMemory: 'nothing yet',
  writer: responseWriters.overwrite,
  notFound: 'not in the text',
  charactersPerToken: 1,
  split: 'train',
  templates: 'train',
}

const hashOf = (drawn: readonly unknown[]) =>
  createHash('sha256')
    .update(
      JSON.stringify(drawn, (_, value) => (ArrayBuffer.isView(value) ? [...(value as Int32Array)] : value)),
    )
    .digest('hex')
    .slice(0, 16)

describe.each(Object.entries(recorded))('lessons of %s', (path, hashes) => {
  const { stages } = parseSftConfig(readFileSync(resolve(repository, path), 'utf8'), path)

  it.each(stages.map((stage, i) => [i + 1, stage] as const))(
    'are as recorded in stage %i',
    async (number, stage) => {
      const lessons = Array.from({ length: 200 }, (_, i) =>
        drawLesson(prose, createRandom(seed, 'lesson', number, i), {
          ...stage,
          // Every second lesson is drawn as in evaluations.
          ...(i % 2 === 0
            ? { split: 'train', templates: 'train' }
            : { split: 'eval', templates: 'held-out' }),
          sectionCharacters: 4 * stage.sectionTokens,
          emptyMemory: source.emptyMemory,
        }),
      )
      const longer = { ...stage, rows: 2, sectionTokens: 600, rowTokens: 1280 }
      const batches = await Promise.all(
        Array.from({ length: 10 }, (_, step) => drawBatch(source, longer, seed, step)),
      )
      // The hashes are older than these counts, which do not affect learning.
      const learned = batches.map(({ conversationTokens: _, documents: __, ...batch }) => batch)
      expect({ lessons: hashOf(lessons), batches: hashOf(learned) }).toEqual(hashes[number - 1])
    },
  )

  it('are recorded for every stage', () => {
    expect(stages).toHaveLength(hashes.length)
  })
})
