import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { EngineError } from '../errors.ts'
import { initialWeights, type LlamaConfig } from '../models/llama-config.ts'
import { tinyLlama } from '../testing/tiny-llama.ts'
import { TextGenerator } from './generator.ts'
import { GeneratorWorkers } from './generator-workers.ts'
import { WorkerHandle } from './worker-handle.ts'

const config: LlamaConfig = {
  ...tinyLlama,
  ...{ vocabularySize: 61, hiddenSize: 32, intermediateSize: 48 },
  ...{ heads: 2, headDimension: 16, maxPositions: 256 },
}
const weights = initialWeights(config, 5)
const request = (seed: number, maxTokens = 12) => ({
  promptTokens: Array.from({ length: 20 + seed }, (_, i) => (i * 7 + seed) % config.vocabularySize),
  maxTokens,
  temperature: 1,
  seed,
  stopTokens: [],
  logprobs: true,
})

/** Runs a script in a separate process: handles of the test runner would keep this one alive. */
function alone(config: LlamaConfig, script: string) {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)
  const before = `
    import { initialWeights } from ${url('../models/llama-config.ts')}
    import { GeneratorWorkers } from ${url('generator-workers.ts')}
    const config = ${JSON.stringify(config)}
    const create = () => GeneratorWorkers.create(config, initialWeights(config, 5), 2, { threads: 1 })`
  const flags = ['--conditions=@memagent/source', '--input-type=module', '--eval', before + script]
  return promisify(execFile)(process.execPath, flags, { timeout: 60_000 })
}

describe('GeneratorWorkers', () => {
  let workers: GeneratorWorkers
  beforeAll(async () => {
    workers = await GeneratorWorkers.create(config, weights, 2, { threads: 1 })
  })
  afterAll(() => workers.release())

  it('returns what a generator in this thread returns, in the order of the requests', async () => {
    const generator = await TextGenerator.create(config, weights, { threads: 1 })
    const requests = [1, 2, 3, 4, 5].map((seed) => request(seed))
    const given = await workers.generate(requests)
    const wanted = await generator.generate(requests)
    expect(given.map(({ tokens }) => tokens)).toEqual(wanted.map(({ tokens }) => tokens))
    expect(given[0]!.logprobs).toHaveLength(12)
    await generator.release()
  })

  it('handles concurrent calls', async () => {
    const results = await Promise.all([1, 2, 3].map((seed) => workers.generate([request(seed)])))
    expect(results.map(([result]) => result!.tokens.length)).toEqual([12, 12, 12])
  })

  it('uses the weights loaded last, and for earlier requests the ones before', async () => {
    const others = initialWeights(config, 6)
    const own = await GeneratorWorkers.create(config, weights, 2, { threads: 1 })
    const requests = [1, 2, 3].map((seed) => request(seed))
    const before = own.generate(requests)
    await own.load(others)
    const after = await own.generate(requests)
    const generator = await TextGenerator.create(config, others, { threads: 1 })
    const wanted = await generator.generate(requests)
    expect(await before).toEqual(await workers.generate(requests))
    expect(after.map(({ tokens }) => tokens)).toEqual(wanted.map(({ tokens }) => tokens))
    expect(after).not.toEqual(await before)
    await expect(own.load(new Map())).rejects.toMatchObject({ name: 'EngineError' })
    await Promise.all([generator.release(), own.release()])
  })

  it('sends requests to the named worker, and rejects unknown ones', async () => {
    const [first, second] = await Promise.all([
      workers.generate([request(1), request(2)], undefined, 1),
      workers.generate([request(1), request(2)], undefined, 0),
    ])
    expect(second.map(({ tokens }) => tokens)).toEqual(first.map(({ tokens }) => tokens))
    await expect(workers.generate([request(1)], undefined, 2)).rejects.toThrow(/no worker 2; there are 2/)
  })

  it('replaces a worker that has died, with the weights loaded last', async () => {
    const own = await GeneratorWorkers.create(config, weights, 2, { threads: 1 })
    const later = initialWeights(config, 9)
    await own.load(later)
    const requests = [1, 2, 3, 4].map((seed) => request(seed))
    const wanted = await own.generate(requests)
    const generate = vi.spyOn(WorkerHandle.prototype, 'generate')
    await own.generate([request(1)], undefined, 0)
    const [handle] = generate.mock.contexts as WorkerHandle[]
    generate.mockRestore()
    const lost = own.generate([request(2, 200)], undefined, 0).catch((error: EngineError) => error.code)
    await new Promise((resolve) => setImmediate(resolve))
    await handle!.terminate()
    expect(await lost).toBe('engine/worker-ended')
    for (const _ of [1, 2]) expect(await own.generate(requests)).toEqual(wanted)
    await own.release()
  })

  it('is reproducible to the last bit', async () => {
    const trunk = Array.from({ length: 60 }, (_, i) => (i * 5) % config.vocabularySize)
    const requests = Array.from({ length: 9 }, (_, i) => ({
      ...request(i),
      promptTokens: [...(i < 6 ? trunk : []), i, 2, 3],
    }))
    const [first, second] = [await workers.generate(requests), await workers.generate(requests)]
    expect(second).toEqual(first)
  })

  it('rejects invalid requests as a generator does', async () => {
    await expect(workers.generate([{ ...request(1), promptTokens: [] }])).rejects.toMatchObject({
      code: 'engine/request',
    })
  })

  it('ends an aborted call with the reason and continues with others', async () => {
    const controller = new AbortController()
    const long = workers.generate([request(1, 200)], controller.signal)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(long).rejects.toBe(reason)
    await expect(workers.generate([request(2)], controller.signal)).rejects.toBe(reason)
    expect(await workers.generate([request(2)])).toHaveLength(1)
  })

  it.each(['while it answers', 'while it still ends an aborted call'])(
    'is waited for when it is released %s',
    async (when) => {
      const { stdout } = await alone(
        config,
        `
        const workers = await create()
        const controller = new AbortController()
        const answers = workers.generate([${JSON.stringify(request(1, 200))}], controller.signal)
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (${when.includes('aborted')}) controller.abort()
        await Promise.all([answers.catch(() => undefined), workers.release()])
        console.log('released')`,
      )
      expect(stdout).toBe('released\n')
    },
  )

  it.each([
    ['starts', '0'],
    ['creates its sessions', 'started'],
    ['answers', 'answered'],
  ])('does not abort a process that exits while a worker %s', async (_, moment) => {
    // Large enough to be in the runtime nearly all the time.
    const large = {
      ...config,
      layers: 4,
      hiddenSize: 256,
      intermediateSize: 1024,
      heads: 8,
      headDimension: 32,
    }
    const exit = alone(
      large,
      `
      const long = ${JSON.stringify(request(200, 2))}
      const started = new Promise((resolve) => setTimeout(resolve, 300))
      const created = create()
      const answers = (workers) => workers.generate([1, 2, 3, 4].map((seed) => ({ ...long, seed })))
      const answered = created.then(answers)
      answered.then(async () => {
        for (;;) await answers(await created)
      })
      await ${moment}
      setTimeout(() => process.exit(7), 100)`,
    )
    await expect(exit).rejects.toMatchObject({ code: 7, signal: null, stderr: '' })
  })

  it('reports missing weights before it starts', async () => {
    await expect(GeneratorWorkers.create(config, new Map(), 1)).rejects.toMatchObject({
      name: 'EngineError',
    })
  })

  it('rejects calls after its release', async () => {
    const own = await GeneratorWorkers.create(config, weights, 1, { threads: 1 })
    await own.release()
    await own.release()
    await expect(own.generate([request(1)])).rejects.toMatchObject({ code: 'engine/released' })
  })
})
