import { readFile, writeFile } from 'node:fs/promises'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeEach, afterEach)
let server: StubServer
const lines = Array.from({ length: 120 }, (_, i) => `On day ${i} Ann walked to the South Gate and back.`)
const text = () => folder.join('text.txt')
const store = () => ['--store', folder.join('runs.sqlite')]

beforeEach(async () => {
  server = await createStubServer({
    respond: ({ messages }) =>
      messages[0]!.content.includes('<section>')
        ? `Ann walked ${messages[0]!.content.length} times.`
        : '\\boxed{Ann}',
  })
  await writeFile(text(), lines.join('\n'))
})
afterEach(() => server.close())

async function ask(...more: string[]) {
  const before = server.callCount
  const model = more.includes('--model') ? [] : ['--model', 'openai:stub']
  const url = more.includes('--base-url') ? [] : ['--base-url', server.baseUrl]
  const window = [
    '--window',
    '1200',
    '--chunk',
    '300',
    '--memory',
    '60',
    '--output',
    '60',
    '--question-budget',
    '60',
  ]
  const args = ['ask', 'Who walks?', text(), ...model, ...url, ...window, '--json', '--quiet']
  const keep = more.includes('--no-store') ? [] : store()
  const result = await runMain([...args, ...keep, ...more], { environment: {} })
  const { seconds: _, ...json } = JSON.parse(result.stdout)
  return { ...result, json, calls: server.callCount - before }
}

const cache = async (...args: string[]) => {
  const { code, stdout, stderr } = await runMain(['cache', ...args, ...store()], { environment: {} })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

describe('a question that was asked before', () => {
  it('makes no call, has the same answer, and says so', async () => {
    const first = await ask()
    const again = await ask()
    expect(first.calls).toBeGreaterThan(4)
    expect(again.calls).toBe(0)
    expect(again.code).toBe(first.code)
    const { usage: paid, ...whole } = first.json
    const { usage, ...same } = again.json
    expect(same).toEqual(whole)
    expect(usage).toMatchObject({ calls: 0, promptTokens: 0, fromCache: { calls: first.calls } })
    expect(paid.fromCache).toBeUndefined()
    expect(first.stderr).not.toContain('cache')
    expect(again.stderr).toContain(
      `note: All ${first.calls} calls were answered from the cache, without asking the model`,
    )
    const limited = await ask('--max-calls', '1')
    expect([limited.code, limited.calls]).toEqual([first.code, 0])
    const runs = JSON.parse((await runMain(['runs', '--json', ...store()], { environment: {} })).stdout)
    const { stdout } = await runMain(['show', runs[0].id ?? runs.runs[0].id, ...store()], { environment: {} })
    expect(stdout).toContain(`0 calls, 0 prompt tokens, 0 generated`)
    expect(stdout).toContain(`; ${first.calls} more answered from the cache`)
  })

  it.each([
    ['--seed', '7'],
    ['--temperature', '0.3'],
    ['--model', 'openai:another'],
    ['--no-cache'],
    ['--no-store'],
  ])('is paid for with another %s %s', async (...difference) => {
    const first = await ask()
    expect((await ask(...difference)).calls).toBe(first.calls)
    expect((await ask()).calls).toBe(0)
  })

  it('is paid for with other prompts, as far as they differ', async () => {
    const { calls } = await ask()
    // The prompt for the answer has no section.
    expect((await ask('--prompts', 'section-first')).calls).toBe(calls - 1)
  })

  it('is paid for at another server', async () => {
    const { calls } = await ask()
    expect((await ask('--base-url', server.baseUrl.replace('127.0.0.1', 'localhost'))).calls).toBe(calls)
  })

  it('about a text with another end pays for the end alone', async () => {
    const first = await ask()
    await writeFile(text(), [...lines.slice(0, -1), 'In the end Zoe came.'].join('\n'))
    const { calls, json } = await ask()
    expect(calls).toBeLessThanOrEqual(3)
    expect(calls).toBe(json.usage.calls)
    expect(json.usage.fromCache.calls + calls).toBe(first.calls)
  })
})

describe('memagent cache', () => {
  it('shows what is in it, erases it, and limits it', async () => {
    expect(await cache()).toMatch(/^0 replies, 0 B of at most 256 MiB, in .*runs\.sqlite\n$/)
    const { calls } = await ask()
    await ask()
    expect(await cache()).toMatch(
      new RegExp(
        `^${calls} replies, .* KiB of at most 256 MiB, in .*\\nThey were used instead of ${calls} calls `,
      ),
    )
    expect(JSON.parse(await cache('--json'))).toMatchObject({ entries: calls, hits: calls })
    expect(await readFile(folder.join('runs.sqlite'), 'latin1')).toContain('cached_replies')
    expect(await cache('clear')).toBe(`Erased ${calls} replies.\n`)
    expect((await ask()).calls).toBe(calls)
    for (const size of ['1.5MiB', '1.5MB', '1.5 mib', '1536 KiB', '1572864 B']) {
      expect(await cache('limit', size)).toBe('Cache limit: 1.5 MiB.\n')
      expect(JSON.parse(await cache('--json')).limitBytes).toBe(1.5 * 1024 ** 2)
    }
    expect(await cache('limit', '1GiB')).toBe('Cache limit: 1 GiB.\n')
    expect(await cache('limit', '0')).toBe('Cache limit: 0 B.\n')
    expect((await ask()).calls).toBe(calls)
    for (const size of ['much', '1iB', '1GiBB']) {
      const { code, stderr } = await runMain(['cache', 'limit', size, ...store()], { environment: {} })
      expect(code).toBe(2)
      expect(stderr).toContain(`"${size}" is not a valid size`)
    }
  })
})
