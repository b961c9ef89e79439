/** `--max-calls` and `--max-cost` of `memagent ask`. */
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls = 0
beforeAll(async () => {
  server = await createStubServer({
    respond: ({ messages }) => {
      calls += 1
      return messages.at(-1)!.content.includes('<section>') ? 'The code is 7.' : '\\boxed{7}'
    },
  })
  await writeFile(folder.join('text.txt'), 'The code is 7. '.repeat(400))
})
afterAll(() => server.close())

const ask = (...more: string[]) => {
  calls = 0
  const model = ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '200']
  return runMain(['ask', 'Which code?', folder.join('text.txt'), '--quiet', ...model, ...more])
}

describe('a limit', () => {
  it('on calls ends a reading as a failure that resumes with a higher limit', async () => {
    const checkpoint = folder.join('run.json')
    const stopped = await ask('--max-calls', '4', '--checkpoint', checkpoint, '--json')
    expect(stopped.code).toBe(1)
    expect(calls).toBe(4)
    expect(existsSync(checkpoint)).toBe(true)
    expect(JSON.parse(stopped.stdout)).toEqual({
      outcome: 'failed',
      error: {
        code: 'reading/limit-calls',
        message: 'The reading stopped after 4 calls, of 4 that it may make.',
        hint: `Run the same command again, with a higher limit, to resume from ${checkpoint}.`,
      },
      warnings: [],
    })
    const resumed = await ask('--max-calls', '1000', '--checkpoint', checkpoint, '--json')
    expect(resumed.code).toBe(0)
    expect(JSON.parse(resumed.stdout)).toMatchObject({ outcome: 'found', usage: { calls: 4 + calls } })
  })

  it('on cost ends it before the cost could exceed it', async () => {
    const { code, stderr } = await ask('--max-cost', '0.01', '--price-in', '1', '--price-out', '1')
    expect(code).toBe(1)
    expect(stderr).toContain('reading/limit-cost')
    expect(stderr).toContain('With --checkpoint FILE, a run can be resumed.')
    expect(calls).toBeGreaterThan(0)
  })

  it('on cost needs prices', async () => {
    const { code, stderr } = await ask('--max-cost', '1')
    expect(code).toBe(2)
    expect(stderr).toContain('--max-cost needs the price of tokens')
    expect(calls).toBe(0)
  })
})
