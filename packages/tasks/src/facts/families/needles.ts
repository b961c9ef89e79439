/** RULER's needles (arXiv 2404.06654, `niah.py`): one sentence, three types of values; keys are adjective-noun. Tables only. */

import * as codes from '../codes.ts'
import type { FactFamily, FactKindRow, ValueSource } from '../kind.ts'
import * as values from '../values.ts'

const needleKind = (type: 'number' | 'word' | 'uuid', value: ValueSource): FactKindRow => ({
  name: `ruler-${type}`,
  subjects: ['key'],
  value,
  statements: [`One of the special magic ${type}s for {subject} is: {value}.`],
  questions: [
    `What is the special magic ${type} for {subject} mentioned in the provided text?`,
    `What are all the special magic ${type}s for {subject} mentioned in the provided text?`,
  ],
})

const kinds: readonly FactKindRow[] = [
  needleKind('number', values.magicNumber),
  needleKind('word', values.magicWord),
  needleKind('uuid', codes.uuid),
]

export const needles: FactFamily = { kinds, wordings: {}, statements: {}, questions: {} }
