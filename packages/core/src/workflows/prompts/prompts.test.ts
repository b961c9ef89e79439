import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parseProfile } from '../../settings/parse-profile.ts'
import { edits } from '../edits/edits.ts'
import { gated } from '../gated/gated.ts'
import { overwrite } from '../overwrite/overwrite.ts'
import { parallel } from '../parallel/parallel.ts'
import { recall } from '../recall/recall.ts'
import type { Workflow } from '../workflow.ts'
import { definePrompts, type PromptSet, type Prompts, parsePromptSet, promptsFor } from './prompts.ts'

const recorded = JSON.parse(
  readFileSync(new URL('../__fixtures__/rendered-prompts.json', import.meta.url), 'utf8'),
)
/** Texts with what looks like places in them. */
const parts = {
  question: 'Who wrote the code down?',
  memory: 'Ann has a {memory}.',
  section: 'It is {4821}. $& {question}',
  recalled: 'Ann had {recalled} it.',
}

it.each(['paper', 'compact'])('the prompts %s are byte for byte what models were trained with', (name) => {
  const prompts = promptsFor(overwrite, name)
  const { markers, ...rendered } = recorded[name]
  expect({
    emptyMemory: prompts.text('emptyMemory', {}),
    update: prompts.messages('update', parts),
    note: prompts.messages('note', parts),
    answer: prompts.messages('answer', parts),
    draft: prompts.text('draft', parts),
  }).toEqual(rendered)
  expect([...prompts.markers].sort()).toEqual([...markers].sort())
})

it.each([
  ['paper', 'edits', edits],
  ['compact', 'edits', edits],
  ['paper', 'gated', gated],
  ['compact', 'gated', gated],
  ['paper', 'recall', recall],
  ['compact', 'recall', recall],
  ['paper', 'parallel', parallel],
  ['compact', 'parallel', parallel],
] as const)(
  'the prompts %s of %s are byte for byte those that training begins with',
  (name, _, workflow: Pick<Workflow, 'name' | 'prompts'>) => {
    const prompts = promptsFor(workflow, name)
    const { markers, emptyMemory, texts: otherTexts, ...conversations } = recorded[workflow.name][name]
    const lines = workflow === edits ? { ...parts, memory: '#1 Ann has a {memory}.\n#3 It is old.' } : parts
    const rendered = Object.keys(workflow.prompts.conversations).map((conversation) => [
      conversation,
      (prompts as Prompts).messages(conversation, lines),
    ])
    expect(Object.fromEntries(rendered)).toEqual(conversations)
    const texts = Object.keys(workflow.prompts.texts).map((text) => [
      text,
      (prompts as Prompts).text(text, {}),
    ])
    expect(Object.fromEntries(texts)).toEqual({ emptyMemory, ...otherTexts })
    expect([...prompts.markers].sort()).toEqual(markers)
  },
)

/** MemAgent's structure in few words. */
const templates = {
  update:
    '<problem>{question}</problem><memory>{memory}</memory><section>{section}</section> Updated memory:',
  note: '<memory>{memory}</memory><section>{section}</section> Updated memory:',
  answer: '<problem>{question}</problem><memory>{memory}</memory> Put the answer in \\boxed{}:',
  emptyMemory: 'None.',
}
const set = (changes: Record<string, unknown> = {}): PromptSet =>
  parsePromptSet({ ...templates, ...changes }, 'mine.yaml', 'mine')
const choose = (changes: Record<string, unknown>) => () => promptsFor(overwrite, set(changes))

describe('a set from a file', () => {
  it('is rendered with its places filled, and other braces as they are', () => {
    const prompts = promptsFor(
      overwrite,
      set({ note: 'As {"json": 1}, in \\boxed{}, {{memory}} <a>{memory}</a><b>{section}</b>' }),
    )
    expect(prompts.messages('note', parts)[0]?.content).toBe(
      `As {"json": 1}, in \\boxed{}, {memory} <a>${parts.memory}</a><b>${parts.section}</b>`,
    )
    expect(prompts.text('draft', parts)).toBe(parts.memory)
    expect(prompts.markers).toContain('</section>')
  })

  it('is told from others by its words, and the sets of a workflow by their names', () => {
    const { name, identity } = promptsFor(overwrite, set())
    expect(name).toBe('mine')
    expect(identity).toMatch(/^mine [0-9a-f]{16}$/)
    expect(promptsFor(overwrite, set({ emptyMemory: 'Nothing.' })).identity).not.toBe(identity)
    expect(promptsFor(overwrite, 'compact').identity).toBe('compact')
    expect(promptsFor(overwrite, undefined).identity).toBe('paper')
  })

  it.each([
    [{ updat: 'x' }, 'updat is no template of it (it has update, note, answer, emptyMemory, draft)'],
    [{ update: templates.note }, 'update: the place {question} is missing'],
    [
      { answer: `${templates.answer} {question} {sektion}` },
      'answer: {sektion} is no place (there is {question}, {memory}; for the word in braces, write {{sektion}})',
    ],
    [
      { note: '<section>{section}</section> Memory: {memory} Updated memory:' },
      'note: text in {memory} could run on into what follows it; end it with a tag, such as <memory>{memory}</memory>',
    ],
    [
      { note: '<memory>{memory}</memory> The text: {section}' },
      'note: text in {section} could run on into what follows it',
    ],
    [{ markers: ['###'] }, 'markers: '],
  ])('%j is refused, naming file and field', (changes, problem) => {
    expect(choose(changes)).toThrow('mine.yaml holds no prompts for the workflow overwrite:\n  ')
    expect(choose(changes)).toThrow(problem)
  })

  it.each([
    [['a'], 'templates by name are wanted'],
    [{ ...templates, note: 4 }, 'note: a text is wanted'],
    [{ ...templates, name: '' }, 'name: a text that is not empty is wanted'],
    [{ ...templates, markers: '[END]' }, 'markers: a list of texts is wanted'],
  ])('%j is no set, naming file and field', (fields, problem) => {
    expect(() => parsePromptSet(fields, 'mine.yaml', 'mine')).toThrow(
      `mine.yaml holds no prompts:\n  ${problem}`,
    )
  })

  it('lacks templates: every one is named at once', () => {
    const { note: _, emptyMemory: __, ...rest } = templates
    const choose = () => promptsFor(overwrite, parsePromptSet(rest, 'mine.yaml', 'mine'))
    expect(choose).toThrow('note is missing\n  emptyMemory is missing')
  })

  it('may have markers of its own instead of tags', () => {
    const note = '{memory} [MEMORY ENDS] {section} [SECTION ENDS] Updated memory:'
    expect(choose({ note })).toThrow('{memory} could run on')
    const markers = ['[MEMORY ENDS]', '[SECTION ENDS]']
    expect(promptsFor(overwrite, set({ note, markers })).markers).toEqual(expect.arrayContaining(markers))
  })
})

it('a name that is no set of the workflow is refused, listing those there are', () => {
  expect(() => promptsFor(overwrite, 'papre')).toThrow('The workflow overwrite has no prompts named papre.')
  expect(() => promptsFor(overwrite, 'papre')).toThrow(
    expect.objectContaining({
      hint: expect.stringMatching(/^It has paper, section-first, compact: choose one with --prompts NAME/),
    }),
  )
  expect(() => promptsFor(overwrite, 'toString')).toThrow('no prompts named toString')
})

it('a workflow whose own set is not as it says is refused where it is defined', () => {
  const define = () =>
    definePrompts({
      conversations: { read: ['section'] },
      texts: { empty: [] },
      sets: { own: { templates: { read: '<text>{sektion}</text>', empty: '' } } },
    })
  expect(define).toThrow('The set own holds no prompts:\n  read: the place {section} is missing')
})

it('a workflow that forgets a part, or a template, is told so instead of asking for {section}', () => {
  const prompts = promptsFor(overwrite, 'paper') as Prompts
  expect(() => prompts.messages('note', { memory: 'x' })).toThrow(
    'The template note of the prompts paper cannot be rendered: no text was given for {section}.',
  )
  expect(() => prompts.messages('update', { ...parts, question: 7 as never })).toThrow('{question}')
  expect(() => prompts.messages('gate', parts)).toThrow('there is no such template')
})

it('a profile may carry a set', () => {
  const budget = { window: 512, question: 64, chunk: 256, memory: 64, output: 64 }
  const profileOf = (prompts: object) => parseProfile({ name: 'mine', budget, prompts }, 'profile.json')
  const { name, messages } = promptsFor(overwrite, profileOf({ ...templates, name: 'short' }).prompts)
  expect(name).toBe('short')
  expect(messages('note', parts)[0]?.content).toMatch(/^<memory>Ann has/)
  expect(() => promptsFor(overwrite, profileOf({ note: 'x' }).prompts)).toThrow(
    'profile.json: prompts holds no prompts for the workflow overwrite:',
  )
})
