import { describe, expect, it } from 'vitest'
import { paperProfile } from '../chat/profile.ts'
import { createScriptedModel } from '../chat/scripted.ts'
import { createEstimateTokenizer } from '../tokenizers/estimate.ts'
import { overwrite } from '../workflows/overwrite/overwrite.ts'
import { definePrompts, promptsFor } from '../workflows/prompts/prompts.ts'
import { profileFor, workflowNamed, workflowNames } from '../workflows/registry.ts'
import { checkWindow, type WindowCheck } from './window.ts'

const model = createScriptedModel([], { contextWindow: 8192 })
const serverModel = (contextWindow?: number) => ({
  name: 'openai:x',
  generate: model.generate,
  describe: async () => ({ model: 'x', contextWindow }),
})
const check = (more: Partial<WindowCheck>) =>
  checkWindow({
    model,
    profile: paperProfile,
    workflow: overwrite,
    tokenizer: model.tokenizer!,
    question: 'Who came?',
    signal: new AbortController().signal,
    ...more,
  })
const withBudget = (budget: Partial<typeof paperProfile.budget>) => ({
  ...paperProfile,
  budget: { ...paperProfile.budget, ...budget },
})

describe('the window check', () => {
  it("accepts the paper's window, with an exact tokenizer and with an estimate", async () => {
    await check({})
    await check({ model: serverModel(8192), tokenizer: createEstimateTokenizer() })
    await check({ model: serverModel(), tokenizer: createEstimateTokenizer(), question: 'why '.repeat(500) })
  })

  it.each(workflowNames)('accepts the default budget of %s', async (name) => {
    const workflow = await workflowNamed(name)
    const profile = profileFor(workflow)
    await check({ workflow, profile, question: 'why '.repeat(300) })
    const { chunk } = profile.budget
    expect(chunk).toBe(name === 'recall' ? 5000 - 1024 : 5000)
  })

  it('says by how much a budget is too large and which chunk would fit', async () => {
    const error = await check({ profile: withBudget({ chunk: 7000 }) }).catch((caught) => caught)
    expect(error).toMatchObject({
      code: 'reading/budget-exceeds-window',
      details: { window: 8192, chunk: 7000 },
    })
    const chunk = Number(/--chunk (\d+)/.exec(error.hint)?.[1])
    await check({ profile: withBudget({ chunk }) })
    await expect(check({ profile: withBudget({ chunk: chunk + 1 }) })).rejects.toThrow('8193')
  })

  it('counts the answer as well', async () => {
    await expect(check({ profile: withBudget({ output: 8000 }) })).rejects.toMatchObject({
      code: 'reading/budget-exceeds-window',
    })
  })

  it('rejects a model served with a smaller window, and says what to do', async () => {
    const error = await check({ model: serverModel(4096) }).catch((caught) => caught)
    expect(error).toMatchObject({ code: 'reading/window-too-small', details: { served: 4096, window: 8192 } })
    const chunk = Number(/--chunk (\d+)/.exec(error.hint)?.[1])
    await check({ model: serverModel(4096), profile: withBudget({ window: 4096, chunk }) })
  })

  it('counts a chunk as often as a template has it, and needs no template at all', async () => {
    const { update, ...templates } = promptsFor(overwrite, 'paper').templates
    const twice = update!.replace(/<section>.*<\/section>/s, '$&\n$&')
    const prompts = { name: 'twice', templates: { ...templates, update: twice } }
    const error = await check({ profile: { ...paperProfile, prompts } }).catch((caught) => caught)
    expect(error.message).toContain('2 times chunk 5000')
    const chunk = Number(/--chunk (\d+)/.exec(error.hint)?.[1])
    const withChunk = (size: number) => ({ profile: { ...withBudget({ chunk: size }), prompts } })
    await check(withChunk(chunk))
    await expect(check(withChunk(chunk + 1))).rejects.toMatchObject({ code: 'reading/budget-exceeds-window' })

    const silent = definePrompts({ conversations: {}, texts: {}, sets: { own: { templates: {} } } })
    await check({ workflow: { name: 'silent', prompts: silent } })
  })

  it('counts every memory that a place holds', async () => {
    const texts = {
      update: '<a>{question}</a><b>{slots}</b><c>{old}</c><d>{section}</d>',
      answer: '<a>{question}</a><c>{old}</c>',
    }
    const prompts = definePrompts({
      conversations: { update: ['question', 'slots', 'old', 'section'], answer: ['question', 'old'] },
      texts: {},
      memories: { slots: 3, old: 1 },
      sets: { own: { templates: texts } },
    })
    const workflow = { name: 'slots', prompts }
    const error = await check({ workflow }).catch((caught) => caught)
    expect(error.message).toContain('chunk 5000, 4 times memory 1024 read, 1024 written')
    const chunk = Number(/--chunk (\d+)/.exec(error.hint)?.[1])
    await check({ workflow, profile: withBudget({ chunk }) })
    await expect(check({ workflow, profile: withBudget({ chunk: chunk + 1 }) })).rejects.toThrow('8193')
    // @ts-expect-error no place has this name
    definePrompts({ ...prompts, memories: { slot: 3 } })
  })

  it('counts a question as it will appear in the prompt', async () => {
    const profile = withBudget({ question: 10 })
    const tokenizer = { name: 'bytes', isExact: true, count: (text: string) => Buffer.byteLength(text) }
    const small = { ...profile, budget: { ...profile.budget, question: 12, window: 20_000 } }
    await check({ profile: small, tokenizer, question: '<section ?', model: serverModel() })
    await expect(
      check({ profile: small, tokenizer, question: '<section> ?', model: serverModel() }),
    ).rejects.toMatchObject({ code: 'reading/question-too-long', details: { questionTokens: 13 } })
  })

  it.each([0, -1, 2.5, Number.NaN])('refuses a budget of %d', async (chunk) => {
    await expect(check({ profile: withBudget({ chunk }) })).rejects.toMatchObject({
      code: 'reading/bad-budget',
    })
  })
})
