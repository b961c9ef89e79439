/** The command itself over one document of each odd shape: what it prints, and how it ends. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { main } from 'memagent'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fact, fuzzedDocument, shapeCount } from './fuzzed-documents.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
beforeAll(async () => {
  server = await createStubServer({
    isRecording: false,
    // Repeats what it read last, so that the document gets into the notes and the answer.
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const knows = prompt.includes(fact)
      if (!prompt.includes('<section>')) return knows ? `\\boxed{${fact}}` : '\\boxed{not in the text}'
      const section = prompt.slice(prompt.indexOf('<section>') + 10, prompt.lastIndexOf('</section>'))
      return `${knows ? fact : 'Nothing so far.'} ${Array.from(section).slice(-30).join('')}`
    },
  })
})
afterAll(() => server.close())

async function ask(args: readonly string[]) {
  let [stdout, stderr] = ['', '']
  const code = await main(
    ['ask', 'What is it?', '--model', 'openai:stub', '--base-url', server.baseUrl, ...args],
    {
      stdin: (async function* () {
        // Nothing comes.
      })(),
      stdout: { write: (text) => (stdout += text) },
      stderr: { write: (text) => (stderr += text) },
      environment: {},
    },
  )
  return { code, stdout, stderr }
}

/** Shapes that the command's loaders can read, and what it reports for them. */
const toldOf: Readonly<Record<string, RegExp>> = {
  'UTF-16 without a mark': /^/,
  'bytes that are no UTF-8': /is not UTF-8; it is read as \S+, which is a guess\./,
  'Latin-1': /is not UTF-8; it is read as \S+, which is a guess\./,
  'compressed text': /^/,
}

/** Control characters, and characters that reorder text. */
const steering = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

it.each(Array.from({ length: shapeCount }, (_, seed) => [fuzzedDocument(seed).shape, seed] as const))(
  'of %s (document %i) it answers or says what is wrong',
  async (shape, seed) => {
    const { bytes, is } = fuzzedDocument(seed)
    const path = folder.join(`${seed}.txt`)
    await writeFile(path, bytes)
    const plain = await ask([path])
    for (const line of `${plain.stdout}\n${plain.stderr}`.split('\n')) expect(line).not.toMatch(steering)
    const json = await ask([path, '--json', '--quiet'])
    const record = JSON.parse(json.stdout)
    expect([plain.code, json.stdout.replace(/\n$/, '').match(steering)]).toEqual([json.code, null])
    if (plain.code === 0) {
      expect([plain.stdout, record.answer, record.outcome]).toEqual([`${fact}\n`, fact, 'found'])
    } else {
      expect([plain.code, plain.stdout, record.outcome]).toEqual([1, '', 'failed'])
      expect(plain.stderr).toMatch(/^error: \S[\s\S]*\n {2}\S[\s\S]*\n {2}\(document\//m)
    }
    // The command reads more than plain text, and says so if it guesses.
    const told = toldOf[shape]
    if (told) expect(plain.stderr).toMatch(told)
    const isRead = is === 'text' || told !== undefined
    if (is !== 'either') expect(plain.code).toBe(isRead ? 0 : 1)
  },
)
