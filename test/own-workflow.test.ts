/** A workflow and prompts of one's own, from a folder outside the repository, wherever a workflow is named. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { overwrite, promptsFor } from '@memagent/core'
import { choosePrompts } from '@memagent/core/settings'
import { createStubServer, type StubServer } from '@memagent/core/testing'
import { writeTinyReader } from '@memagent/train/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './cli/run-cli.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'memagent-own-workflow-'))
/** The installed prose takes seconds to find at every start. */
const prose = join(root, 'recipes/prose/state-of-the-union')
const path = (name: string) => join(folder, name)
const [workflow, prompts, text] = [path('own-workflow.ts'), path('prompts.yaml'), path('harbour-log.txt')]
const change = (file: string, from: string, to: string) =>
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))

let server: StubServer
let asked: string[] = []
beforeAll(async () => {
  // Like a project that has installed the packages.
  for (const file of ['own-workflow.ts', 'prompts.yaml', 'own-task.ts', 'harbour-log.txt']) {
    cpSync(join(root, 'examples', file), path(file))
  }
  writeFileSync(path('package.json'), '{ "type": "module" }')
  symlinkSync(join(root, 'node_modules'), path('node_modules'))
  server = await createStubServer({
    respond: ({ messages: [message] }) => {
      asked.push(message!.content)
      const found = /South Gate is (\d+)\./.exec(message!.content)
      if (!message!.content.includes('<section>')) return `\\boxed{${found?.[1]}}`
      return found?.[0] ?? 'nothing'
    },
  })
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

it('ask reads with it, resumes with it, and with no other', async () => {
  const question = 'What is the access code for the South Gate?'
  const options = ['--model', 'openai:stub', '--base-url', server.baseUrl, '--chunk', '200', '--json']
  const ask = (...more: string[]) =>
    runCommand(['ask', question, text, '--workflow', workflow, '--prompts', prompts, ...options, ...more])
  const { stdout, stderr, code } = await ask('--checkpoint', path('checkpoint.json'))
  expect(stderr).not.toContain('error')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    answer: '70956',
    workflow: 'append-only',
    profile: { prompts: 'prompts' },
  })
  for (const prompt of asked.slice(0, -1)) expect(prompt).toMatch(/^You are reading a long text bit by bit\./)
  expect(asked.at(-1)).toMatch(/^Answer the question from the sentences/)

  asked = []
  expect((await ask('--checkpoint', path('checkpoint.json'))).code).toBe(0)
  expect(asked).toEqual([])
  change(prompts, 'word for word', 'in full')
  const otherWords = await ask('--checkpoint', path('checkpoint.json'))
  expect(otherWords.stderr).toMatch(/The checkpoint belongs to another run: .*prompts [0-9a-f]{16}/)
  change(workflow, 'const mostNotes', '// Changed.\nconst mostNotes')
  const otherCode = await ask('--checkpoint', path('checkpoint.json'))
  expect(otherCode.stderr).toMatch(/workflow was "append-only [0-9a-f]{16}", is "append-only/)

  writeFileSync(path('bad.yaml'), 'note: <s>{section}</s>\nanser: x\n')
  const bad = await runCommand(['ask', question, text, '--workflow', workflow, '--prompts', path('bad.yaml')])
  expect(bad.code).toBe(2)
  expect(bad.stderr).toContain(`${path('bad.yaml')} holds no prompts for the workflow append-only:`)
  expect(bad.stderr).toContain('note: the place {question} is missing')
  expect(bad.stderr).toContain('anser is no template of it (it has note, answer, nothing, anyQuestion)')
})

it('a workflow that waits for what never comes ends in an error', async () => {
  writeFileSync(path('waiting.mjs'), 'await new Promise(() => {})')
  const { code, stderr } = await runCommand(['ask', 'Who?', text, '--workflow', path('waiting.mjs')])
  expect(code).toBe(1)
  expect(stderr).toMatch(/^error: The run ended without a result: [^\n]+\n$/)
})

it('bench run measures it beside others, and goes on with the same file alone', async () => {
  const output = path('bench.jsonl')
  const methods = `overwrite,${workflow},${workflow}:prompts=compact,chunk=100`
  const task = [
    '--tasks',
    `module:path=${path('own-task.ts')}`,
    '--lengths',
    '400',
    '--samples',
    '2',
    '--prose',
    prose,
  ]
  const bench = () =>
    runCommand(['bench', 'run', ...task, '--methods', methods, '--output', output, '--quiet'])
  const first = await bench()
  expect(first.stderr).toBe('')
  expect(first.code).toBe(0)
  const lines = readFileSync(output, 'utf8').trim().split('\n')
  const records = lines.map((line) => JSON.parse(line))
  expect(new Set(records.map(({ method }) => method))).toEqual(
    new Set(['overwrite', 'append-only', 'append-only:chunk=100,prompts=compact']),
  )
  for (const { method, workflow: recorded, settings, outcome } of records) {
    expect(recorded).toMatch(method === 'overwrite' ? /^overwrite$/ : /^append-only [0-9a-f]{16}$/)
    expect(settings.prompts).toBe('compact')
    expect(outcome).not.toBe('failed')
  }
  expect((await bench()).stdout).toContain('0 of them by this run')
  change(workflow, ' = 4', ' = 5')
  const changed = await bench()
  expect(changed.code).toBe(2)
  expect(changed.stderr).toMatch(/workflow: recorded "append-only [0-9a-f]{16}", now "append-only/)
})

it('train rl learns with it, and goes on with the same words alone', async () => {
  const budget = { window: 512, question: 64, chunk: 48, memory: 64, output: 16 }
  await writeTinyReader(path('reader'), { budget })
  writeFileSync(
    path('rl.yaml'),
    `output: ${path('run')}
engine: { kind: embedded, startFrom: ${path('reader')}, threads: 1 }
workflow: ${workflow}
prompts: ${prompts}
task: { name: module, prose: ${prose}, options: { path: ${path('own-task.ts')}, keys: 1 } }
curriculum: [{ steps: 1, lengths: [60] }]
rollouts: { groups: 1, groupSize: 2 }
loss: { klCoefficient: 0 }
optimizer: { learningRate: 0.001 }
evaluation: { every: 1, samples: 1, lengths: [60] }
`,
  )
  const train = () => runCommand(['train', 'rl', '--config', path('rl.yaml')])
  const { code, stderr } = await train()
  expect(stderr).toContain('step 1 of 1')
  expect(code).toBe(0)
  // The model keeps the prompts and the workflow that it was trained with.
  const profile = JSON.parse(readFileSync(path('run/model/profile.json'), 'utf8'))
  expect(profile.prompts).toMatchObject({ name: 'prompts', nothing: 'nothing' })
  expect(profile.workflows).toEqual(['append-only'])
  change(prompts, 'put nothing but', 'put only')
  expect((await train()).stderr).toContain('was written by a run with another configuration or model')
})

it("the words that MemAgent's checkpoints were trained with are those of its code, letter for letter", async () => {
  const chosen = await choosePrompts(join(root, 'examples/prompts-of-memagent.yaml'))
  const { identity, text } = promptsFor(overwrite, chosen)
  expect(text('emptyMemory', {})).toBe('No previous memory')
  // Recorded when every word was compared with recurrent/impls/memory.py.
  expect(identity).toBe('memagent 79f8671e770e4f01')
})
