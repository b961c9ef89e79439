/** `memagent estimate` refuses what a reading would refuse, and invalid numbers. */
import { writeFile } from 'node:fs/promises'
import { overwrite } from '@memagent/core'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const estimate = async (...flags: string[]) => {
  const path = folder.join('text.txt')
  await writeFile(path, 'Once there was a text. '.repeat(100))
  return runCommand([
    'estimate',
    path,
    '--model',
    'openai:x',
    '--base-url',
    'http://localhost:1/v1',
    ...flags,
  ])
}

describe('estimate', { timeout: 60_000 }, () => {
  it('tells no cent as nothing', async () => {
    const { stdout } = await estimate('--price-in', '0.01', '--price-out', '0.01')
    expect(stdout).toContain('price:  at most about 0.01,')
  })

  it.skipIf(process.platform === 'win32')(
    'interrupted while its model closes, prints one document',
    async () => {
      const module = folder.join('closing.mjs')
      const close = `close: () => (process.kill(process.pid, 'SIGINT'), new Promise((done) => setTimeout(done, 5000)))`
      await writeFile(
        module,
        `export const createChatModel = () => ({ name: 'x', generate: async () => ({}), ${close} })`,
      )
      const { code, stdout } = await runCommand(['estimate', 'README.md', '--model', module, '--json'])
      expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed', error: { code: 'interrupted' } })
      expect(code).toBe(130)
    },
  )

  it('multiplies by the given prices and times', async () => {
    const { code, stdout } = await estimate('--json', '--price-in', '1,000', '--seconds-per-call', '2')
    expect(code).toBe(0)
    const { calls, seconds, mostPromptTokens, mostPrice } = JSON.parse(stdout)
    expect(seconds).toBe(2 * calls)
    expect(mostPrice).toBeCloseTo(mostPromptTokens / 1000, 9)
  })

  it('counts the instructions of every prompt', async () => {
    const budget = ['--window', '1200', '--question-budget', '64', '--chunk', '200', '--memory', '64']
    const { stdout } = await estimate('--json', '--output', '64', ...budget)
    const { tokens, calls, mostCalls, mostPromptTokens, mostCompletionTokens } = JSON.parse(stdout)
    const { update, answer } = overwrite.prompts.sets.paper!.templates
    const instructions = (calls - 1) * (update.length / 5) + answer.length / 5
    expect(mostPromptTokens).toBeGreaterThan(tokens + calls * 2 * 64 + instructions)
    // The answer may be asked for once more, with what the window has left.
    expect(mostCalls).toBe(calls + 1)
    expect(mostCompletionTokens).toBe(calls * 64 + 1200)
  })

  it('says what one pass takes, and the most of all passes', async () => {
    const { stdout } = await estimate('--json', '--workflow', 'parallel', '--seconds-per-call', '2')
    const { chunks, calls, mostCalls, seconds, mostSeconds } = JSON.parse(stdout)
    expect(calls).toBe(chunks + 1)
    // Three passes, each with a report per chunk and at least one merge.
    expect(mostCalls).toBeGreaterThanOrEqual(3 * (chunks + 1) + 1)
    expect([seconds, mostSeconds]).toEqual([2 * calls, 2 * mostCalls])
    const plain = await estimate('--workflow', 'parallel')
    expect(plain.stdout).toContain(`${calls} for one pass, at most ${mostCalls} `)
  })

  it('refuses a memory that slots cannot divide, as a reading does', async () => {
    const { code, stderr } = await estimate('--workflow', 'slots', '--memory', '7')
    expect(stderr).toContain('workflow/memory-too-small')
    expect(code).toBe(2)
  })

  it.each([
    ['--price-in', 'abc'],
    ['--price-out', '-1'],
    ['--seconds-per-call', '-5'],
    ['--seed', 'abc'],
    ['--top-p', '95'],
  ])('refuses %s %s', async (flag, value) => {
    const { code, stderr } = await estimate(`${flag}=${value}`)
    expect(stderr).toContain(`${flag} must be a`)
    expect(code).toBe(2)
  })

  it('rejects a budget that does not fit the window, as a reading does', async () => {
    const { code, stderr } = await estimate('--window', '2000', '--chunk', '5000')
    expect(stderr).toContain('reading/budget-exceeds-window')
    expect(code).toBe(2)
  })
})
