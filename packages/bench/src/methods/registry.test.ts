import { ConfigurationError, type MemAgentError } from '@memagent/core'
import { describe, expect, it } from 'vitest'
import { createMethod, methodFactory, methodNameOf, methodNames, parseMethodSpec } from './registry.ts'

async function failure(work: () => unknown): Promise<MemAgentError> {
  const error = await Promise.resolve()
    .then(work)
    .catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ConfigurationError)
  return error as MemAgentError
}

describe('a specification', () => {
  it('is a name, or a name with options', () => {
    expect(parseMethodSpec(' whole ')).toEqual({ name: 'whole', options: {} })
    expect(parseMethodSpec('bm25:k=8,passage=256')).toEqual({
      name: 'bm25',
      options: { k: '8', passage: '256' },
    })
  })

  it('may hold URLs', () => {
    expect(parseMethodSpec('embeddings:model=bge-m3,url=http://localhost:8080/v1?a=b').options).toEqual({
      model: 'bge-m3',
      url: 'http://localhost:8080/v1?a=b',
    })
  })

  it.each(['', ':k=8', 'bm25:', 'bm25:k', 'bm25:k=', 'bm25:=8', 'bm25:k=8,,passage=2', 'bm25:k=8,k=9'])(
    'cannot be "%s"',
    async (spec) => {
      expect((await failure(() => parseMethodSpec(spec))).code).toBe('method/spec')
    },
  )
})

describe('a method', () => {
  it('is named by what was given, in an order of its own', async () => {
    for (const [spec, name] of [
      ['bm25', 'bm25'],
      ['bm25:passage=256,k=8', 'bm25:k=8,passage=256'],
      ['overwrite:chunking=exact,chunk=0512', 'overwrite:chunk=512,chunking=exact'],
      ['map-reduce:concurrency=2', 'map-reduce'],
      ['embeddings:url=http://localhost/v1,batch=7,model=bge-m3', 'embeddings:model=bge-m3'],
      ['embeddings:model=intfloat/e5-base', 'embeddings:model=intfloat/e5-base'],
    ]) {
      expect((await createMethod(spec!)).name).toBe(name)
    }
    expect(await methodNameOf('overwrite:prompts=mine/short.yaml')).toBe('overwrite:prompts=short.yaml')
  })

  it('may be given as values', async () => {
    expect((await createMethod({ name: 'bm25', options: { k: 8 } })).name).toBe('bm25:k=8')
  })

  it('that is unknown gets an error with the known ones', async () => {
    const { code, hint } = await failure(() => createMethod('bm26'))
    expect(code).toBe('method/unknown')
    for (const name of methodNames) expect(hint).toContain(name)
    expect((await failure(() => createMethod('constructor'))).code).toBe('method/unknown')
  })

  it('has no other options than its own, which are listed', async () => {
    const { code, message, hint } = await failure(() => createMethod('bm25:top=8'))
    expect(code).toBe('method/unknown-option')
    expect(message).toContain('bm25 cannot be set up: top is unknown (')
    expect(hint).toContain('k, passage, rounds, window, output')
    expect((await failure(() => createMethod('whole:chunk=9'))).code).toBe('method/unknown-option')
  })

  it.each([
    ['bm25:k=0', 'k cannot be "0"'],
    ['bm25:k=2.5', 'k cannot be "2.5"'],
    ['bm25:passage=many', 'passage cannot be "many"'],
    ['overwrite:chunking=both', 'chunking cannot be "both"'],
    ['embeddings', 'model is missing (it takes'],
  ])('refuses %s, naming option and value', async (spec, told) => {
    const error = await failure(() => createMethod(spec))
    expect(error.code).toBe('method/bad-option')
    expect(error.message).toContain(told)
  })

  it('rejects a bad endpoint URL when it is created, not at the first question', async () => {
    expect((await failure(() => createMethod('embeddings:model=x,url=nowhere'))).code).toBe('chat/base-url')
  })
})

it('every method describes itself and its options', async () => {
  for (const name of methodNames) {
    const { description, options } = await methodFactory(name)
    expect(description).toMatch(/^\S.*\S$/)
    expect(Object.keys(options.shape)).toContain('window')
  }
})

it.each(methodNames)(
  '%s names every option that has a wrong value, and those that nobody knows',
  async (method) => {
    const { options } = await methodFactory(method)
    for (const option of Object.keys(options.shape)) {
      const { message } = await failure(() => createMethod({ name: method, options: { [option]: [[null]] } }))
      expect(message).toContain(`The method ${method} cannot be set up: `)
      expect(message).toMatch(new RegExp(`\\b${option} cannot be \\[\\[null\\]\\] \\(it takes .{4,}\\)`))
      const misspelt = `${option}s`
      const unknown = await failure(() => createMethod({ name: method, options: { [misspelt]: 1 } }))
      expect(unknown.message).toContain(`${misspelt} is unknown (did you mean ${option}?)`)
    }
  },
)
