/**
 * Many concurrent calls to a server that fails at random. The fault of every attempt is a function of the seed, the question and
 * the attempt, so the outcome of every call is known: its own answer, or one particular error.
 */
import { expect, test } from 'vitest'
import { MemAgentError } from '../errors.ts'
import type { Fault } from '../testing/stub-faults.ts'
import { createStubServer } from '../testing/stub-server.ts'
import { createOpenAICompatibleModel } from './openai-compatible.ts'

const attempts = 4
/** Faults, and the error that a call ends with when they last. */
const passing: [Fault, string][] = [
  [{ kind: 'rate-limit', retryAfter: '1' }, 'chat/rate-limited'],
  [{ kind: 'rate-limit' }, 'chat/rate-limited'],
  [{ kind: 'status', status: 500 }, 'chat/server-fault'],
  [{ kind: 'status', status: 503 }, 'chat/server-fault'],
  [{ kind: 'reset' }, 'chat/connection'],
  [{ kind: 'refuse' }, 'chat/connection'],
  [{ kind: 'truncated-json' }, 'chat/broken-response'],
  [{ kind: 'stall' }, 'chat/timeout'],
  [{ kind: 'html' }, 'chat/server-fault'],
]
const lasting: [Fault, string][] = [
  [{ kind: 'context-length' }, 'chat/overlong-prompt'],
  [{ kind: 'no-choices' }, 'chat/empty-response'],
  [{ kind: 'cut-prompt', tokens: 3 }, 'chat/truncated-prompt'],
]

/** A number in [0, 1) for each pair (an integer hash after Mulberry32). */
function draw(question: number, attempt: number, salt: number): number {
  let t = Math.imul((question * 31 + attempt) * 31 + salt + 7, 0x6d2b79f5)
  t = Math.imul(t ^ (t >>> 15), 1 | t)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
}

function faultOf(question: number, attempt: number): [Fault, string, isPassing: boolean] | undefined {
  const kind = draw(question, attempt, 1)
  const pick = (faults: [Fault, string][]) =>
    faults[Math.floor(draw(question, attempt, 2) * faults.length)] as [Fault, string]
  if (kind < 0.45) return [...pick(passing), true]
  return kind < 0.52 ? [...pick(lasting), false] : undefined
}

/** The code of the error that the call must end with; undefined when it must succeed. */
function expectedOutcome(question: number): string | undefined {
  for (let attempt = 0; ; attempt++) {
    const fault = faultOf(question, attempt)
    if (fault === undefined) return undefined
    if (!fault[2] || attempt === attempts - 1) return fault[1]
  }
}

test('each of 200 calls ends with its own answer or with the one right error', async () => {
  const seen = new Map<string, number>()
  const server = await createStubServer({
    faults: ({ messages }) => {
      const content = messages[0]?.content ?? ''
      if (content === 'first') return undefined
      const attempt = seen.get(content) ?? 0
      seen.set(content, attempt + 1)
      return faultOf(Number(/^question (\d+)/.exec(content)?.[1]), attempt)?.[0]
    },
  })
  const model = createOpenAICompatibleModel({
    baseUrl: server.baseUrl,
    model: 'stub',
    timeoutMs: 20_000,
    idleTimeoutMs: 400,
    concurrency: 16,
    retry: { attempts },
    tokenizer: { name: 'words', isExact: true, count: (text) => text.split(' ').length },
    sleep: async () => undefined,
  })
  const outcome = async (question: number) => {
    const content = `question ${question} ${'word '.repeat(30)}end ${question}`
    try {
      const { text } = await model.generate([{ role: 'user', content }], { maxTokens: 64 })
      return text === content ? undefined : `wrong answer: ${text}`
    } catch (error) {
      return MemAgentError.isInstance(error) ? error.code : `not one of our errors: ${error}`
    }
  }
  try {
    // Until then, a web page is one at a wrong address.
    await model.generate([{ role: 'user', content: 'first' }], { maxTokens: 64 })
    const questions = Array.from({ length: 200 }, (_, i) => i)
    const expected = questions.map(expectedOutcome)
    expect(await Promise.all(questions.map(outcome))).toEqual(expected)
    // The draw must contain every kind of outcome.
    expect(server.calls.length).toBeGreaterThan(300)
    const codes = new Set(expected)
    for (const [, code] of lasting) expect(codes).toContain(code)
    expect(expected.filter((code) => code === undefined).length).toBeGreaterThan(150)
  } finally {
    await server.close()
  }
})
