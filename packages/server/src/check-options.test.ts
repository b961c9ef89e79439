import { expect, it } from 'vitest'
import { createApp } from './app.ts'
import { listen } from './listen.ts'
import { noter, servedModel } from './testing/served.ts'

/** As JavaScript gives it, where no compiler looks. */
const given = (value: unknown) => value as never
const served = servedModel(noter)

it.each<[object, string]>([
  [{ readings: Number.NaN }, 'readings cannot be NaN'],
  [{ readings: 0 }, 'readings cannot be 0'],
  [{ mostBytes: Number.NaN }, 'mostBytes cannot be NaN'],
  [{ mostFileBytes: '1 GB' }, 'mostFileBytes cannot be 1 GB'],
  [{ mcpWaitMs: -1 }, 'mcpWaitMs cannot be -1'],
  [{ findKey: 'secret' }, 'findKey is no function'],
  [{ onRequest: console }, 'onRequest is no function'],
  [{ hosts: 'example.org' }, 'hosts is no list'],
  [{ store: './runs.sqlite' }, 'store is no store'],
  [{ store: Promise.resolve() }, 'store is no store'],
  [{ uploads: 3 }, 'uploads is no path of a folder'],
])('refuses %j as it starts', async (options, message) => {
  const error = { code: 'server/bad-option', message: `The option ${message}.` }
  await expect(listen({ models: [served], port: 0, ...(options as object) })).rejects.toMatchObject(error)
  expect(() => createApp({ models: [served], ...(options as object) })).toThrow(
    expect.objectContaining(error),
  )
})

it.each<[object, string]>([
  [{ port: 65_536 }, 'port cannot be 65536'],
  [{ port: Number.NaN }, 'port cannot be NaN'],
  [{ port: '8642' }, 'port cannot be 8642'],
  [{ sending: {} }, 'sending.headMs cannot be 0'],
  [{ sending: { headMs: 20_000, requestMs: Number.NaN } }, 'sending.requestMs cannot be NaN'],
])('does not listen with %j', async (options, message) => {
  await expect(listen({ models: [served], ...(options as object) })).rejects.toThrow(`The option ${message}.`)
})

it.each<[string, unknown, string]>([
  ['no list', served, 'The option models lists no model.'],
  ['an empty list', [], 'The option models lists no model.'],
  ['nothing', [undefined], 'models[0] has no id.'],
  ['an empty id', [{ ...served, id: '' }], 'models[0].id is none.'],
  ['the name of a model', [{ ...served, model: 'openai:qwen' }], 'models[0].model is none.'],
  ['no model', [{ ...served, model: null }], 'models[0] has no model.'],
  ['the name of a profile', [{ ...served, profile: 'paper' }], 'models[0].profile is none.'],
  ['the name of a workflow', [{ ...served, workflow: 'overwrite' }], 'models[0].workflow is none.'],
])('serves %s for models to nobody', (_, models, message) => {
  expect(() => createApp({ models: given(models) })).toThrow(
    expect.objectContaining({ code: 'server/models', message }),
  )
})
