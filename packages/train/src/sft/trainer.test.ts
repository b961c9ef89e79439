import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { createEmbeddedChatModel, readSafetensors } from '@memagent/engine'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readMetrics } from '../metrics/metrics-log.ts'
import { shortSft, shortTexts as texts } from '../testing/short-sft.ts'
import { parseSftConfig } from './config.ts'
import type { SftEvent } from './events.ts'
import { trainSft } from './trainer.ts'

const yaml = (output: string, steps = 6) => shortSft(output, steps, 6)
const folder = temporaryFolder(beforeAll, afterAll)

async function train(name: string, stopAfter?: number): Promise<SftEvent[]> {
  const controller = new AbortController()
  const events: SftEvent[] = []
  const config = parseSftConfig(yaml(folder.join(name)), 'test')
  try {
    for await (const event of trainSft(config, { texts, signal: controller.signal })) {
      events.push(event)
      if (event.type === 'step-end' && event.step === stopAfter) controller.abort(new Error('stopped'))
    }
  } catch (error) {
    if (!controller.signal.aborted) throw error
  }
  return events
}
const weightsOf = async (name: string) =>
  (await readSafetensors(folder.join(name, 'model', 'model.safetensors'))).weights

describe('trainSft', () => {
  it('ends with the same weights whether it was interrupted or not, and saves a model that answers', async () => {
    const whole = await train('whole')
    expect(whole.map(({ type }) => type)).toContain('evaluation-end')
    const first = await train('parts', 3)
    expect(first.at(-1)?.type).toBe('checkpoint-end')
    const second = await train('parts')
    expect(second[0]).toMatchObject({ type: 'training-start', step: 3 })
    const [a, b] = [await weightsOf('whole'), await weightsOf('parts')]
    for (const [name, values] of a) expect(b.get(name)).toEqual(values)

    const lines = (await readFile(folder.join('parts', 'metrics.jsonl'), 'utf8')).trim().split('\n')
    expect(lines.filter((line) => line.includes('"step-end"'))).toHaveLength(6)

    const model = await createEmbeddedChatModel({ folder: folder.join('whole', 'model'), threads: 1 })
    const result = await model.generate([{ role: 'user', content: '<section>a</section>' }], { maxTokens: 3 })
    expect(result.usage?.completionTokens).toBeGreaterThan(0)
    expect(model.profile).toMatchObject({
      name: 'whole',
      budget: { chunk: 96 },
      prompts: 'compact',
      workflows: ['overwrite'],
    })
    await model.close()
  })

  it('logs every step once, even those repeated after a kill', async () => {
    for await (const event of trainSft(parseSftConfig(yaml(folder.join('killed')), 'test'), { texts })) {
      if (event.type === 'step-end' && event.step === 3) break
    }
    await train('killed')
    const records = await readMetrics(folder.join('killed', 'metrics.jsonl'))
    expect(records.filter(({ type }) => type === 'step-end').map(({ step }) => step)).toEqual([
      1, 2, 3, 4, 5, 6,
    ])
  })

  it('that diverges ends with an error and keeps the last checkpoint whose weights are numbers', async () => {
    const output = folder.join('diverged')
    const settings = yaml(output)
      .replace('learningRate: 0.01', 'learningRate: 1e30')
      .replace('checkpointEvery: 2', 'checkpointEvery: 1')
    const training = async () => {
      for await (const _ of trainSft(parseSftConfig(settings, 'test'), { texts }));
    }
    await expect(training()).rejects.toMatchObject({ code: 'engine/diverged' })
    const { weights } = await readSafetensors(join(output, 'checkpoint', 'weights.safetensors'))
    for (const values of weights.values()) expect(values.every(Number.isFinite)).toBe(true)
  })

  it('evaluates nothing when no prose is kept for it', async () => {
    const config = parseSftConfig(
      yaml(folder.join('all-prose'), 1)
        .replace('evaluationShare: 0.34', 'evaluationShare: 0')
        .replace('warmupSteps: 2', 'warmupSteps: 1'),
      'test',
    )
    const events: SftEvent[] = []
    for await (const event of trainSft(config, { texts })) events.push(event)
    expect(events.map(({ type }) => type)).toEqual([
      'training-start',
      'step-end',
      'checkpoint-end',
      'training-end',
    ])
  })

  it('refuses the checkpoint of another run', async () => {
    const config = parseSftConfig(yaml(folder.join('whole')).replace('seed: 3', 'seed: 4'), 'test')
    await expect(trainSft(config, { texts }).next()).rejects.toThrow(
      /another configuration .*\(what differs: seed/,
    )
    const longer = parseSftConfig(yaml(folder.join('whole'), 7), 'test')
    await expect(trainSft(longer, { texts }).next()).rejects.toMatchObject({
      message: expect.stringContaining('(what differs: stages)'),
      hint: expect.stringContaining('startFrom'),
    })
  })
})

describe('what supervised training starts with', () => {
  const start = (change: (text: string) => string) =>
    trainSft(parseSftConfig(change(yaml(folder.join('other'))), 'test'), { texts }).next()

  it('refuses a model whose settings differ from the configuration, naming both values', async () => {
    const from = (text: string) => `${text}startFrom: ${folder.join('whole', 'model')}\n`
    await expect(
      start((text) => from(text).replace('maxPositions: 512', 'maxPositions: 512, ropeTheta: 500')),
    ).rejects.toMatchObject({
      code: 'train/other-model',
      message: expect.stringContaining('ropeTheta is 500 in the configuration and 10000 in the model'),
    })
    const first = await start((text) => from(text).replace('maxPositions: 512', 'maxPositions: 1024'))
    expect(first.value).toMatchObject({ type: 'training-start' })
  })

  it('refuses sections that do not fit the positions of the model, and more positions than the engine takes', async () => {
    const long = (text: string) =>
      text.replaceAll(/sectionTokens: \d+, rowTokens: \d+/g, 'sectionTokens: 512, rowTokens: 1024')
    expect(() => start(long)).toThrow(
      /stages\.0\.sectionTokens cannot be 512 \(must be less than model\.maxPositions/,
    )
    const asked = (text: string) => text.replace(/(evaluation: .*sectionTokens: )\d+/, '$1512')
    expect(() => start(asked)).toThrow(/evaluation\.sectionTokens cannot be 512/)
    const config = yaml(folder.join('endless')).replace('maxPositions: 512', 'maxPositions: 2000000')
    await expect(trainSft(parseSftConfig(config, 'test'), { texts }).next()).rejects.toThrow(
      /2000000 maxPositions are more than/,
    )
  })

  it('refuses a budget that does not fit its window: the trained model could read nothing', async () => {
    const config = yaml(folder.join('narrow')).replace('window: 400', 'window: 200')
    await expect(trainSft(parseSftConfig(config, 'test'), { texts }).next()).rejects.toMatchObject({
      code: 'train/window',
      message: expect.stringMatching(/could not read any text\. .* more than the window of 200: chunk 96/),
      hint: expect.stringMatching(/budget\.window/),
    })
  })

  it('refuses a model whose tokenizer lacks the tokens of readers: what it trained could not be loaded', async () => {
    const foreign = folder.join('foreign')
    await cp(folder.join('whole', 'model'), foreign, { recursive: true })
    const path = folder.join('foreign', 'tokenizer.json')
    const tokenizer = await readFile(path, 'utf8')
    await writeFile(path, tokenizer.replaceAll('<|end|>', '</s>').replaceAll('<memory>', '<notes>'))
    const config = parseSftConfig(`${yaml(folder.join('from-foreign'))}startFrom: ${foreign}\n`, 'test')
    await expect(trainSft(config, { texts }).next()).rejects.toMatchObject({
      code: 'train/other-tokenizer',
      details: { missing: ['<|end|>', '<memory>'] },
    })
  })

  it('keeps of the model that it starts from its numerics, not what it was trained for: nothing of that is repeated', async () => {
    const [begun, further] = [folder.join('begun'), folder.join('further')]
    await cp(folder.join('whole', 'model'), begun, { recursive: true })
    const profile = JSON.parse(await readFile(folder.join('begun', 'profile.json'), 'utf8'))
    await writeFile(
      folder.join('begun', 'profile.json'),
      JSON.stringify({ ...profile, precision: 'int8', workflows: ['edits', 'overwrite'] }),
    )
    const config = parseSftConfig(`${yaml(further, 1)}startFrom: ${begun}\n`, 'test')
    for await (const _ of trainSft(config, { texts }));
    const saved = JSON.parse(await readFile(folder.join('further', 'model', 'profile.json'), 'utf8'))
    expect(saved).toMatchObject({
      name: 'further',
      precision: 'int8',
      workflows: ['overwrite'],
    })
  })

  it('names the stage whose rows do not fit into memory, before anything is drawn', async () => {
    const config = yaml(folder.join('large')).replace('rows: 1', 'rows: 1000000000')
    await expect(trainSft(parseSftConfig(config, 'test'), { texts }).next()).rejects.toMatchObject({
      code: 'train/memory',
      message: 'A step of stages.0 does not fit into memory: 1000000000 rows of 512 tokens.',
      hint: expect.stringContaining('stages.0.rows'),
    })
  })

  it('reports that evaluation has too little prose', async () => {
    const small = (text: string) => text.replace('evaluationShare: 0.34', 'evaluationShare: 0.01')
    await expect(
      trainSft(parseSftConfig(small(yaml(folder.join('small'))), 'test'), {
        texts: [...texts, 'Short.'],
      }).next(),
    ).rejects.toThrow(/Evaluation needs at least 50,000 characters/)
    const all = (text: string) => text.replace('evaluationShare: 0.34', 'evaluationShare: 1')
    expect(() => start(all)).toThrow(/prose.evaluationShare/)
  })
})

describe('parseSftConfig', () => {
  it('names every wrong field', () => {
    const wrong = yaml('out').replace('rowTokens: 512', 'rowTokens: 500').replace('seed: 3', 'sead: 3')
    expect(() => parseSftConfig(wrong, 'file.yaml')).toThrow(
      /stages\.0\.rowTokens.*\n.*sead|sead.*\n.*rowTokens/s,
    )
    const still = yaml('out').replace('warmupSteps: 2', 'warmupSteps: 2, beta2: 1')
    expect(() => parseSftConfig(still, 'file.yaml')).toThrow(/optimizer\.beta2/)
    const wide = yaml('out').replace('window: 400', 'window: 513')
    expect(() => parseSftConfig(wide, 'file.yaml')).toThrow(
      /budget\.window cannot be 513 .must be at most model\.maxPositions, which is 512/,
    )
    expect(() => parseSftConfig('a: [', 'file.yaml')).toThrow(/file.yaml is not valid YAML/)
  })
})
