import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { createScriptedModel } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import { countTokensRoughly as countTokens } from '../testing/fixtures.ts'
import { madeHotpotQa } from '../testing/qa-files.ts'
import { textOf } from '../testing/task-contract.ts'
import { type AskWithoutText, type SynthesisStep, synthesizeRulerHqa } from './synthesize.ts'
import { writeTrainingSet } from './write-training-set.ts'

const made = [...madeHotpotQa({ questions: 40 })] as readonly {
  readonly question: string
  readonly answer: string
}[]
const answerTo = (question: string): string => made.find((row) => row.question === question)!.answer
/** The model knows every third question. */
const isKnown = (question: string): boolean => made.findIndex((row) => row.question === question) % 3 === 0

const folder = temporaryFolder(beforeAll, afterAll)
let path: string
beforeAll(async () => {
  path = folder.join('hotpot_train_v1.1.json')
  await writeFile(path, JSON.stringify(made))
})

/** A model that knows some of the answers, but only on its second attempt. */
function askModel(): { ask: AskWithoutText; calls: () => string[] } {
  const model = createScriptedModel(({ messages, index }) => {
    const question = messages[0]!.content
    const earlier = model.calls.slice(0, index).filter((call) => call.messages[0]!.content === question)
    return isKnown(question) && earlier.length > 0 ? `I think it is ${answerTo(question)}.` : 'I do not know.'
  })
  return {
    ask: async (question) =>
      (await model.generate([{ role: 'user', content: question }], { maxTokens: 20 })).text,
    calls: () => model.calls.map(({ messages }) => messages[0]!.content),
  }
}

async function steps(options: object): Promise<SynthesisStep[]> {
  const all: SynthesisStep[] = []
  for await (const step of synthesizeRulerHqa({ path, documents: 20, ...options })) {
    all.push(step)
  }
  return all
}

describe('synthesis', () => {
  it('drops what the model answers without a text in any of its attempts, and nothing else', async () => {
    const { ask, calls } = askModel()
    const decided = await steps({ ask, bestOf: 2 })
    expect(decided.map(({ index }) => index)).toEqual(made.map((_, i) => i))
    expect(new Set(decided.map(({ question }) => question)).size).toBe(made.length)
    for (const { question, row } of decided) {
      expect(row === undefined, question).toBe(isKnown(question))
    }
    expect(calls().length).toBe(2 * made.length)
    // One attempt is not enough for this model.
    const once = await steps({ ask: askModel().ask, bestOf: 1 })
    expect(once.every(({ row }) => row !== undefined)).toBe(true)
  })

  it('gives the same rows for the same seed, whatever the concurrency, and others for another', async () => {
    const rows = async (options: object) => (await steps(options)).map(({ row }) => row)
    const first = await rows({ concurrency: 3 })
    expect(await rows({ concurrency: 7, from: 0 })).toEqual(first)
    expect(await rows({ from: 10 })).toEqual(first.slice(10))
    expect(await rows({ seed: 2 })).not.toEqual(first)
    for (const row of first) {
      expect(row!.document.match(/^Document \d+:$/gm)?.length).toBe(20)
    }
  })
})

describe('a training set', () => {
  it('is a file that the task jsonl reads', async () => {
    const out = folder.join('train.jsonl')
    const { questions, dropped } = await writeTrainingSet({
      path,
      out,
      documents: 20,
      samples: 1000,
      ask: askModel().ask,
    })
    expect(questions.length + dropped).toBe(made.length)
    expect(questions).toEqual(questions.filter((question) => !isKnown(question)))
    const task = await tasks.jsonl({ path: out })
    for (const index of [0, 1, 2]) {
      const sample = await task.sample({ seed: 1, index, lengthTokens: 0, countTokens })
      expect(sample.references).toEqual([answerTo(sample.question)])
      expect(task.score(sample, answerTo(sample.question))).toEqual({ strict: 1, lenient: 1 })
      expect((await textOf(sample)).startsWith('Document 1:\n')).toBe(true)
    }
  })

  it('resumes where it was interrupted, and asks nothing twice', async () => {
    const options = { path, documents: 20, samples: 15, concurrency: 4 }
    const whole = folder.join('whole.jsonl')
    const { questions } = await writeTrainingSet({ ...options, out: whole, ask: askModel().ask })
    expect(questions.length).toBe(15)

    const out = folder.join('broken.jsonl')
    const { ask, calls } = askModel()
    let left = 20
    const failing: AskWithoutText = async (question, attempt) => {
      left -= 1
      if (left < 0) throw new Error('the server is gone')
      return ask(question, attempt)
    }
    await expect(writeTrainingSet({ ...options, out, ask: failing })).rejects.toThrow('the server is gone')
    const before = new Set((await readFile(`${out}.progress`, 'utf8')).trim().split('\n').slice(1))
    expect(before.size).toBeGreaterThan(3)
    // A kill may leave a partial line.
    await appendFile(out, '{"id": "hotpotqa-')
    await appendFile(`${out}.progress`, '{"index": 99, "que')

    const asked = calls().length
    const again = await writeTrainingSet({ ...options, out, ask })
    expect(await readFile(out, 'utf8')).toBe(await readFile(whole, 'utf8'))
    expect(again.questions).toEqual(questions)
    const decided = [...before].map((line) => (JSON.parse(line) as { question: string }).question)
    expect(
      calls()
        .slice(asked)
        .filter((question) => decided.includes(question)),
    ).toEqual([])

    const finished = calls().length
    expect(await writeTrainingSet({ ...options, out, ask })).toEqual(again)
    expect(calls().length).toBe(finished)
    await expect(writeTrainingSet({ ...options, out, ask, seed: 2 })).rejects.toMatchObject({
      code: 'task/other-options',
    })
    const progress = await readFile(`${out}.progress`, 'utf8')
    await writeFile(`${out}.progress`, progress.replace('"index":1,', '"index":7,'))
    await expect(writeTrainingSet({ ...options, out, ask })).rejects.toMatchObject({
      code: 'task/bad-progress',
      message: expect.stringContaining('line 3'),
    })
  })
})
