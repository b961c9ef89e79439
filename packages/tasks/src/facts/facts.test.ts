import { describe, expect, it } from 'vitest'
import { relations } from '../multi-hop/relations.ts'
import { createRandom, type Random } from '../random.ts'
import { createDecoy, createFact, type Fact, isApartFrom, isToldApart } from './facts.ts'
import { factKinds as readFactKinds } from './kinds.ts'
import { poolOf } from './pools.ts'

const factKinds = readFactKinds()

const contains = (one: string, other: string) => one.toLowerCase().includes(other.toLowerCase())

describe('the tables', () => {
  const ordinary = factKinds.filter((kind) => !kind.name.startsWith('ruler-'))
  const training = ordinary.filter((kind) => !kind.heldOut)

  it('hold hundreds of different templates in many kinds', () => {
    const statements = ordinary.flatMap((kind) => kind.statements.map(({ text }) => text))
    expect(new Set(statements).size).toBe(statements.length)
    expect(statements.length).toBeGreaterThan(800)
    expect(ordinary.length).toBeGreaterThan(70)
    expect(new Set(factKinds.map((kind) => kind.name)).size).toBe(factKinds.length)
  })

  it('hold out at least three kinds, and about a fifth of the rest', () => {
    expect(ordinary.filter((kind) => kind.heldOut).length).toBeGreaterThanOrEqual(3)
    for (const part of ['statements', 'questions'] as const) {
      const templates = training.flatMap((kind) => kind[part]).filter(({ isForLessons }) => !isForLessons)
      const share = templates.filter((template) => template.heldOut).length / templates.length
      expect(share).toBeGreaterThan(0.15)
      expect(share).toBeLessThan(0.27)
    }
  })

  it('never train on a held-out template, whatever its case and punctuation', () => {
    const words = (text: string) =>
      text
        .toLowerCase()
        .replace(/\{subject\}|\{bare\}|\{slug\}/g, '{subject}')
        .replace(/[^a-z{}]+/g, ' ')
        .trim()
    for (const part of ['statements', 'questions'] as const) {
      const trained = new Set(
        training
          .flatMap((kind) => kind[part])
          .filter(({ heldOut }) => !heldOut)
          .map(({ text }) => words(text)),
      )
      const heldOut = ordinary.flatMap((kind) => kind[part]).filter(({ heldOut }) => heldOut)
      expect(heldOut.map(({ text }) => text).filter((text) => trained.has(words(text)))).toEqual([])
    }
  })

  it.each(training.map((kind) => [kind.name, kind] as const))('%s can be trained and tested', (_, kind) => {
    for (const isHeldOut of [true, false]) {
      expect(kind.statements.some((template) => template.heldOut === isHeldOut)).toBe(true)
      expect(kind.questions.some((template) => template.heldOut === isHeldOut)).toBe(true)
    }
    expect(kind.statements.length).toBeGreaterThanOrEqual(10)
    expect(kind.questions.length).toBeGreaterThanOrEqual(4)
  })

  it('state subject and value once in every statement, and ask for the subject in every question', () => {
    for (const kind of factKinds) {
      for (const { text } of kind.statements) {
        expect(text.match(/\{value\}/g)?.length, text).toBe(1)
        expect(text.match(/\{(subject|Subject|bare|Bare|slug)\}/g)?.length, text).toBe(1)
        expect(text.startsWith('{subject}'), text).toBe(false)
      }
      for (const { text } of kind.questions) {
        expect(text.match(/\{(subject|bare)\}/g)?.length, text).toBe(1)
        expect(text).not.toMatch(/\{(Subject|slug|value|person|town|firm|date|year|time)\}/)
      }
    }
  })
})

describe.each(factKinds.map((kind) => kind.name))('facts of the kind %s', (kind) => {
  it('are pure functions of their seed, from the requested pool, and no decoy answers the question', () => {
    for (const split of ['train', 'eval'] as const) {
      for (let i = 0; i < 40; i += 1) {
        const options = { split, templates: 'any', kind } as const
        const fact = createFact(createRandom(kind, i), options)
        const again = createFact(createRandom(kind, i), options)
        expect([again.statement, again.subject, again.value]).toEqual([
          fact.statement,
          fact.subject,
          fact.value,
        ])
        expect([poolOf(fact.subject), poolOf(fact.value)]).toEqual([split, split])
        expect(fact.statement.slice(fact.valueStart, fact.valueStart + fact.value.length)).toBe(fact.value)
        expect(fact.statement).not.toMatch(/[{]\w+[}]|undefined|(?<!\.)\.\.(?!\.)|\b(a|the) (a|an|the) /i)
        // The value is never adapted to the sentence, so one at its start must look like a start.
        if (fact.statementTemplate.startsWith('{value}')) {
          expect(fact.statement).toMatch(/^[^a-z]|^[\da-f]{8}-/)
        }
        const random = createRandom('decoys', kind, i)
        for (const style of ['same-kind', 'shared-name', 'same-subject-other-kind'] as const) {
          const decoy = createDecoy(random, fact, { style, templates: 'any' })
          expect(contains(decoy.value, fact.value) || contains(fact.value, decoy.value)).toBe(false)
          if (decoy.kind === fact.kind) {
            expect(contains(decoy.subject, fact.subject) || contains(fact.subject, decoy.subject)).toBe(false)
          } else {
            expect(decoy.subject).toBe(fact.subject)
          }
        }
        const question = fact.question(random)
        expect(question.text).toContain(fact.subject.replace(/^the /, ''))
      }
    }
  })
})

describe('createFact', () => {
  it('uses only training templates, kinds and questions for training', () => {
    const random = createRandom('training')
    for (let i = 0; i < 500; i += 1) {
      const fact = createFact(random, { split: 'train', templates: 'train' })
      expect([fact.statementHeldOut, fact.kindHeldOut, fact.question(random).heldOut]).toEqual([
        false,
        false,
        false,
      ])
    }
  })

  it('takes a given subject, and names unknown kinds', () => {
    const random = createRandom('given')
    const fact = createFact(random, { split: 'eval', templates: 'any', kind: 'mayor', subject: 'Quahog' })
    expect(fact.statement).toContain('Quahog')
    expect(createDecoy(random, fact, { style: 'shared-name' }).subject).not.toBe('Quahog')
    expect(() => createFact(random, { split: 'eval', templates: 'any', kind: 'nope' })).toThrow(
      /unknown kind of fact: nope/,
    )
  })
})

describe('decoys about the same subject', () => {
  it('never also state the wanted fact', () => {
    const decoys = ['work-year', 'author', 'birthday', 'event-date', 'address'].flatMap((kind) =>
      Array.from({ length: 400 }, (_, i) => {
        const random = createRandom('double', kind, i)
        const fact = createFact(random, { split: 'eval', templates: 'any', kind })
        return { kind, ...makeDecoyOf(random, fact) }
      }),
    )
    const telling = decoys.filter(
      ({ kind, statement, told }) =>
        (kind === 'work-year' && /^(In \d{4}, .* finished|Catalogue entry: .*\d{4}\))/.test(statement)) ||
        (kind === 'author' && /^\S+ \S+ completed .* in \d{4}\.$/.test(statement)) ||
        (kind === 'birthday' && /^The life of .* began in/.test(statement)) ||
        (kind === 'event-date' && told === 'start-time') ||
        (kind === 'address' && told === 'headquarters'),
    )
    expect(telling).toEqual([])
  })

  it('use existing kinds', () => {
    const kinds = [...factKinds, ...relations().map(({ kind }) => kind)]
    const told = kinds.flatMap(({ mayAnswer, statements }) => [
      ...mayAnswer,
      ...statements.flatMap(({ alsoTells }) => alsoTells),
    ])
    expect(told.length).toBeGreaterThan(20)
    expect(told.filter((name) => !kinds.some((kind) => kind.name === name))).toEqual([])
  })
})

describe('decoys that share the name', () => {
  it('share some word of it in most cases', () => {
    const random = createRandom('shared')
    let shared = 0
    for (let i = 0; i < 300; i += 1) {
      const fact = createFact(random, {
        split: 'eval',
        templates: 'any',
        kind: i % 2 === 0 ? 'access-code' : 'phone',
      })
      const own = new Set(fact.subject.replace(/^the /, '').split(' '))
      const decoy = createDecoy(random, fact, { style: 'shared-name' })
      shared += decoy.subject.split(' ').some((word) => own.has(word)) ? 1 : 0
    }
    expect(shared).toBeGreaterThan(240)
  })

  it('have other names when none share a part any more', () => {
    const random = createRandom('few siblings')
    for (let i = 0; i < 50; i += 1) {
      const fact = createFact(random, { split: 'eval', templates: 'train', kind: 'version' })
      const others: { subject: string; value: string }[] = []
      while (others.length < 30) {
        const { subject } = createDecoy(random, fact, { style: 'shared-name', avoid: others })
        others.push({ subject, value: '\n' })
      }
      expect(new Set(others.map(({ subject }) => subject)).size).toBe(30)
    }
  })
})

describe('names that are answers', () => {
  it.each([
    ['the metrics cluster', 'the legacy metrics cluster', true, false],
    ['The Cold Castle', 'the ferry Cold Castle', true, false],
    ['Anna Mott', 'Anna Mott-Keller', false, false],
    ['the old tower', 'the new tower', true, true],
    ['a cat', 'the black catalogue', true, true],
  ])('%s and %s: apart as written %s, to the verifier %s', (one, other, written, told) => {
    expect([isApartFrom(one, other), isApartFrom(other, one)]).toEqual([written, written])
    expect([isToldApart(one, other), isToldApart(other, one)]).toEqual([told, told])
  })
})

function makeDecoyOf(random: Random, fact: Fact) {
  const decoy = createDecoy(random, fact, { style: 'same-subject-other-kind', templates: 'any' })
  return { statement: decoy.statement, told: decoy.kind }
}
