/** Questions from files: what is read, and what is reported for a file that cannot be. */
import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readQuestionFile } from './question-file.ts'
import { questionList } from './question-list.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const nothing = {
  stdin: (async function* () {
    yield ''
  })(),
}
let number = 0

async function read(ending: string, content: string | Uint8Array) {
  const path = folder.join(`questions-${number++}${ending}`)
  await writeFile(path, content)
  return readQuestionFile(path, nothing)
}
const shown = async (ending: string, content: string | Uint8Array) =>
  (await read(ending, content)).map(({ id, text, line }) => [id, text, line])

describe('a file of questions', () => {
  it('is text with one a line: blank lines count as lines, and are no questions', async () => {
    const expected = [
      ['1', 'Who came?', 1],
      ['2', 'Who "left", and why?', 4],
    ]
    expect(await shown('.txt', '\ufeffWho came?\r\n\r\n  \r\n  Who "left", and why? \r\n')).toEqual(expected)
    expect(await shown('', 'Who came?\n\n\nWho "left", and why?')).toEqual(expected)
  })

  it('is JSON lines, of objects or texts', async () => {
    const lines = [
      '{"id": "a", "question": "Who came?", "topic": 3}',
      '',
      '"Who left?"',
      '{"question": "Why?", "id": 7}',
    ]
    expect(await shown('.jsonl', lines.join('\n'))).toEqual([
      ['a', 'Who came?', 1],
      ['2', 'Who left?', 3],
      ['7', 'Why?', 4],
    ])
  })

  it('is CSV with a column for the question, quoted values, and line breaks in them', async () => {
    const text = '\ufeffID,Topic,Question\r\na,x,"Who came,\r\nand ""why""?"\r\n,,Who left?\r\n'
    expect(await shown('.csv', text)).toEqual([
      ['a', 'Who came,\nand "why"?', 3],
      ['2', 'Who left?', 4],
    ])
    expect(await shown('.csv', 'id;question\n1,5;Who came, and why?\n')).toEqual([
      ['1,5', 'Who came, and why?', 2],
    ])
    expect(await shown('.tsv', 'question\tid\nWho, then?\tz\n')).toEqual([['z', 'Who, then?', 2]])
  })

  it('is known by how it begins where its name does not tell', async () => {
    expect(await shown('.txt', '\n{"question": "Who?"}\n')).toEqual([['1', 'Who?', 2]])
    expect(await shown('', 'id,"question"\nb,Who?\n')).toEqual([['b', 'Who?', 2]])
    expect(await shown('', 'Question\nWho?\n')).toEqual([['1', 'Who?', 2]])
    expect(await shown('', 'id\tquestion\nb\tWho, then?\n')).toEqual([['b', 'Who, then?', 2]])
    expect(await shown('', '"Time stamp","question"\r\n1,Who?\r\n')).toEqual([['1', 'Who?', 2]])
    await expect(shown('', '[{"question": "Who?"}]')).rejects.toThrow('is JSON, and questions are read from')
    const text = 'Is this a question, or no question?\nWho?\n'
    expect(await shown('', text)).toEqual([
      ['1', 'Is this a question, or no question?', 1],
      ['2', 'Who?', 2],
    ])
    expect(await shown('.txt', 'question\nWho?\n')).toHaveLength(2)
  })

  it('is in UTF-8, or in UTF-16 with its mark', async () => {
    const words = 'Wer kam über die Brücke?'
    expect(await shown('.txt', Buffer.from(`\ufeff${words}\n`, 'utf16le'))).toEqual([['1', words, 1]])
    await expect(read('.txt', Buffer.from([0x57, 0xfc, 0x72]))).rejects.toMatchObject({
      code: 'cli/unreadable-questions',
      message: expect.stringMatching(/questions-\d+\.txt is no text in UTF-8\./),
    })
    await expect(read('.txt', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).rejects.toMatchObject({
      code: 'cli/unreadable-questions',
    })
  })

  it.each([
    ['.txt', '', /There is no question in/],
    ['.txt', ' \n\n', /There is no question in/],
    ['.csv', 'id,question\n', /There is no question in/],
    ['.jsonl', '{"question": "a"}\n{"question": ', /Line 2 of .* it is not JSON/],
    ['.jsonl', '{"frage": "a"}', /Line 1 of .* it has no text as "question"/],
    ['.jsonl', '[1]', /Line 1 of .* it is neither an object nor a text/],
    ['.jsonl', '\n{"question": "a", "id": {}}', /Line 2 of .* its "id" is neither a text nor a number/],
    ['.jsonl', '{"question": " "}', /Line 1 of .* its question is empty/],
    ['.csv', 'frage,id\na,1\n', /Line 1 of .* no column is called question \(its columns: frage, id\)/],
    ['.csv', 'question,id\na,1\n,2\n', /Line 3 of .* its question is empty/],
    ['.csv', 'question,id\na,1\nb,1\n', /Line 3 of .* its id 1 is that of line 2/],
    ['.csv', 'question,id\n"a,1\n', /is no CSV: .*[Qq]uote/],
    ['.csv', 'question,id\na,1,2\n', /is no CSV: .*line 2/],
    ['.json', '["a"]', /is JSON, and questions are read from JSON lines/],
  ])('%s with %j is named as what it is', async (ending, content, message) => {
    await expect(read(ending, content)).rejects.toMatchObject({ message: expect.stringMatching(message) })
  })

  it('that does not exist is named', async () => {
    await expect(readQuestionFile(folder.join('none.txt'), nothing)).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot read .*none\.txt: /),
    })
  })

  it('comes back from CSV and from JSON lines as it was written', async () => {
    const words = fc
      .string({ minLength: 1, unit: 'grapheme' })
      .filter((text) => /\S/.test(text) && !/\0|\r/.test(text))
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 5 }), async (texts) => {
        const expected = texts.map((text) => text.trim())
        const quoted = texts.map((text) => `"${text.replaceAll('"', '""')}"`)
        expect((await read('.csv', `question\n${quoted.join('\n')}\n`)).map(({ text }) => text)).toEqual(
          expected,
        )
        const lines = texts.map((question) => JSON.stringify({ question }))
        expect((await read('.jsonl', lines.join('\n'))).map(({ text }) => text)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })
})

it('a question that comes twice is read once, and stands in both places', () => {
  const asked = ['a', 'b', 'a'].map((text, i) => ({ id: String(i + 1), text, line: i + 1 }))
  expect(questionList(asked, 'q.txt')).toEqual({
    asked,
    read: [
      { text: 'a', place: 'line 1 of q.txt' },
      { text: 'b', place: 'line 2 of q.txt' },
    ],
    readAs: [0, 1, 0],
  })
})
