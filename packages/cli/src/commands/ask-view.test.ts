/** What `memagent ask` shows before it has read anything. */
import { writeFile } from 'node:fs/promises'
import { createStubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

const folder = temporaryFolder(beforeAll, afterAll)

it('shows what it waits for, one thing after another, and leaves the bar', async () => {
  const server = await createStubServer({ respond: () => '\\boxed{7}' })
  const text = folder.join('text.txt')
  await writeFile(text, 'The code is 7. '.repeat(20))
  const args = ['ask', 'Which code?', text, '--model', 'openai:stub', '--base-url', server.baseUrl]
  const { stderr } = await runMain([...args, '--checkpoint', folder.join('run.json')], { isTTY: true })
  await server.close()
  // Each frame clears the previous one.
  const lines = stderr.replaceAll('\x1b[0J', '\n')
  const stages = [...lines.matchAll(/^([A-Z][^\n]*), 0:0\d$/gm)].map(([, stage]) => stage)
  expect(stages.filter((stage, i) => stage !== stages[i - 1])).toEqual([
    'Opening the text',
    'Asking the server about openai:stub',
    'Asking openai:stub for its window',
    `Looking through ${text}`,
    'Asking openai:stub for its window',
    `Waiting for ${text}`,
    'Reading the first chunk with openai:stub',
  ])
  expect(stderr).toMatch(/100 %, \d+ tokens, /)
})

it('says of warnings that came several times which of them it shows', async () => {
  let updates = 0
  const wide = (word: string) => `${word} `.repeat(60)
  const respond = (prompt: string) => {
    if (prompt.includes('\\boxed{}')) return '\\boxed{not in the text}'
    return ++updates === 1 ? '+ Ann came.' : `+ ${wide(`a${updates}`)}\n+ ${wide(`b${updates}`)}`
  }
  const model = folder.join('model.mjs')
  await writeFile(
    model,
    `let updates = 0; const wide = ${wide}; const respond = ${respond}
     const budget = { window: 900, question: 40, chunk: 200, memory: 40, output: 40 }
     const tokenizer = { name: 'words', isExact: true, count: (text) => (text.match(/\\S+/g) ?? []).length }
     const generate = async ([{ content }]) => ({ text: respond(content), finishReason: { unified: 'stop' } })
     export const createChatModel = () => ({ name: 'm', tokenizer, profile: { name: 'm', prompts: 'paper', budget }, generate })`,
  )
  const text = folder.join('long.txt')
  await writeFile(text, 'The code is 7. '.repeat(200))
  const { stderr, code } = await runMain([
    'ask',
    'Which code?',
    text,
    '--model',
    model,
    '--workflow',
    'edits',
    '--quiet',
  ])
  expect(code).toBe(4)
  expect(stderr).toMatch(
    /^unsure: The memory is full: 2 new lines did not fit; .* \(the first of \d+ such warnings\)$/m,
  )
})

it('reads as the model was trained, and warns of a workflow that it was not trained for', async () => {
  const model = folder.join('trained.mjs')
  await writeFile(
    model,
    `const budget = { window: 900, question: 40, chunk: 200, memory: 40, output: 40 }
     const tokenizer = { name: 'words', isExact: true, count: (text) => (text.match(/\\S+/g) ?? []).length }
     const generate = async ([{ content }]) =>
       ({ text: content.includes('<section>') ? 'none' : '\\\\boxed{7}', finishReason: { unified: 'stop' } })
     const profile = { name: 'm', prompts: 'paper', budget, workflows: ['edits'] }
     export const createChatModel = () => ({ name: 'm', tokenizer, profile, generate })`,
  )
  const text = folder.join('code.txt')
  await writeFile(text, 'The code is 7.')
  const ask = (...more: string[]) =>
    runMain(['ask', 'Which code?', text, '--model', model, '--json', ...more])
  const trained = await ask()
  expect(JSON.parse(trained.stdout)).toMatchObject({ workflow: 'edits', outcome: 'not-found', warnings: [] })
  const other = await ask('--workflow', 'overwrite')
  expect(JSON.parse(other.stdout)).toMatchObject({ workflow: 'overwrite', outcome: 'found' })
  expect(other.stderr).toContain('warning: The model was not trained for the workflow overwrite')
})
