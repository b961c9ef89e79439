/** Every view of a result says how much of the text was not read. */
import { stat, writeFile } from 'node:fs/promises'
import { createStubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)
let text: string
let asking: string[]

beforeAll(async () => {
  const model = folder.join('model.mjs')
  text = folder.join('book.txt')
  asking = ['--model', model, '--workflow', 'skim']
  const story = (i: number) => `Story ${i} tells of the sea and of its rivers. `
  const stories = Array.from({ length: 400 }, (_, i) => (i === 300 ? 'The gate code is 7. ' : story(i)))
  await writeFile(text, stories.join(''))
  const respond = (prompt: string) => {
    if (prompt.includes('\\boxed{}')) return prompt.includes('code is 7') ? '\\boxed{7}' : '\\boxed{none}'
    const fact = /The gate code is 7\./.exec(prompt)?.[0]
    if (prompt.includes('yes or no')) return fact ? `yes\n${fact}\nend` : 'no'
    return fact ?? 'No previous memory'
  }
  await writeFile(
    model,
    `const respond = ${respond}
     const budget = { window: 400, question: 40, chunk: 60, memory: 40, output: 40 }
     const tokenizer = { name: 'words', isExact: true, count: (text) => (text.match(/\\S+/g) ?? []).length }
     const generate = async ([{ content }]) => ({ text: respond(content), finishReason: { unified: 'stop' } })
     export const createChatModel = () => ({ name: 'm', tokenizer, profile: { name: 'm', prompts: 'paper', budget }, generate })`,
  )
})

const share = /Only \d+ % of the text was read: [\d,]+ bytes passed over\./

it('beside an answer, which is sure', async () => {
  const { stdout, stderr, code } = await runMain(['ask', 'Which gate code?', text, ...asking, '--quiet'])
  expect([stdout, code]).toEqual(['7\n', 0])
  expect(stderr).toMatch(/^note: Only /m)
  expect(stderr).toMatch(share)
})

it('beside the answer of a reading that ended early', async () => {
  const args = ['ask', 'Which gate code?', text, ...asking, '--workflow', 'gated-exit', '--quiet']
  const { stdout, stderr, code } = await runMain(args)
  expect([stdout, code]).toEqual(['7\n', 0])
  expect(stderr).toMatch(
    /^note: The reading ended early, after chunk \d+: \d\d % of the text \([\d,]+ bytes\) was not read\.$/m,
  )
})

it('beside "not found", which is not said of the text', async () => {
  const args = ['ask', 'Which queen lived in Kelvora?', text, ...asking, '--quiet']
  const { stdout, stderr, code } = await runMain(args)
  expect([stdout, code]).toEqual(['No answer was found in the part of the text that was read.\n', 4])
  expect(stderr).toMatch(/^unsure: Only /)
  expect(stderr).toMatch(share)
})

it('in JSON, and in the last event; not where all was read', async () => {
  const args = ['ask', 'Which gate code?', text, ...asking]
  const result = JSON.parse((await runMain([...args, '--json'])).stdout)
  const bytes = (await stat(text)).size - result.usage.bytes
  expect(result.unread).toEqual({ bytes, share: bytes / (bytes + result.usage.bytes) })
  const end = JSON.parse((await runMain([...args, '--events'])).stdout.trim().split('\n').at(-1)!)
  expect(end).toMatchObject({ type: 'answer', unread: result.unread, warnings: [{ code: 'passed-over' }] })
  const whole = await runMain([...args, '--workflow', 'overwrite', '--json', '--quiet'])
  expect(JSON.parse(whole.stdout)).not.toHaveProperty('unread')
  expect(whole.stderr).toBe('')
})

it('and is not shown how long a reading of the rest would take', async () => {
  const { stderr } = await runMain(['ask', 'Which gate code?', text, ...asking], { isTTY: true })
  expect(stderr).toContain('Choosing and reading the first chunk with m')
  expect(stderr).toMatch(/\d+ %, \d+ tokens, /)
  expect(stderr).not.toContain(' left')
})

it('and is told beforehand what it takes at most', async () => {
  const { stdout } = await runMain(['estimate', text, ...asking, '--json'])
  const { chunks, calls, mostCalls } = JSON.parse(stdout)
  expect(chunks).toBeGreaterThan(64)
  expect([calls, mostCalls]).toEqual([65, 66])
})

it('is told that notes without a question are not for it', async () => {
  const { stderr, code } = await runMain(['notes', text, ...asking, '--quiet'])
  expect(stderr).toContain('The workflow skim needs a question: it reads only what a search for it finds.')
  expect(code).toBe(2)
})

it('and searches by meaning where an embedding model is named', async () => {
  const server = await createStubServer({
    embed: (texts) => texts.map((text) => (/code|password/.test(text) ? [1, 0] : [0, 1])),
  })
  const meaning = ['--embeddings', 'bge', '--embeddings-url', server.baseUrl, '--quiet']
  try {
    const byWords = await runMain(['ask', 'Which password?', text, ...asking, '--quiet'])
    expect(byWords.code).toBe(4)
    const { stdout, code } = await runMain(['ask', 'Which password?', text, ...asking, ...meaning])
    expect([stdout, code]).toEqual(['7\n', 0])
    expect(server.calls[0]!.body).toMatchObject({
      model: 'bge',
      input: [expect.stringContaining('password')],
    })
  } finally {
    await server.close()
  }
  const other = await runMain(['ask', 'Which password?', text, ...asking.slice(0, 2), ...meaning])
  expect([other.code, other.stderr]).toEqual([
    2,
    expect.stringContaining('--embeddings is for --workflow skim'),
  ])
})
