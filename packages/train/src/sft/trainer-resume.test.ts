/** Supervised training killed between writing a checkpoint and what follows. */
import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { readSafetensors } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { shortSft, shortTexts as texts } from '../testing/short-sft.ts'
import { parseSftConfig } from './config.ts'
import type { SftEvent } from './events.ts'
import { trainSft } from './trainer.ts'
import { SftRun } from './training-run.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const configOf = (name: string) => parseSftConfig(shortSft(folder.join(name), 4, 2), name)

/** Ends after an event, like a kill. */
async function train(name: string, isLast: (event: SftEvent) => boolean = () => false) {
  const events: SftEvent[] = []
  for await (const event of trainSft(configOf(name), { texts })) {
    events.push(event)
    if (isLast(event)) break
  }
  return events
}
const isCheckpoint = (step: number) => (event: SftEvent) =>
  event.type === 'checkpoint-end' && event.step === step
const typesOf = (events: readonly SftEvent[]) => events.map(({ type }) => type)
const weightsOf = async (name: string) =>
  (await readSafetensors(folder.join(name, 'model', 'model.safetensors'))).weights
const evaluatedIn = async (name: string) =>
  (await readMetrics(folder.join(name, 'metrics.jsonl')))
    .filter(({ type }) => type === 'evaluation-end')
    .map(({ step, results }) => ({ step, results }))

it('does the evaluations that a kill prevented, each once', async () => {
  await train('whole')
  const expected = await evaluatedIn('whole')
  expect(expected.map(({ step }) => step)).toEqual([2, 4])
  await train('killed', isCheckpoint(2))
  expect(typesOf(await train('killed', isCheckpoint(4))).slice(0, 2)).toEqual([
    'training-start',
    'evaluation-end',
  ])
  expect(typesOf(await train('killed'))).toEqual(['training-start', 'evaluation-end', 'training-end'])
  expect(await evaluatedIn('killed')).toEqual(expected)
  expect(typesOf(await train('killed'))).toEqual(['training-start', 'training-end'])
  expect(await evaluatedIn('killed')).toEqual(expected)
})

it('leaves evaluations to the next start when it is stopped', async () => {
  const controller = new AbortController()
  const events: SftEvent[] = []
  const run = async () => {
    for await (const event of trainSft(configOf('stopped'), { texts, signal: controller.signal })) {
      events.push(event)
      if (event.type === 'step-end' && event.step === 2) controller.abort(new Error('stopped'))
    }
  }
  await expect(run()).rejects.toThrow('stopped')
  expect(events.at(-1)?.type).toBe('checkpoint-end')
  await train('stopped')
  expect(await evaluatedIn('stopped')).toEqual(await evaluatedIn('whole'))
})

describe('a run that is ended between two checkpoints', () => {
  const rare = (name: string) => {
    const { evaluation, ...config } = configOf(name)
    return { ...config, checkpointEvery: 100, evaluation: { ...evaluation, every: 3 } }
  }
  async function end(name: string, at?: SftEvent['type']) {
    const controller = new AbortController()
    const events: SftEvent[] = []
    const run = async () => {
      for await (const event of trainSft(rare(name), { texts, signal: controller.signal })) {
        events.push(event)
        if (event.type === at) controller.abort(new Error('stopped'))
      }
    }
    await expect(run()).rejects.toThrow('stopped')
    return events.at(-1)
  }

  it('by an abort in its evaluation saves its step', async () => {
    expect(await end('evaluating', 'evaluation-end')).toMatchObject({ type: 'checkpoint-end', step: 3 })
  })

  it('by an error saves the last complete step', async () => {
    const draw = SftRun.prototype.draw
    const failing = vi.spyOn(SftRun.prototype, 'draw').mockImplementation(async function (
      this: SftRun,
      step,
    ) {
      if (step === 2) throw new Error('stopped')
      return draw.call(this, step)
    })
    expect(await end('failing')).toMatchObject({ type: 'checkpoint-end', step: 2 })
    failing.mockRestore()
  })

  it('says so where its last step cannot be saved', async () => {
    for (const [name, stop] of [
      ['unsaved', '.'],
      ['full', ''],
    ] as const) {
      const saving = vi
        .spyOn(SftRun.prototype, 'save')
        .mockRejectedValue(new Error(`ENOSPC: no space left on device, write${stop}`))
      expect(await end(name, 'step-end')).toEqual({
        type: 'notice',
        message:
          'Step 1 could not be saved: ENOSPC: no space left on device, write. The run goes on from step 0.',
      })
      saving.mockRestore()
    }
  })
})

it('names the folder that cannot be written to', async () => {
  const config = configOf('unwritable')
  const run = async () => {
    for await (const event of trainSft(config, { texts })) {
      if (event.type !== 'training-start') continue
      await rm(join(config.output, 'metrics.jsonl'))
      await mkdir(join(config.output, 'metrics.jsonl'))
    }
  }
  const refusal = { code: 'train/unwritable', message: expect.stringContaining(config.output) }
  await expect(run()).rejects.toMatchObject(refusal)
  await writeFile(folder.join('file'), '')
  const below = { ...config, output: folder.join('file', 'run') }
  await expect(trainSft(below, { texts }).next()).rejects.toMatchObject({ code: 'train/unwritable' })
})

it('exports the model of the last checkpoint again if another one is there, or part of one', async () => {
  const model = folder.join('stale', 'model')
  await train('stale', isCheckpoint(2))
  await cp(model, folder.join('before'), { recursive: true })
  await train('stale')
  const expected = await weightsOf('whole')
  expect(await weightsOf('stale')).toEqual(expected)

  await rm(model, { recursive: true })
  await cp(folder.join('before'), model, { recursive: true })
  expect(await weightsOf('stale')).not.toEqual(expected)
  await train('stale')
  expect(await weightsOf('stale')).toEqual(expected)

  const profile = folder.join('stale', 'model', 'profile.json')
  await rm(profile)
  await train('stale')
  const { mtimeMs } = await stat(profile)
  await train('stale')
  expect((await stat(profile)).mtimeMs).toBe(mtimeMs)
})

it('refuses a checkpoint whose step is no number', async () => {
  await train('damaged', isCheckpoint(2))
  const path = folder.join('damaged', 'checkpoint', 'state.json')
  const details = JSON.parse(await readFile(path, 'utf8'))
  await writeFile(path, JSON.stringify({ ...details, step: 'two' }))
  await expect(train('damaged')).rejects.toMatchObject({ code: 'train/checkpoint-damaged' })
})

describe('the identity of a run', () => {
  const changed = async (name: string, change: (config: ReturnType<typeof configOf>) => object) => {
    const events: SftEvent[] = []
    for await (const event of trainSft({ ...configOf(name), ...change(configOf(name)) }, { texts })) {
      events.push(event)
      if (event.type === 'training-start' || event.type === 'evaluation-end') break
    }
    return events
  }
  const begun = { type: 'training-start', step: 2 }

  it('is not its name, nor where its start lies, but the weights of that', async () => {
    const [start, elsewhere] = [folder.join('start'), folder.join('elsewhere')]
    await cp(folder.join('whole', 'model'), start, { recursive: true })
    await cp(start, elsewhere, { recursive: true })
    for await (const event of trainSft({ ...configOf('named'), startFrom: start }, { texts })) {
      if (isCheckpoint(2)(event)) break
    }
    const resumed = await changed('named', () => ({ startFrom: elsewhere, name: 'another' }))
    expect(resumed[0]).toMatchObject(begun)
    // The weights of another training.
    await cp(folder.join('before', 'model.safetensors'), join(elsewhere, 'model.safetensors'))
    await expect(changed('named', () => ({ startFrom: elsewhere }))).rejects.toMatchObject({
      code: 'train/checkpoint-of-another-run',
    })
  })

  it('is not its evaluation; the log says when that has changed, and the last step is evaluated anew', async () => {
    await train('evaluated')
    const other = await changed('evaluated', ({ evaluation }) => ({
      evaluation: { ...evaluation, sections: 7 },
    }))
    const told = { type: 'notice', message: expect.stringContaining('another one than in the first 4 steps') }
    expect(other).toMatchObject([told, { ...begun, step: 4 }])
    expect(await readMetrics(folder.join('evaluated', 'metrics.jsonl'))).toContainEqual(
      expect.objectContaining({ ...told, step: 4 }),
    )
    const often = await changed('evaluated', ({ evaluation }) => ({
      evaluation: { ...evaluation, every: 1 },
    }))
    expect(often[0]).toMatchObject({ ...begun, step: 4 })
  })
})

it('a training does not write over the model that it starts from', async () => {
  await cp(folder.join('whole', 'model'), folder.join('own', 'model'), { recursive: true })
  await expect(
    trainSft({ ...configOf('own'), startFrom: folder.join('own', 'model') }, { texts }).next(),
  ).rejects.toMatchObject({ code: 'train/start-in-output' })
})

it('a training does not write over one of reinforcement learning', async () => {
  await mkdir(folder.join('reinforced'))
  await writeFile(folder.join('reinforced', 'run.json'), '{}')
  await expect(trainSft(configOf('reinforced'), { texts }).next()).rejects.toMatchObject({
    code: 'train/other-training',
  })
})
