import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tasks } from '../registry.ts'
import { textOf } from '../testing/task-contract.ts'
import { readCollection } from './collection.ts'

const place = temporaryFolder(beforeAll, afterAll)

const text = 'Café rules.\n\nThe door opens at nine\no’clock. Tea is free. Tea is hot.\n'

async function folderOf(lines: readonly unknown[], poem: string | Uint8Array = text): Promise<string> {
  const folder = await mkdtemp(place.join('real-'))
  await mkdir(join(folder, 'texts/rules'), { recursive: true })
  await writeFile(join(folder, 'texts/rules/cafe.txt'), poem)
  await writeFile(join(folder, 'texts/README.md'), 'not a text')
  const jsonl = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  await writeFile(join(folder, 'questions.jsonl'), `${jsonl.join('\n')}\n`)
  return folder
}

const row = {
  id: 'door',
  document: 'rules/cafe.txt',
  question: 'When can one come in?',
  answers: ['nine o’clock', '9:00'],
  evidence: ['The door opens at nine\no’clock.'],
}

describe('a collection', () => {
  it('has the place of the answer and of the quote in bytes', async () => {
    const { texts, questions } = await readCollection(await folderOf([row]))
    expect(texts.map(({ path, kind }) => [path, kind])).toEqual([['rules/cafe.txt', 'rules']])
    // "Café rules.\n\n" has 14 bytes (é has two), "The door opens at " 18, "nine\no’clock" 14, "." 1.
    expect(questions[0]!.quotes).toEqual([{ startByte: 14, endByte: 47 }])
    expect(questions[0]!.place).toEqual({ startByte: 32, endByte: 46 })
  })

  it('finds the answer as whole words, in the last quote that has it', async () => {
    const tea = { ...row, id: 'tea', answers: ['tea'], evidence: ['Tea is free.', 'Tea is hot.'] }
    const { questions } = await readCollection(await folderOf([tea]))
    expect(questions[0]!.place!.startByte).toBe(Buffer.byteLength(text.slice(0, text.indexOf('Tea is hot'))))
    await expect(readCollection(await folderOf([{ ...tea, answers: ['te'] }]))).rejects.toThrow(
      'line 1: "te", the first answer, is not in the evidence',
    )
  })

  it.each([
    [{ ...row, evidence: ['The door opens at ten'] }, 'the document does not have "The door opens at ten"'],
    [{ ...row, evidence: ['Tea is '] }, 'the document has "Tea is " twice, at the characters 45 and 58'],
    [{ ...row, document: 'rules/bar.txt' }, 'there is no document "rules/bar.txt"'],
    [{ ...row, answers: [] }, 'answers cannot be [] (it takes a list of texts with letters or digits)'],
    [{ ...row, answers: ['nine', '.'] }, 'answers.1 cannot be "." (it takes a text with letters or digits)'],
    [
      { ...row, evidence: undefined },
      'evidence is missing (it takes a list of texts, unless the text does not answer)',
    ],
    [{ ...row, id: '' }, 'id cannot be "" (it takes a text that is not empty)'],
    [{ ...row, question: 7 }, 'question cannot be 7 (it takes a text that is not empty)'],
    [
      { ...row, unanswerable: true },
      'answers cannot be ["nine o’clock","9:00"] (what the text does not answer has neither answers nor evidence)',
    ],
    [{ ...row, unanswerable: 'yes' }, 'unanswerable cannot be "yes" (it takes true or false)'],
    [{ ...row, page: 3 }, 'page is unknown (known: id, document, question, answers, evidence, unanswerable)'],
    ['{"id": ', 'it is not JSON'],
    ['["door"]', 'it is not a JSON object but a list'],
  ])('says which line is wrong: %j', async (line, problem) => {
    const folder = await folderOf([row, '', line])
    await expect(readCollection(folder)).rejects.toMatchObject({ code: 'task/bad-questions' })
    await expect(readCollection(folder)).rejects.toThrow(`line 3: ${problem}`)
  })

  it('does not take a question or its id twice, and wants at least one', async () => {
    await expect(readCollection(await folderOf([row, row]))).rejects.toThrow(
      'line 2: the id "door" was already used',
    )
    await expect(readCollection(await folderOf([row, { ...row, id: 'door-2' }]))).rejects.toThrow(
      'line 2: the question was already asked',
    )
    await expect(readCollection(await folderOf([]))).rejects.toThrow('there are no questions')
  })

  it('takes nothing but UTF-8', async () => {
    await expect(readCollection(await folderOf([row], Buffer.from([0x54, 0xe9, 0x20])))).rejects.toThrow(
      /cafe\.txt: it is not UTF-8/,
    )
  })

  it('of one text cannot make it longer, unless there is prose', async () => {
    const task = await tasks['real-documents']({ folder: await folderOf([row]) })
    const request = { index: 0, seed: 1, countTokens: (part: string) => part.split(' ').length }
    expect(await textOf(await task.sample({ ...request, lengthTokens: 5 }))).toBe(text)
    await expect(task.sample({ ...request, lengthTokens: 500 })).rejects.toMatchObject({
      code: 'task/no-padding',
    })
  })
})
