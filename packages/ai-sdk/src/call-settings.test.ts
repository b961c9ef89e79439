/** What of a call is not supported, through the SDK itself. */
import { createScriptedModel } from '@memagent/core'
import { generateText, jsonSchema, Output, tool } from 'ai'
import { beforeAll, expect, it } from 'vitest'
import { createMemAgentModel } from './memagent-model.ts'

beforeAll(() => {
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false })
})

function modelOf(...responses: string[]) {
  const scripted = createScriptedModel(responses, { name: 'scripted' })
  return { calls: scripted.calls, model: createMemAgentModel({ model: scripted }) }
}

it('is a warning where it only steers sampling', async () => {
  const { model } = modelOf('Hello.')
  const { warnings } = await generateText({
    model,
    prompt: 'Hi',
    topK: 4,
    presencePenalty: 0,
    frequencyPenalty: 1,
    stopSequences: ['x'],
  })
  expect(warnings).toMatchObject([
    { type: 'unsupported', feature: 'topK' },
    { type: 'unsupported', feature: 'frequencyPenalty' },
    { type: 'compatibility', feature: 'stopSequences' },
  ])
})

it('is a warning for how much is to be reasoned, which AI SDK 7 says', async () => {
  const warningsOf = async (reasoning: string) => {
    const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] as const
    return modelOf('Hello.').model.doGenerate({ prompt: [...prompt], ...{ reasoning } } as never)
  }
  expect((await warningsOf('high')).warnings).toMatchObject([{ type: 'unsupported', feature: 'reasoning' }])
  expect((await warningsOf('provider-default')).warnings).toEqual([])
})

it('is a model that is none of memagent, such as one of the SDK', () => {
  const model = modelOf().model as never
  for (const options of [{ model }, {}, undefined]) {
    expect(() => createMemAgentModel(options as never)).toThrow('model is no chat model of memagent')
  }
})

it.each([
  [{ workflow: {} }, 'workflow is neither a workflow nor the name of one'],
  [{ workflow: null }, 'workflow is neither a workflow nor the name of one'],
  [{ profile: 'compact' }, 'The budget is none'],
])('is the option %j, before a call', (option, message) => {
  const model = createScriptedModel([])
  expect(() => createMemAgentModel({ model, ...option } as never)).toThrow(message)
})

const tools = { look: tool({ inputSchema: jsonSchema({ type: 'object' }) }) }
it.each([
  ['tools', { prompt: 'Hi', tools }, 'tools'],
  ['JSON', { prompt: 'Hi', output: Output.json() }, 'JSON'],
  ['an option', { prompt: 'Hi', providerOptions: { memagent: { qestion: 'x' } } }, 'qestion'],
  ['an empty question', { prompt: 'Hi', providerOptions: { memagent: { question: ' ' } } }, 'question'],
])('is refused where the answer would be another: %s', async (_, call, names) => {
  const { calls, model } = modelOf('never')
  await expect(generateText({ model, ...call } as Parameters<typeof generateText>[0])).rejects.toThrow(names)
  expect(calls).toHaveLength(0)
})
