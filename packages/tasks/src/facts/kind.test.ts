import { describe, expect, it } from 'vitest'
import { parseData } from '../data/load-data.ts'
import { createRandom } from '../random.ts'
import { factKindRows } from './kind.ts'

const keeper = `keeper:
  subjects: [building]
  value: person
  statements: |
    {value} keeps {subject}.
    ~ {Subject} has been kept by {value} since {year}.
  alsoTells:
    opening-year: |
      {Subject} has been kept by {value} since {year}.
  questions: |
    Who keeps {subject}?
    ~ Whose job is {bare}?
`
const read = (yaml: string) => parseData(yaml, factKindRows, 'mine.yaml')

describe('a record of a kind', () => {
  it('names the templates that are held out or for lessons alone, and what else a statement tells', () => {
    const [kind] = read(
      keeper.replace(/( +)(~ \{Subject\} has been)/, '$1+ One {value} keeps {subject}.\n$1$2'),
    )
    expect(kind).toMatchObject({ name: 'keeper', heldOut: false, subjects: ['building'], mayAnswer: [] })
    expect(kind!.statements).toEqual([
      { text: '{value} keeps {subject}.', heldOut: false, isForLessons: false, alsoTells: [] },
      { text: 'One {value} keeps {subject}.', heldOut: false, isForLessons: true, alsoTells: [] },
      {
        text: '{Subject} has been kept by {value} since {year}.',
        heldOut: true,
        isForLessons: false,
        alsoTells: ['opening-year'],
      },
    ])
    expect(kind!.questions.map(({ heldOut }) => heldOut)).toEqual([false, true])
  })

  it('holds out all templates of a kind that is held out', () => {
    const [kind] = read(keeper.replace('value: person', 'value: person\n  heldOut: true'))
    expect([...kind!.statements, ...kind!.questions].every(({ heldOut }) => heldOut)).toBe(true)
  })

  it.each([
    ["'{2-9} {keys|rings}'", /^[2-9] (keys|rings)$/],
    ['|\n    no. {1-9}\n    {10-99} {Nouns}', /^(no\. [1-9]|[1-9]\d [A-Z][a-z]+)$/],
    ['year', /^[12]\d{3}$/],
  ])('draws values as %s says', (value, text) => {
    const [kind] = read(keeper.replace('value: person', `value: ${value}`))
    for (let i = 0; i < 50; i += 1) expect(kind!.value(createRandom(i))).toMatch(text)
  })

  it.each([
    [
      'value: person',
      'value: persn',
      /keeper\.value cannot be "persn" \(it takes a pattern .* or one of accessCode, /,
    ],
    ['value: person', "value: '{1-9} {kepers}'", /keeper\.value .*has the unknown slot \{kepers\}/],
    ['[building]', '[buildings]', /keeper\.subjects\.0 cannot be "buildings" \(it takes "town", /],
    ['{value} keeps', '{person} keeps', /"\{person\} keeps \{subject\}\." does not have \{value\} once/],
    ['keeps {subject}', 'keeps it', /"\{value\} keeps it\." does not name the subject once/],
    [
      'since {year}',
      'since {century}',
      /has the unknown slot \{century\}; known: \{subject\}, \{Subject\}, /,
    ],
    ['~ {Subject} has', '~ {subject} has', /starts with \{subject\}; at the start it is \{Subject\}/],
    [
      'Who keeps {subject}',
      'Who is {value}',
      /keeper\.questions .*"Who is \{value\}\?" has the unknown slot \{value\}/,
    ],
    [
      '    opening-year: |\n      {S',
      '    opening-year: |\n      x{S',
      /keeper\.alsoTells\.opening-year .*not one of/,
    ],
    [
      'questions: |\n    Who keeps {subject}?\n    ~ Whose job is {bare}?',
      "questions: ''",
      /keeper\.questions cannot be "" \(it takes at least one line/,
    ],
    ['questions: |', 'asks: |', /keeper\.questions is missing/],
  ])('that has %s as %s is an error with file, record and field', (right, wrong, message) => {
    expect(keeper).toContain(right)
    expect(() => read(keeper.replace(right, wrong))).toThrow(
      /^mine\.yaml is not a valid table of data:\n {2}line \d+: keeper\./,
    )
    expect(() => read(keeper.replace(right, wrong))).toThrow(message)
  })
})
