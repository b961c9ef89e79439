/** `--memory auto`: the memory's budget grows while it is full, and every new size is reported. */
import { writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('grows the memory into the window, and says so', async () => {
  const respond = (prompt: string, maxTokens: number) =>
    prompt.includes('\\boxed{}') ? '\\boxed{7}' : 'noted '.repeat(maxTokens)
  const [model, text] = [folder.join('model.mjs'), folder.join('text.txt')]
  await writeFile(
    model,
    `const respond = ${respond}
     const budget = { window: 600, question: 40, chunk: 200, memory: 20, output: 40 }
     const tokenizer = { name: 'words', isExact: true, count: (text) => (text.match(/\\S+/g) ?? []).length }
     const generate = async ([{ content }], { maxTokens }) => ({ text: respond(content, maxTokens), finishReason: { unified: 'stop' } })
     export const createChatModel = () => ({ name: 'm', tokenizer, profile: { name: 'm', prompts: 'paper', budget }, generate })`,
  )
  await writeFile(text, 'The code is 7. '.repeat(300))
  const args = ['ask', 'Which code?', text, '--model', model, '--events']
  const changesOf = async (...more: string[]) =>
    (await runMain([...args, ...more])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'budget-change')
  const changes = await changesOf('--memory', 'auto')
  expect(changes.map(({ memory }) => memory)).toEqual([40, 80, 160])
  expect(changes.map(({ chunk }) => chunk).at(-1)).toBeLessThan(200)
  expect(await changesOf()).toEqual([])
  const { code, stderr } = await runMain([...args, '--memory', 'lots'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('--memory must be a whole number above 0')])
})

it('counts on the smallest chunks and the largest memory beforehand', async () => {
  const text = folder.join('short.txt')
  await writeFile(text, 'The code is 7. '.repeat(3000))
  const most = async (...more: string[]) =>
    JSON.parse((await runMain(['estimate', text, '--json', '--seconds-per-call', '1', ...more])).stdout)
  const [fixed, adaptive] = [await most(), await most('--memory', 'auto')]
  expect(adaptive.calls).toBe(fixed.calls)
  expect(adaptive.mostCalls).toBeGreaterThanOrEqual(4 * (fixed.mostCalls - 2))
})
