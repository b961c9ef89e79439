/** `memagent demo`: with a model of a server, which has no tokenizer here, and with the bundled one. */
import { createStubServer } from '@memagent/core/testing'
import { expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

it('plants a fact and asks a server model for it', { timeout: 60_000 }, async () => {
  const server = await createStubServer({
    respond: ({ messages }) => {
      const prompt = messages.at(-1)!.content
      const found = prompt.includes('The gate code is 4711.') || prompt.includes('Gate code: 4711.')
      if (prompt.includes('<section>')) return found ? 'Gate code: 4711.' : 'No previous memory'
      return found ? '\\boxed{4711}' : '\\boxed{not in the text}'
    },
  })
  const fact = [
    '--fact',
    'The gate code is 4711.',
    '--question',
    'What is the gate code?',
    '--expect',
    '4711',
  ]
  const model = ['--model', 'openai:stub', '--base-url', server.baseUrl]
  const { code, stdout, stderr } = await runCommand(['demo', '--tokens', '9000', ...fact, ...model, '--json'])
  await server.close()
  expect(stderr).not.toMatch(/error/)
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ answer: '4711', correct: true })
})

it('then asks the bundled model for several facts, and shows the memory growing', {
  timeout: 120_000,
}, async () => {
  const { code, stdout, stderr } = await runCommand(['demo', '--tokens', '6000'])
  expect(stdout.match(/^correct$/gm)).toHaveLength(2)
  expect(code).toBe(0)
  const [, before] = /^at +\d+ %: About .*: not (.+), as was stated before, but .+\.$/m.exec(stderr)!
  const memories = [...stderr.matchAll(/^memory at +\d+ %: (.+)$/gm)].map(([, memory]) => memory!)
  expect(memories).toHaveLength(5)
  expect(memories.filter((memory) => memory.includes(before!))).toHaveLength(1)
  expect(memories.at(-1)).not.toContain(before)
})
