import {
  createStubServer,
  type StubServer,
  type StubServerOptions,
  watchedDocument,
} from '@memagent/core/testing'
import { afterEach, expect, it } from 'vitest'
import { fact, profiles, promptOf, question, rehearse, textWith, value } from '../testing/rehearsal.ts'
import { vectorOf } from '../testing/stub-embeddings.ts'
import type { MethodSettings } from './factory.ts'
import { createMethod } from './registry.ts'

const [profile] = profiles
const text = textWith(1500, fact, 0.6)

let server: StubServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

/** A method before a stub endpoint whose vectors count words. */
async function start(options = '', stub: StubServerOptions = {}, settings: MethodSettings = {}) {
  server = await createStubServer({ embed: (texts) => texts.map(vectorOf), ...stub })
  const method = await createMethod(`embeddings:model=stub,url=${server.baseUrl}${options}`, {
    retry: { attempts: 3, baseDelayMs: 1 },
    ...settings,
  })
  return { ...rehearse({ method, profile: profile!, text }), method, stub: server }
}

const inputs = (stub: StubServer) => stub.calls.map(({ body }) => body.input as string[])

it('embeds the question and every passage, in batches, and shows the nearest', async () => {
  const { result, model, stub } = await start(',batch=7,concurrency=3')
  const { answer, usage, seen } = await result
  expect(answer.text).toBe(value)
  expect(model.calls).toHaveLength(1)
  expect(promptOf(model.calls[0]!)).toContain(fact)
  const [first, ...batches] = inputs(stub)
  expect(first).toEqual([question])
  expect(batches.slice(0, -1).every((batch) => batch.length === 7)).toBe(true)
  const embedded = batches.toSorted((a, b) => text.indexOf(a[0]!) - text.indexOf(b[0]!)).flat()
  // Every passage overlaps the previous one, and together they cover the text.
  let end = 0
  for (const passage of embedded) {
    const start = text.indexOf(passage)
    if (end > 0) expect(start).toBeLessThan(end)
    end = start + passage.length
  }
  expect(text.startsWith(embedded[0]!)).toBe(true)
  expect(end).toBe(text.length)
  expect(stub.peakConcurrency).toBeLessThanOrEqual(3)
  const told = stub.calls.reduce((sum, { promptTokens }) => sum + promptTokens, 0)
  expect(usage.embeddedTokens).toBe(told)
  expect(seen!.length).toBeGreaterThan(0)
})

it('does not know how many tokens were embedded if the endpoint does not say', async () => {
  const fetch: MethodSettings['fetch'] = async (...request) => {
    const { data } = (await (await globalThis.fetch(...request)).json()) as { readonly data: unknown }
    return Response.json({ data })
  }
  const { result } = await start('', {}, { fetch })
  expect((await result).usage.embeddedTokens).toBeNaN()
})

it('shows no more passages than asked for', async () => {
  const { result } = await start(',k=1,passage=20')
  const { seen, answer } = await result
  expect(seen).toHaveLength(1)
  expect(answer.text).toBe(value)
})

it("adds the model's prefixes to questions and passages", async () => {
  const { result, stub } = await start(',questionprefix=query: ,passageprefix=passage: ')
  await result
  const [first, ...batches] = inputs(stub)
  expect(first).toEqual([`query: ${question}`])
  expect(batches.flat().every((one) => one.startsWith('passage: '))).toBe(true)
})

it('fails with the endpoint’s error when faults do not pass, and asks the chat model nothing', async () => {
  const { result, model, counts } = await start(',batch=2', {
    faults: ({ index }) => (index > 3 ? { kind: 'status', status: 500 } : undefined),
  })
  await expect(result).rejects.toMatchObject({ code: 'chat/server-fault', message: /3 attempts/ })
  expect(model.calls).toHaveLength(0)
  expect(counts.closed).toBe(counts.opened)
})

it('reports passages that are too long for the embedding model', async () => {
  const { result } = await start('', { faults: [undefined, { kind: 'context-length' }] })
  await expect(result).rejects.toMatchObject({ code: 'chat/overlong-prompt' })
})

it('takes server and key from the environment, and sends the key to no other server', async () => {
  const key = 'sk-secret-0123456789'
  server = await createStubServer({ embed: (texts) => texts.map(vectorOf), apiKey: key })
  const ask = async (spec: string, environment: Record<string, string>) => {
    const method = await createMethod(spec, { environment })
    return rehearse({ method, profile: profile!, text }).result
  }
  const own = { MEMAGENT_BASE_URL: server.baseUrl, MEMAGENT_API_KEY: key }
  expect((await ask('embeddings:model=stub', own)).answer.text).toBe(value)
  const foreign = { OPENAI_API_KEY: key, OPENAI_BASE_URL: 'https://api.openai.com/v1' }
  const elsewhere = ask(`embeddings:model=stub,url=${server.baseUrl}`, foreign)
  await expect(elsewhere).rejects.toMatchObject({ code: 'chat/key-refused' })
  expect(server.calls.every(({ headers }) => headers.authorization === `Bearer ${key}`)).toBe(true)
})

it('ends with the reason of an abort while passages are embedded', async () => {
  const controller = new AbortController()
  const reason = new Error('enough')
  server = await createStubServer({
    embed: (texts) => texts.map(vectorOf),
    faults: ({ index }) => {
      if (index < 2) return undefined
      setTimeout(() => controller.abort(reason), 5)
      return { kind: 'hang' }
    },
  })
  const method = await createMethod(`embeddings:model=stub,batch=3,url=${server.baseUrl}`)
  const { document, counts } = watchedDocument(text)
  const { result } = rehearse({
    method,
    profile: profile!,
    text,
    request: { document, signal: controller.signal },
  })
  await expect(result).rejects.toBe(reason)
  expect(counts.closed).toBe(counts.opened)
})

it('searches with the query, and asks the question', async () => {
  const { method, stub } = await start()
  const { result, model } = rehearse({
    method,
    profile: profile!,
    text,
    request: { query: 'access code north gate' },
  })
  expect((await result).answer.text).toBe(value)
  expect(inputs(stub).filter((batch) => batch.length === 1)).toContainEqual(['access code north gate'])
  expect(promptOf(model.calls[0]!)).toContain(question)
})
