/** A reading that is killed at any moment and started again ends with the answer of one that was never disturbed. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStubServer, type StubCall, type StubServer } from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runCommand } from './run-cli.ts'

/** A memory that depends on every chunk so far and on their order. */
function fold(memory: string, section: string): string {
  let hash = 0x811c9dc5
  for (const character of memory + section)
    hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193) >>> 0
  return `state ${hash.toString(16)}`
}

function respond({ messages }: StubCall): string {
  const prompt = messages.at(-1)!.content
  const part = (name: string) => prompt.split(`<${name}>`)[1]?.split(`</${name}>`)[0]?.trim() ?? ''
  return prompt.includes('<section>') ? fold(part('memory'), part('section')) : `\\boxed{${part('memory')}}`
}

let folder: string
let server: StubServer
/** Told of every call that reaches the server. */
let onCall: (() => void) | undefined
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'memagent-kill-'))
  server = await createStubServer({
    respond: (call) => {
      onCall?.()
      return respond(call)
    },
    delayMs: 2,
  })
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

function askAbout(file: string, checkpoint: string, onStart?: (pid: number) => void) {
  const [question, model] = ['What is the state?', ['--model', 'openai:stub', '--base-url', server.baseUrl]]
  return runCommand(['ask', question, file, ...model, '--chunk', '100', ...recorded(checkpoint)], {
    onStart: (child) => onStart?.(child.pid!),
  })
}
const recorded = (checkpoint: string) => ['--json', '--checkpoint', checkpoint]

it('survives ten kills at random moments', { timeout: 120_000 }, async () => {
  const random = createRandom('kill-and-resume')
  const text = Array.from({ length: 7000 }, (_, i) => `Sentence ${i} says ${random.int(1e6)}.`).join(' ')
  const file = join(folder, 'text.txt')
  await writeFile(file, text)
  const ask = (checkpoint: string, onStart?: (pid: number) => void) => askAbout(file, checkpoint, onStart)
  const undisturbed = JSON.parse((await ask(join(folder, 'undisturbed.json'))).stdout)
  expect(undisturbed.steps).toBeGreaterThan(350)
  expect(undisturbed.answer).toMatch(/^state [0-9a-f]+$/)

  const checkpoint = join(folder, 'killed.json')
  // Counted in calls, so that a busy machine, which starts slowly, is killed while it reads as well.
  const killDuring = (pid: number) => {
    if (random.int(6) === 0) killAfter(pid, random.int(500))
    else killAtCall(pid, 1 + random.int(24), random.int(12))
  }
  let [kills, result] = [0, await ask(checkpoint, (pid) => killAtCall(pid, 20, 3))]
  while (result.signal === 'SIGKILL') {
    kills++
    onCall = undefined
    result = await ask(checkpoint, kills < 10 ? killDuring : undefined)
  }
  expect(result.stderr).toMatch(/Going on after step/)
  expect(result.code).toBe(0)
  expect(kills).toBe(10)
  const resumed = JSON.parse(result.stdout)
  expect(resumed.answer).toBe(undisturbed.answer)
  expect(resumed.steps).toBe(undisturbed.steps)
  expect(resumed.usage.chunkTokens).toBe(undisturbed.usage.chunkTokens)
})

it('refuses a checkpoint that another reading is writing, before it opens its model', {
  timeout: 60_000,
}, async () => {
  const [file, checkpoint] = [join(folder, 'shared.txt'), join(folder, 'shared.json')]
  await writeFile(file, 'One sentence after the other. '.repeat(6000))
  let calls = 0
  const begun = new Promise<void>((resolve) => {
    onCall = () => {
      if (++calls === 3) resolve()
    }
  })
  const first = askAbout(file, checkpoint)
  await begun
  const refused = await runCommand([
    'ask',
    'Who?',
    file,
    '--model',
    'embedded:missing',
    ...recorded(checkpoint),
  ])
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'file/locked' } })
  expect((await first).code).toBe(0)
})

function killAtCall(pid: number, call: number, milliseconds: number): void {
  let calls = 0
  onCall = () => {
    if (++calls === call) killAfter(pid, milliseconds)
  }
}

function killAfter(pid: number, milliseconds: number): void {
  setTimeout(() => {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It was done before.
    }
  }, milliseconds)
}
