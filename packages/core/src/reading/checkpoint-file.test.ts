import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { Checkpoint, CheckpointStore, LogEntry } from './checkpoint.ts'
import { createMemoryCheckpointStore } from './checkpoint.ts'
import { createFileCheckpointStore } from './checkpoint-file.ts'
import { restoreLog } from './restore-log.ts'

const checkpoint: Checkpoint = {
  version: 2,
  identity: { question: 'Who?' },
  sequence: 3,
  steps: 3,
  position: { ordinal: 3, characters: 1200, textHash: '0123456789abcdef' },
  state: { memory: 'Ann — 好 😀', steps: 3 },
  usage: { promptTokens: 1, completionTokens: 2, calls: 3, chunkTokens: 4, bytes: 5, keptMemories: 0 },
  seconds: 1.5,
  memoryLogLength: 0,
  warnings: [],
  isDone: false,
}
const changed = (fields: Readonly<Record<string, unknown>>) => JSON.stringify({ ...checkpoint, ...fields })
const memory = (index: number, text: string): LogEntry => ({ type: 'memory', index, step: index, text })
const conversation = (sequence: number, key: string): LogEntry => ({
  type: 'conversation',
  sequence,
  key,
  result: { text: key, usage: undefined, finishReason: { unified: 'stop', raw: undefined } },
})

const folder = temporaryFolder(beforeEach, afterEach)
let path: string
beforeEach(() => {
  path = folder.join('run.json')
})

describe.each<[string, () => CheckpointStore]>([
  ['in a file', () => createFileCheckpointStore(path)],
  ['in memory', createMemoryCheckpointStore],
])('a checkpoint %s', (_, create) => {
  it('is loaded as it was saved, and only the last one', async () => {
    const store = create()
    expect(await store.load()).toBeUndefined()
    await store.save({ ...checkpoint, steps: 2 })
    await store.save(checkpoint)
    expect(await store.load()).toEqual(checkpoint)
  })

  it('has a log that keeps its order', async () => {
    const store = create()
    await store.load()
    await store.append([memory(0, 'one\ntwo'), conversation(1, 'a')])
    await store.append([memory(1, 'three')])
    expect(await store.readLog()).toEqual([
      memory(0, 'one\ntwo'),
      { ...conversation(1, 'a'), result: { text: 'a', finishReason: { unified: 'stop' } } },
      memory(1, 'three'),
    ])
  })
})

describe('a checkpoint file', () => {
  it('leaves no other file', async () => {
    const store = createFileCheckpointStore(path)
    await store.save(checkpoint)
    expect(await readdir(folder.path)).toEqual(['run.json'])
  })

  it.each([
    ['', 'it is not a JSON object'],
    ['{"version":1,"steps":3', 'it is not a JSON object'],
    ['[]', 'it is not a JSON object'],
    ['{}', 'it lacks version, identity, sequence'],
    [
      JSON.stringify({ ...checkpoint, position: { ordinal: -1, characters: 0 } }),
      'position.ordinal is -1, not a whole number of at least 0',
    ],
    [JSON.stringify({ ...checkpoint, state: undefined }), 'it lacks state'],
    [changed({ position: { ordinal: 3, characters: 1e16 } }), 'position.characters is 10000000000000000'],
    [changed({ position: { ordinal: 3, characters: 9, textHash: 'x' } }), 'position.textHash is not a hash'],
    [changed({ usage: { ...checkpoint.usage, calls: -3 } }), 'usage.calls is -3, not a whole number'],
    [changed({ usage: { ...checkpoint.usage, bytes: '5' } }), 'usage.bytes is "5"'],
    [changed({ usage: { ...checkpoint.usage, promptTokens: null } }), 'usage.promptTokens is null'],
    [changed({ usage: { ...checkpoint.usage, cost: 1 } }), 'usage.cost is not known'],
    [changed({ seconds: -1 }), 'seconds is -1, not a number from 0 on'],
    [changed({ identity: { question: 7 } }), 'identity.question is 7, not a text'],
    [changed({ identity: [] }), 'identity is not an object'],
    [changed({ isDone: 1 }), 'isDone is 1, not true or false'],
    [changed({ warnings: [{ step: 0, code: 'x' }] }), 'warnings[0].message is missing, not a text'],
    [changed({ isDone: true, answer: { text: '42', found: true } }), 'answer.found is not known'],
    [changed({ isDone: true, answer: { text: '42' } }), 'answer.outcome is missing, not one of found'],
    [changed({ isDone: true, answer: { text: 42, outcome: 'found' } }), 'answer.text is 42'],
    [changed({ isDone: true, answer: '42' }), 'answer is "42", not an object'],
    [changed({ isDone: true, answer: { text: '', outcome: 'failed' } }), 'answer.outcome is "failed"'],
    [changed({ more: 1 }), 'it has an unknown field more'],
    [changed({ version: '2' }), 'version is "2", not a whole number of at least 0'],
  ])('that holds %j is refused, never started over', async (content, reason) => {
    await writeFile(path, content)
    await expect(createFileCheckpointStore(path).load()).rejects.toMatchObject({
      code: 'checkpoint/damaged',
      message: expect.stringContaining(reason),
    })
    expect(await readFile(path, 'utf8')).toBe(content)
  })

  it.each([1, 99])('of version %d is named as such', async (version) => {
    await writeFile(path, JSON.stringify({ ...checkpoint, version }))
    await expect(createFileCheckpointStore(path).load()).rejects.toMatchObject({ code: 'checkpoint/version' })
  })

  it('that is a folder, or in a missing folder, is an error that says what to do', async () => {
    await mkdir(path)
    await expect(createFileCheckpointStore(path).load()).rejects.toMatchObject({ code: 'checkpoint/damaged' })
    const nowhere = createFileCheckpointStore(folder.join('no', 'where.json'))
    await expect(nowhere.save(checkpoint)).rejects.toMatchObject({ code: 'checkpoint/unwritable' })
  })

  it('cut off at any byte is either rejected or, for its log, complete up to there', async () => {
    const store = createFileCheckpointStore(path)
    await store.load()
    await store.save(checkpoint)
    await store.append([memory(0, 'one'), memory(1, 'two')])
    const [content, log] = [await readFile(path), await readFile(`${path}.log`)]
    await fc.assert(
      fc.asyncProperty(fc.nat(content.length - 1), fc.nat(log.length), async (at, logAt) => {
        await writeFile(path, content.subarray(0, at))
        await expect(createFileCheckpointStore(path).load()).rejects.toMatchObject({
          code: 'checkpoint/damaged',
        })
        await writeFile(`${path}.log`, log.subarray(0, logAt))
        const entries = await createFileCheckpointStore(path).readLog()
        expect([memory(0, 'one'), memory(1, 'two')].slice(0, entries.length)).toEqual(entries)
        // An entry appended after a cut line is not lost.
        await writeFile(path, content)
        const next = createFileCheckpointStore(path)
        await next.load()
        await next.append([memory(2, 'three')])
        expect((await next.readLog()).at(-1)).toEqual(memory(2, 'three'))
      }),
      { numRuns: 30 },
    )
  })

  it('starts its log anew when there is no checkpoint', async () => {
    await writeFile(`${path}.log`, JSON.stringify(memory(0, 'of an older run')))
    const store = createFileCheckpointStore(path)
    expect(await store.load()).toBeUndefined()
    // A run that logs nothing before it is resumed must not find the old entries either.
    expect(await store.readLog()).toEqual([])
    await store.append([memory(0, 'mine')])
    expect(await store.readLog()).toEqual([memory(0, 'mine')])
  })

  it('removes no file that only has the name of its log', async () => {
    await writeFile(`${path}.log`, 'My notes.')
    await expect(createFileCheckpointStore(path).load()).rejects.toMatchObject({
      code: 'checkpoint/unwritable',
      message: expect.stringContaining(`${path}.log`),
    })
    expect(await readFile(`${path}.log`, 'utf8')).toBe('My notes.')
  })

  it('is synced to the disk at intervals and at the end', async () => {
    let clock = 0
    const store = createFileCheckpointStore(path, { now: () => clock, syncIntervalMs: 100 })
    const started = performance.now()
    for (; clock < 1000; clock++) await store.save(checkpoint)
    // Not a benchmark: it shows that not every save waits for the disk.
    expect(performance.now() - started).toBeLessThan(20_000)
    await store.save({ ...checkpoint, answer: { text: 'Ann', outcome: 'found' } })
    expect((await stat(path)).size).toBeGreaterThan(100)
    expect((await store.load())?.answer).toEqual({ text: 'Ann', outcome: 'found' })
  })
})

describe('the log of a run that was killed', () => {
  const storeWith = async (entries: readonly LogEntry[]) => {
    const store = createMemoryCheckpointStore()
    await store.append(entries)
    return store
  }

  it('gives the memories that the checkpoint needs, the later ones when a step was repeated', async () => {
    const store = await storeWith([memory(0, 'a'), memory(1, 'old'), memory(1, 'new'), memory(2, 'too late')])
    const { memories } = await restoreLog({ ...checkpoint, memoryLogLength: 2 }, store)
    expect(memories.map(({ text }) => text)).toEqual(['a', 'new'])
  })

  it('gives only the conversations of the unfinished step', async () => {
    const store = await storeWith([conversation(2, 'done'), conversation(3, 'a'), conversation(3, 'b')])
    const { conversations } = await restoreLog(checkpoint, store)
    expect([...conversations.keys()]).toEqual(['a', 'b'])
  })

  it.each([
    [{ type: 'memory', index: -1, step: 0, text: 'a' }, 'entry 1 of its log.index is -1'],
    [{ type: 'memory', index: 0, step: 0 }, 'entry 1 of its log.text is missing'],
    [
      { type: 'conversation', sequence: 3, key: 'a', result: { text: 'a' } },
      'result.finishReason is missing',
    ],
    [{ type: 'conversation', sequence: 3, key: 'a', result: { text: null } }, 'result.text is null'],
    [{ type: 'other' }, 'entry 1 of its log is not a valid log entry'],
    [null, 'entry 1 of its log is not a valid log entry'],
    [7, 'entry 1 of its log is not a valid log entry'],
  ])('that holds %j is an error', async (entry, reason) => {
    const store = await storeWith([entry as unknown as LogEntry])
    await expect(restoreLog(checkpoint, store)).rejects.toMatchObject({
      code: 'checkpoint/damaged',
      message: expect.stringContaining(reason),
    })
  })

  it('that lacks a memory is an error', async () => {
    const store = await storeWith([memory(1, 'b')])
    await expect(restoreLog({ ...checkpoint, memoryLogLength: 2 }, store)).rejects.toMatchObject({
      code: 'checkpoint/damaged',
      details: { wanted: 2, missing: 0 },
    })
  })
})
