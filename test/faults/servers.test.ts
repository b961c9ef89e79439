/**
 * Every server fault at the first call, at one in the middle and at the final one. Only the chunk that meets the fault
 * contains the answer. No reading crashes, hangs, or says that the text has no answer; a failed one resumes from its
 * checkpoint.
 */
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import {
  createMemoryCheckpointStore,
  createOpenAICompatibleModel,
  createTextDocument,
  MemAgentError,
  type ModelProfile,
  type ReadingEvent,
  readDocument,
} from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { main } from 'memagent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServerFault, serverFaults } from './server-faults.ts'

const places = ['first', 'middle', 'final'] as const
type Place = (typeof places)[number]

const profile: ModelProfile = {
  name: 'small',
  budget: { window: 480, question: 80, chunk: 60, memory: 48, output: 40 },
  prompts: 'paper',
}
const tokenizer = { name: 'words', isExact: true, count: (text: string) => text.split(/\s+/).length }
const fact = 'The gate code is 4821.'
const filler = (from: number) =>
  Array.from({ length: 24 }, (_, i) => `Guest ${from + i} came on day ${from + i}.`).join(' ')
const textFor = (place: Place) =>
  [
    `Beginning. ${place === 'middle' ? '' : fact} ${filler(0)}`,
    `Middle. ${place === 'middle' ? fact : ''} ${filler(100)}`,
    filler(200),
  ].join(' ')

const placeOf = (prompt: string): Place | undefined => {
  if (!prompt.includes('<section>')) return 'final'
  if (prompt.includes('Beginning.')) return 'first'
  return prompt.includes('Middle.') ? 'middle' : undefined
}

/** Notes the fact when it reads it, and answers with it when it is noted. */
function honest(prompt: string): string {
  const knows = prompt.includes(fact)
  if (prompt.includes('<section>')) return knows ? fact : 'No previous memory'
  return knows ? '\\boxed{4821}' : '\\boxed{not in the text}'
}

/** What fails now, and where. */
let present: { readonly fault: ServerFault; readonly place: Place } | undefined
let calls = 0

const server = createServer((request, response) => {
  response.on('error', () => undefined)
  let body = ''
  request.on('data', (part) => {
    body += part
  })
  request.on('end', () => {
    if (!request.url?.endsWith('/chat/completions')) {
      response.writeHead(request.url?.endsWith('/models') ? 200 : 404, { 'content-type': 'application/json' })
      return response.end('{"object":"list","data":[{"id":"m"}]}')
    }
    calls++
    const prompt: string = JSON.parse(body).messages.at(-1).content
    const text = honest(prompt)
    if (present && placeOf(prompt) === present.place) return present.fault.play(response, text)
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ choices: [{ message: { content: text }, finish_reason: 'stop' }] }))
  })
})
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`

/** Waits that a server asks for take no time here: patience is measured by this clock. */
function model(isImpatient: boolean) {
  let clockMs = 0
  return createOpenAICompatibleModel({
    baseUrl: baseUrl(),
    model: 'm',
    profile,
    tokenizer,
    timeoutMs: isImpatient ? 300 : 30_000,
    idleTimeoutMs: isImpatient ? 150 : 30_000,
    retry: { attempts: isImpatient ? 1 : 2, patienceMs: 3_600_000 },
    now: () => clockMs,
    sleep: async (ms) => {
      clockMs += ms
    },
  })
}

async function readOnce(
  place: Place,
  { checkpoints = createMemoryCheckpointStore(), isImpatient = false } = {},
) {
  const events: ReadingEvent[] = []
  const document = createTextDocument(textFor(place))
  const question = 'What is the gate code?'
  try {
    for await (const event of readDocument({ question, document, model: model(isImpatient), checkpoints }))
      events.push(event)
  } catch (error) {
    if (!MemAgentError.isInstance(error)) throw error
    return { error, events }
  }
  const end = events.at(-1)
  if (end?.type !== 'answer') throw new Error('the reading ended without an answer and without an error')
  return { answer: end.answer, events }
}

/** Longer is a hang: no reading here takes a second. */
const hangMs = 60_000

it('there are faults of every kind', () => {
  expect(serverFaults.length).toBeGreaterThanOrEqual(45)
  expect(new Set(serverFaults.map(({ name }) => name)).size).toBe(serverFaults.length)
})

it('without a fault the reading finds the fact, wherever it stands', async () => {
  for (const place of places)
    expect((await readOnce(place)).answer).toMatchObject({ text: '4821', outcome: 'found' })
})

describe.each(serverFaults)('$name', (fault) => {
  it.each(places)('at the %s call', { timeout: hangMs }, async (place) => {
    present = { fault, place }
    const checkpoints = createMemoryCheckpointStore()
    const result = await readOnce(place, { checkpoints, isImpatient: fault.isSilent ?? false }).finally(
      () => {
        present = undefined
      },
    )
    const { consequence } = fault
    expect(result.answer?.outcome).not.toBe('not-found')
    if (consequence.kind === 'harmless') {
      return expect(result.answer).toMatchObject({ text: '4821', outcome: 'found' })
    }
    if (consequence.kind === 'nothing-usable' && place !== 'final') {
      expect(result.answer).toMatchObject({ text: '', outcome: 'unsure' })
      const end = result.events.at(-1)
      return expect(end?.type === 'answer' && end.warnings.some(({ touchesAnswer }) => touchesAnswer)).toBe(
        true,
      )
    }
    expect(result.error?.code).toMatch(consequence.kind === 'error' ? consequence.code : /^chat\/answer-/)
    expect(result.error?.message).toMatch(/^\S[\s\S]{10,600}$/)
    const before = calls
    expect((await readOnce(place, { checkpoints })).answer).toMatchObject({ text: '4821', outcome: 'found' })
    // Chunks read before are not read again.
    if (place === 'final' && !fault.isSilent) expect(calls - before).toBe(1)
  })
})

describe('of the command', () => {
  const folder = temporaryFolder(beforeAll, afterAll)
  const path = folder.join.bind(folder, 'text.txt')
  beforeAll(() => writeFile(path(), textFor('final')))

  // Without the model's own tokenizer, a cut prompt cannot be detected for sure; and the command never asks for compression,
  // so it reads a reply that wrongly claims to be compressed.
  const readable = ['a prompt that was cut', 'said to be compressed']
  it.each(serverFaults.filter(({ name }) => !readable.includes(name)))(
    '$name at the final call is an exit code and one document of JSON',
    { timeout: hangMs },
    async (fault) => {
      let [stdout, stderr] = ['', '']
      present = { fault, place: 'final' }
      const flags = ['--retries', '0', '--timeout', fault.isSilent ? '1' : '30', '--json', '--quiet']
      const model = ['--model', 'openai:m', '--base-url', baseUrl()]
      const code = await main(['ask', 'What is the gate code?', path(), ...model, ...flags], {
        stdin: Readable.from([]),
        stdout: { write: (text) => (stdout += text) },
        stderr: { write: (text) => (stderr += text) },
        environment: {},
      }).finally(() => {
        present = undefined
      })
      const record = JSON.parse(stdout)
      expect(stderr).not.toMatch(/\n\s+at .*:\d+:\d+/)
      if (fault.consequence.kind === 'harmless') {
        return expect([code, record.outcome, record.answer]).toEqual([0, 'found', '4821'])
      }
      expect([code, record.outcome]).toEqual([1, 'failed'])
      expect(record.error.message).toMatch(/\S/)
      expect(stderr).toMatch(/^error: \S/m)
    },
  )
})
