/**
 * A thousand malformed documents, read by a model that notes the fact it is asked for and repeats what it read last. Text is
 * read to its end and gives the answer; anything else is refused; nothing is "not in the text".
 */
import { writeFile } from 'node:fs/promises'
import {
  type Conversation,
  createScriptedModel,
  DocumentError,
  MemAgentError,
  type ModelProfile,
  type ReadingEvent,
  readDocument,
} from '@memagent/core'
import { createFileDocument } from '@memagent/core/node'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fact, fuzzedDocument } from './fuzzed-documents.ts'

const documents = 1000
const groups = 20

const profile: ModelProfile = {
  name: 'small',
  budget: { window: 1200, question: 80, chunk: 400, memory: 90, output: 40 },
  prompts: 'paper',
}
/** Three bytes a token: about what tokenizers make of odd text. */
const tokenizer = {
  name: 'bytes, by three',
  isExact: true,
  count: (text: string) => Math.ceil(Buffer.byteLength(text) / 3),
}
const folder = temporaryFolder(beforeAll, afterAll)

const part = (prompt: string, name: string) =>
  prompt.slice(prompt.indexOf(`<${name}>\n`) + name.length + 3, prompt.lastIndexOf(`\n</${name}>`))

const model = createScriptedModel(
  ({ messages: [message] }) => {
    const prompt = message!.content
    const knows = part(prompt, 'memory').includes(fact)
    if (!prompt.includes('<section>')) return knows ? `\\boxed{${fact}}` : '\\boxed{not in the text}'
    const section = part(prompt, 'section')
    const last = Array.from(section).slice(-20).join('')
    return `${knows || section.includes(fact) ? fact : 'Nothing so far.'} ${last}`
  },
  { tokenizer, profile, contextWindow: profile.budget.window },
)

/** The tags of a prompt, and what would end a turn: in any case, with white space and invisible characters inside. */
const structureOf = (prompt: string) =>
  prompt
    .replace(/\p{Cf}/gu, '')
    .match(
      /<\s*\/?\s*(?:problem|memory|section)(?=[\s<>/])|<\|[a-z_]{1,40}\|>|<\/?s>|\[\/?inst\]|<<\/?sys>>|<(?:start|end)_of_turn>|<\/?think>|<｜/gi,
    )
    ?.map((sign) => sign.replace(/\s/g, '').toLowerCase())
const structures = {
  update: ['<problem', '</problem', '<memory', '</memory', '<section', '</section'],
  answer: ['<problem', '</problem', '<memory', '</memory'],
}

async function read(document: Awaited<ReturnType<typeof createFileDocument>>) {
  const conversations: Conversation[] = []
  const events: ReadingEvent[] = []
  const onConversation = (conversation: Conversation) => conversations.push(conversation)
  for await (const event of readDocument({ question: 'What is it?', document, model, onConversation })) {
    events.push(event)
  }
  const end = events.at(-1)
  if (end?.type !== 'answer') throw new Error('the reading ended without an answer and without an error')
  return { end, conversations }
}

async function outcome(path: string, invalidBytes?: 'replace') {
  try {
    return await read(await createFileDocument(path, { invalidBytes }))
  } catch (error) {
    if (MemAgentError.isInstance(error)) return { error }
    throw error
  }
}

describe.each(Array.from({ length: groups }, (_, group) => group))('documents %i of 20', (group) => {
  it('are read to their end or refused, and none is "not in the text"', { timeout: 120_000 }, async () => {
    for (let seed = group; seed < documents; seed += groups) {
      const { shape, bytes, is } = fuzzedDocument(seed)
      const told = `document ${seed}, ${shape}`
      const path = folder.join(`${seed}.txt`)
      await writeFile(path, bytes)
      const { end, error, conversations } = {
        end: undefined,
        error: undefined,
        conversations: [],
        ...(await outcome(path)),
      }
      expect(end?.answer.outcome, told).not.toBe('not-found')
      if (is === 'text') expect(error, told).toBeUndefined()
      if (is === 'no-text') expect(error, told).toBeInstanceOf(DocumentError)
      if (error) {
        expect(error, told).toBeInstanceOf(DocumentError)
        expect(error.hint, told).toMatch(/\S/)
      }
      if (!end) continue
      expect(end.answer, told).toMatchObject({ text: fact, outcome: 'found' })
      // A byte order mark is not text.
      expect(bytes.length - end.usage.bytes, told).toBeLessThanOrEqual(3)
      for (const { tag, messages } of conversations) {
        expect(structureOf(messages[0]!.content), told).toEqual(structures[tag.kind as 'update' | 'answer'])
      }
    }
  })
})

it('bytes that are no text are read on when that is asked for', async () => {
  const seeds = Array.from({ length: documents }, (_, seed) => seed)
  const broken = seeds.filter((seed) => /no UTF-8|is cut/.test(fuzzedDocument(seed).shape))
  expect(broken.length).toBeGreaterThan(40)
  for (const seed of broken) {
    const { bytes, shape } = fuzzedDocument(seed)
    const path = folder.join(`replaced-${seed}.txt`)
    await writeFile(path, bytes)
    const { end, error } = { end: undefined, error: undefined, ...(await outcome(path, 'replace')) }
    expect(error, `document ${seed}, ${shape}`).toBeUndefined()
    expect(end?.answer, `document ${seed}, ${shape}`).toMatchObject({ text: fact, outcome: 'found' })
  }
})
