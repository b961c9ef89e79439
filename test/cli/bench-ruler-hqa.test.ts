/** `memagent bench ruler-hqa`: questions that the model knows without a text are left out; the rest is a task's file. */
import { readFile, writeFile } from 'node:fs/promises'
import { temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { madeHotpotQa } from '../../packages/tasks/src/testing/qa-files.ts'
import { runCommand } from './run-cli.ts'

const folder = temporaryFolder(beforeAll, afterAll)
const made = [...madeHotpotQa({ questions: 30 })] as { readonly question: string; readonly answer: string }[]
let hotpotqa: string
let model: string

beforeAll(async () => {
  hotpotqa = folder.join('hotpot.json')
  await writeFile(hotpotqa, JSON.stringify(made))
  model = folder.join('knows-one.mjs')
  const known = made[0]!
  await writeFile(
    model,
    `export default () => ({
  name: 'knows-one',
  async generate([{ content }]) {
    const text = content.startsWith(${JSON.stringify(known.question)}) ? ${JSON.stringify(known.answer)} : 'I do not know.'
    return { text, finishReason: { unified: 'stop' }, usage: { promptTokens: 1, completionTokens: 1 } }
  },
})
`,
  )
})

describe('bench ruler-hqa', { timeout: 60_000 }, () => {
  it('leaves out what the model knows, and resumes without asking again', async () => {
    const [output, questions] = [folder.join('train.jsonl'), folder.join('questions.txt')]
    const args = ['bench', 'ruler-hqa', '--hotpotqa', hotpotqa, '--output', output, '--questions', questions]
    const options = ['--documents', '12', '--samples', '100', '--model', model]
    const { code, stderr } = await runCommand([...args, ...options])
    expect(stderr).toMatch(/train\.jsonl: 29 questions; 1 dropped that knows-one answers without a text\n$/)
    expect(code).toBe(0)
    const kept = (await readFile(questions, 'utf8')).trim().split('\n')
    expect(kept).toHaveLength(29)
    expect(kept).not.toContain(made[0]!.question)
    const lines = await readFile(output, 'utf8')
    expect(lines.trim().split('\n')).toHaveLength(29)
    const again = await runCommand([...args, ...options, '--json'])
    expect(JSON.parse(again.stdout)).toEqual({ output, questions: 29, model: 'knows-one', dropped: 1 })
    expect(again.code).toBe(0)
    expect(await readFile(output, 'utf8')).toBe(lines)
  })

  it('names the file that it cannot read', async () => {
    const { code, stdout, stderr } = await runCommand([
      ...['bench', 'ruler-hqa', '--hotpotqa', folder.join('none.json'), '--output', folder.join('x.jsonl')],
      '--json',
    ])
    expect(code).not.toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: 'failed' })
    expect(stderr).toContain('none.json')
  })
})
