import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readerFolder } from '../testing/short-training.ts'
import type { RlEvent } from './events.ts'
import { trainRlFromConfig } from './trainer.ts'

const folder = readerFolder(beforeAll, afterAll)
beforeAll(async () => {
  const line = { question: 'who', document: 'one two three.', answers: ['one'] }
  for (const name of ['questions', 'held-out']) {
    await writeFile(folder.join(`${name}.jsonl`), `${JSON.stringify(line)}\n`)
  }
})

async function configWith(task: string, output: string): Promise<string> {
  const path = folder.join('rl.yaml')
  await writeFile(
    path,
    `
output: ${folder.join(output)}
engine: { kind: embedded, startFrom: ${folder.join('model')}, threads: 1 }
task: ${task}
curriculum: [{ steps: 1, lengths: [12] }]
rollouts: { groups: 1, groupSize: 2 }
optimizer: { learningRate: 0.01, warmupSteps: 1 }
evaluation: { every: 1, samples: 1, lengths: [12] }`,
  )
  return path
}

async function firstEvent(task: string): Promise<RlEvent | undefined> {
  const path = await configWith(task, 'run')
  for await (const event of trainRlFromConfig(path)) return event
  return undefined
}

describe('trainRlFromConfig', () => {
  it('warns when it would be evaluated on its training questions', async () => {
    const questions = `path: ${folder.join('questions.jsonl')}`
    const heldOut = `path: ${folder.join('held-out.jsonl')}`
    const jsonl = (evaluation: string) =>
      `{ name: jsonl, options: { ${questions} }, evaluationOptions: { ${evaluation} } }`
    const notice = {
      type: 'notice',
      message: expect.stringMatching(/questions.jsonl[\s\S]*evaluationOptions/),
    }
    expect(await firstEvent(jsonl(''))).toEqual(notice)
    expect(await firstEvent(jsonl(questions))).toEqual(notice)
    expect(await firstEvent(jsonl(heldOut))).toMatchObject({ type: 'training-start' })
    const facts = '{ name: facts-in-prose, options: { split: train, templates: train }'
    expect(await firstEvent(`${facts}, evaluationOptions: { split: eval } }`)).toMatchObject({
      type: 'training-start',
    })
    expect(await firstEvent(`${facts} }`)).toMatchObject({
      type: 'notice',
      message: expect.stringContaining('memorization'),
    })
  })

  it('warns when it would end within its warm-up', async () => {
    const config = await configWith(
      '{ name: facts-in-prose, options: { split: train, templates: train }, evaluationOptions: { split: eval } }',
      'warm-up',
    )
    const first = trainRlFromConfig(config, { settings: ['optimizer.warmupSteps=20'] })
    expect((await first.next()).value).toEqual({
      type: 'notice',
      message: expect.stringContaining('The training of 1 step ends within its warm-up of 20'),
    })
    await first.return(undefined)
  })

  it('warns when a file of questions was edited since the run stopped', async () => {
    const [trained, heldOut] = [folder.join('edited.jsonl'), folder.join('held-out.jsonl')]
    const line = { question: 'who', document: 'one two three.', answers: ['one'] }
    const config = await configWith(
      `{ name: jsonl, options: { path: ${trained} }, evaluationOptions: { path: ${heldOut} } }`,
      'edited-run',
    )
    const first = async (answers: string[]) => {
      await writeFile(trained, JSON.stringify({ ...line, answers }))
      const events: RlEvent[] = []
      for await (const event of trainRlFromConfig(config)) events.push(event)
      return events[0]
    }
    expect(await first(['one'])).toMatchObject({ type: 'training-start' })
    expect(await first(['one'])).toMatchObject({ type: 'training-start' })
    expect(await first(['two'])).toMatchObject({ type: 'notice', message: expect.stringContaining('files') })
  })

  it('lists what the model was trained for, not what it could do before, and its new default first', async () => {
    const [trained, heldOut] = [folder.join('questions.jsonl'), folder.join('held-out.jsonl')]
    const task = `{ name: jsonl, options: { path: ${trained} }, evaluationOptions: { path: ${heldOut} } }`
    const config = await configWith(task, 'gates')
    for await (const _ of trainRlFromConfig(config, { settings: ['workflow=gated-exit'] }));
    const profile = JSON.parse(await readFile(folder.join('gates', 'model', 'profile.json'), 'utf8'))
    expect(profile.workflows).toEqual(['gated-exit', 'gated'])
  })
})
