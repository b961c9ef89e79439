/** `--ahead`: the same answer and notes with several chunks under way, and what that wasted. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { chunksAhead, serverChunksAhead } from './ahead-option.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const text = () => folder.join('text.txt')
let server: StubServer
let [active, peak, started] = [0, 0, 0]
/** The first calls end only when the allowed number are under way: one more after each call, up to this many. */
let most = 1
const turn = () => new Promise((resolve) => setImmediate(resolve))

beforeAll(async () => {
  const sentence = (i: number) => (i === 1400 ? 'The code is 7. ' : `Story ${i} tells of the sea. `)
  await writeFile(text(), Array.from({ length: 1600 }, (_, i) => sentence(i)).join(''))
  server = await createStubServer({
    respond: async ({ messages }) => {
      peak = Math.max(peak, ++active)
      const call = started++
      while (call < 40 && started < Math.min(2 * call + 1, call + most)) await turn()
      active--
      const prompt = messages.at(-1)!.content
      const known = prompt.includes('The code is 7.')
      if (!prompt.includes('<section>')) return known ? '\\boxed{7}' : '\\boxed{none}'
      return known ? 'The code is 7.' : 'No previous memory'
    },
  })
})
afterAll(() => server.close())

async function run(command: 'ask' | 'notes', chunks: number, ...more: string[]) {
  most = chunks
  peak = started = 0
  const model = ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '200']
  const question = command === 'ask' ? ['Which code?'] : []
  return { ...(await runMain([command, ...question, text(), ...model, ...more])), peak }
}

describe('--ahead', () => {
  it.each(['ask', 'notes'] as const)(
    'changes nothing that %s finds, and counts what it wasted',
    async (command) => {
      const inOrder = await run(command, 1, '--json', '--quiet')
      const ahead = await run(command, 4, '--json', '--quiet', '--ahead', '4')
      expect([inOrder.peak, ahead.peak]).toEqual([1, 4])
      const [one, other] = [inOrder, ahead].map(({ stdout }) => JSON.parse(stdout))
      const { wasted, ...usage } = other.usage
      expect(wasted.calls).toBe(3)
      expect({ ...other, seconds: 0, usage: undefined }).toEqual({ ...one, seconds: 0, usage: undefined })
      expect(usage.calls - wasted.calls).toBe(one.usage.calls)
      expect(usage.promptTokens - wasted.promptTokens).toBe(one.usage.promptTokens)
      expect(one.usage.wasted).toBeUndefined()
    },
  )

  it('auto has as many chunks under way as calls may be', async () => {
    expect((await run('ask', 8, '--quiet', '--ahead', 'auto')).peak).toBe(8)
    expect((await run('ask', 3, '--quiet', '--ahead', 'auto', '--concurrency', '3')).peak).toBe(3)
    expect((await run('ask', 12, '--quiet', '--ahead', '12')).peak).toBe(12)
  })

  it('takes no other words and numbers', async () => {
    for (const wrong of ['many', '0', '1.5', '-2']) {
      const { stderr, code } = await run('ask', 1, `--ahead=${wrong}`)
      expect([code, stderr]).toEqual([2, expect.stringContaining(`--ahead must be auto, or a whole number`)])
    }
  })

  it('tells of wasted calls in events, with the chunk that they were for', async () => {
    const events = (await run('ask', 4, '--events', '--quiet', '--ahead', '4')).stdout.trim().split('\n')
    const wasted = events.map((line) => JSON.parse(line)).filter((event) => event.wasted)
    expect(wasted.reduce((sum, event) => sum + event.wasted.calls, 0)).toBe(3)
  })

  it('is told to be in vain for a workflow that reads in order', async () => {
    const { stderr, peak } = await run('ask', 1, '--ahead', '4', '--workflow', 'slots', '--chunk', '150')
    expect(stderr).toContain('The workflow slots cannot read ahead: --ahead has no effect.')
    expect(peak).toBe(1)
  })

  it('doubles what an estimate calls the most', async () => {
    const estimate = async (...more: string[]) => {
      const model = ['--model', 'openai:stub', '--base-url', server.baseUrl]
      return JSON.parse((await runMain(['estimate', text(), '--json', ...model, ...more])).stdout)
    }
    const [one, ahead] = [await estimate(), await estimate('--ahead', '4')]
    expect(ahead.calls).toBe(one.calls)
    // All but the answer and its repetition are doubled.
    expect(ahead.mostCalls - 2).toBe(2 * (one.mostCalls - 2))
    const adaptive = [await estimate('--memory', 'auto'), await estimate('--memory', 'auto', '--ahead', '4')]
    expect(adaptive[1].mostCalls - 2).toBe(2 * (adaptive[0].mostCalls - 2))
  })

  it('is 1 for a server unless it is asked for, as its help says', async () => {
    expect(serverChunksAhead({}, undefined)).toBeUndefined()
    expect(serverChunksAhead({ ahead: 'auto' }, undefined)).toBe(8)
    const standard = async (command: string) =>
      /as many as --concurrency \(default: ([^)]+)\)/.exec(
        (await runMain([command, '--help'])).stdout.replace(/\s+/g, ' '),
      )?.[1]
    expect(await standard('serve')).toMatch(/^1\b/)
    for (const command of ['ask', 'mcp']) expect(await standard(command)).toMatch(/^auto for a model in this/)
  })

  it('is what the bundled model does by itself, to the same notes', async () => {
    const demo = async (...more: string[]) =>
      JSON.parse((await runMain(['demo', '--tokens', '6000', '--json', '--quiet', ...more])).stdout)
    const [ahead, inOrder] = [await demo(), await demo('--ahead', '1')]
    const { answer, memory, steps, correct, usage } = ahead
    expect({ answer, memory, steps, correct }).toMatchObject({
      answer: inOrder.answer,
      memory: inOrder.memory,
      steps: inOrder.steps,
      correct: true,
    })
    // How many are wasted, if any, depends on the load of the machine.
    expect(usage.calls - (usage.wasted?.calls ?? 0)).toBe(inOrder.usage.calls)
    expect(inOrder.usage.wasted).toBeUndefined()
    expect(chunksAhead({}, undefined)).toBeGreaterThan(1)
  }, 300_000)
})
