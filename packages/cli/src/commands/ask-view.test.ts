/** What `memagent ask` tells while it has not read anything yet. */
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
