import { describe, expect, it } from 'vitest'
import { groupLength } from '../pack-rows.ts'
import type { LessonEncoder } from './lesson-encoder.ts'
import { answerGroup, type Group, lessonGroups } from './lesson-groups.ts'
import { packGroups } from './pack-lessons.ts'
import { responseWriters } from './response-writers.ts'

/** Every character, control token and marker is one token. */
const marks = [
  '<|user|>',
  '<|assistant|>',
  '<|end|>',
  '<section>',
  '</section>',
  '<memory>',
  '</memory>',
  '<problem>',
  '</problem>',
  '<recalled>',
  '</recalled>',
  '\\boxed{',
]
const encoder: LessonEncoder = {
  plain: (text) => [...text].map((character) => character.charCodeAt(0)),
  marked: (text) =>
    [...text.matchAll(/<\|\w+\|>|<\/?\w+>|\\boxed\{|[\s\S]/g)].map(([part]) => {
      const mark = marks.indexOf(part)
      return mark < 0 ? part.charCodeAt(0) : 1000 + mark
    }),
  kindToken: () => 2000,
}
const form = { encoder, writer: responseWriters.overwrite }
const lesson = {
  section: 'Al is 1.',
  statements: [{ ends: [8, 8], valueStart: 6, kind: undefined }],
  questions: [
    {
      question: 'Al?',
      kind: undefined,
      subject: 'Al',
      answeredBy: 0,
      turns: [
        { memory: 'nothing yet', response: ' 1', case: 'found' },
        { memory: '2', response: ' 1', case: 'replaced' },
      ],
    },
  ],
} as const

describe('lessonGroups', () => {
  it('shares everything up to the end of the section and nothing after it', () => {
    const group = lessonGroups(lesson, form, 10)[0]!
    expect(group.trunk).toEqual(encoder.marked('<|user|><problem> Al?</problem><section>Al is 1.'))
    expect(group.branches[0]!.tokens).toEqual(
      encoder.marked('</section><memory> nothing yet</memory><|assistant|> 1<|end|>'),
    )
    expect(group.branches[0]!.responseStart).toBe(group.branches[0]!.tokens.length - 3)
  })

  it('shows a workflow that recalls memories what it shows where there is none', () => {
    const ofRecall = { encoder, writer: responseWriters.recall }
    const [found, replaced] = lessonGroups(lesson, ofRecall, 10)[0]!.branches
    const before = '</section><recalled> nothing</recalled><memory>'
    const textOf = (tokens: readonly number[]) =>
      tokens.map((token) => marks[token - 1000] ?? String.fromCharCode(token)).join('')
    expect(textOf(found!.tokens)).toBe(
      `${before} nothing yet</memory><|assistant|><update> 1</update><|end|>`,
    )
    expect(textOf(replaced!.tokens)).toBe(`${before} 2</memory><|assistant|><update> 1</update><|end|>`)
    const asked = { question: 'Al?', memory: new Map([['fact', '1']]), answer: '1' }
    const answer = answerGroup(asked, ofRecall).branches[0]!
    expect(textOf(answer.tokens)).toContain('Al?</problem><recalled> nothing</recalled><memory> 1</memory>')
  })

  it('has a merge for each report of news, where a workflow reports', () => {
    const { question, ...rest } = lesson.questions[0]
    const kept = { memory: '2', response: ' 2', case: 'kept' } as const
    const asked = { ...lesson, questions: [{ ...rest, question, turns: [...rest.turns, kept] }] }
    const groups = lessonGroups(asked, { encoder, writer: responseWriters.parallel }, 10)
    const written = groups.map(({ trunk, branches }) => [...trunk, ...branches[0]!.tokens])
    const report = (memory: string, response: string) =>
      `<|user|><problem> Al?</problem><memory> ${memory}</memory><section>Al is 1.</section><|assistant|>${response}<|end|>`
    const merge = (memory: string) =>
      `<|user|><problem> Al?</problem><memory> ${memory}</memory><reports> 1</reports><|assistant|> 1<|end|>`
    expect(written).toEqual(
      [
        report('nothing yet', 'yes\n 1'),
        report('2', 'yes\n 1'),
        report('2', 'no'),
        merge('nothing yet'),
        merge('2'),
      ].map(encoder.marked),
    )
  })

  it('is empty when the section is longer than allowed', () => {
    expect(lessonGroups(lesson, form, 6)).toEqual([])
  })
})

describe('packGroups', () => {
  const group = lessonGroups(lesson, form, 10)[0]!
  const alone: Group = {
    trunk: [],
    branches: [{ tokens: [5, 6, 7, 8, 9], responseStart: 3, name: 'answer' }],
  }

  it('lays groups one after another, with branches that start where the trunk ends', () => {
    const batch = packGroups([group, alone], 64)
    expect(batch.rows).toBe(1)
    const trunk = group.trunk.length
    const first = group.branches[0]!.tokens.length
    expect(batch.positions[trunk]).toBe(trunk)
    expect(batch.positions[trunk + first]).toBe(trunk)
    expect(batch.branch[trunk - 1]).toBe(0)
    expect([batch.branch[trunk], batch.branch[trunk + first]]).toEqual([1, 2])
    expect(batch.group[groupLength(group)]).toBe(1)
    expect(batch.group[63]).toBe(-1)
  })

  it('trains response tokens only, each predicted by the token before it, all with the same weight', () => {
    const batch = packGroups([group, alone], 64)
    expect(batch.responses.map(({ name }) => name)).toEqual([
      'echo',
      'verdict-yes',
      'found',
      'replaced',
      'answer',
    ])
    const at = (name: string) => {
      const { from, to } = batch.responses.find((response) => response.name === name)!
      return [...batch.targets.slice(from, to)]
    }
    expect(at('found')).toEqual(encoder.marked(' 1<|end|>'))
    expect(at('replaced')).toEqual(encoder.marked(' 1<|end|>'))
    expect(at('answer')).toEqual([8, 9])
    // The name's second letter after its first, and the value's beginning after the full stop.
    expect(at('echo')).toEqual(encoder.marked('l'))
    expect(at('verdict-yes')).toEqual(encoder.marked(' '))
    expect(batch.tokens[batch.targetRows[0]!]).toBe(encoder.plain('A')[0])
    expect(batch.tokens[batch.targetRows[1]!]).toBe(encoder.plain('.')[0])
    batch.targets.forEach((target, n) => {
      if (n === 1) return
      expect(batch.tokens[batch.targetRows[n]! + 1]).toBe(target)
    })
    expect(batch.coefficients.reduce((sum, c) => sum + c, 0)).toBeCloseTo(1, 6)
  })

  it('counts a shared section in each of its conversations, and no padding', () => {
    const [one, other] = group.branches.map(({ tokens }) => tokens.length)
    // Two conversations about one section, and one of five tokens.
    expect(packGroups([group, alone], 64).conversationTokens).toBe(2 * group.trunk.length + one! + other! + 5)
  })

  it('opens a new row when one is full, and refuses a group that fits no row', () => {
    expect(packGroups([group, group], groupLength(group)).rows).toBe(2)
    expect(() => packGroups([group], 16)).toThrow(/does not fit a row of 16/)
  })
})

describe('answerGroup', () => {
  it('asks without a section and boxes the answer', () => {
    const { tokens, responseStart } = answerGroup(
      { question: 'A?', memory: new Map([['fact', '1']]), answer: '1' },
      form,
    ).branches[0]!
    expect(tokens.slice(responseStart)).toEqual(encoder.marked('\\boxed{ 1}<|end|>'))
  })
})
