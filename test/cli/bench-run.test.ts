/** A benchmark that is killed at any moment and started again loses no finished sample and repeats none. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import type { BenchRecord } from '@memagent/bench'
import { createStubServer, type StubServer, temporaryFolder } from '@memagent/core/testing'
import { createRandom } from '@memagent/tasks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandOptions, runCommand } from './run-cli.ts'

const questions = 60
const codeOf = (index: number) => String(48_213 + 7 * index)

const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
/** The question numbers of the calls, in order. */
let asked: number[] = []
let onCall: (() => void) | undefined
/** Answers wait until it resolves. */
let held: Promise<void> | undefined
let isDown = false
beforeAll(async () => {
  const lines = Array.from({ length: questions }, (_, index) => ({
    id: `q${index}`,
    question: `What is the code of gate ${index}?`,
    document: `${'The garden is large. '.repeat(20)}The code of gate ${index} is ${codeOf(index)}. ${'Rain fell. '.repeat(20)}`,
    answers: [codeOf(index)],
  }))
  await writeFile(folder.join('gates.jsonl'), lines.map((line) => JSON.stringify(line)).join('\n'))
  await writeFile(
    folder.join('prose.txt'),
    'The old house stood by the sea and nobody lived there. '.repeat(20),
  )
  server = await createStubServer({
    delayMs: 4,
    async respond({ messages: [message] }) {
      const prompt = message!.content
      const gate = Number(/code of gate (\d+)\?/.exec(prompt)?.[1])
      asked.push(gate)
      onCall?.()
      await held
      const isTold = prompt.includes(codeOf(gate))
      return prompt.includes('<section>')
        ? isTold
          ? codeOf(gate)
          : 'No previous memory'
        : `\\boxed{${isTold ? codeOf(gate) : 'not found'}}`
    },
    faults: () => (isDown ? { kind: 'status', status: 400, message: 'no' } : undefined),
  })
})
afterAll(() => server.close())

const bench = (output: string, more: readonly string[] = [], options: CommandOptions = {}) =>
  runCommand(
    [
      'bench',
      'run',
      '--tasks',
      `jsonl:path=${folder.join('gates.jsonl')}`,
      '--lengths',
      '1k',
      '--methods',
      'overwrite:chunk=60',
      '--samples',
      String(questions),
      '--output',
      folder.join(output),
      '--prose',
      folder.path,
      '--model',
      'openai:stub',
      '--base-url',
      server.baseUrl,
      ...more,
    ],
    options,
  )

const linesOf = async (output: string): Promise<BenchRecord[]> =>
  (await readFile(folder.join(output), 'utf8').catch(() => ''))
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
const gateOf = ({ question }: BenchRecord) => Number(/gate (\d+)/.exec(question)![1])

describe('a run that is killed', () => {
  it('loses no finished sample and repeats none', { timeout: 180_000 }, async () => {
    const random = createRandom('bench-kills')
    let [kills, killsWithRecords] = [0, 0]
    for (;;) {
      const recorded = new Set((await linesOf('killed.jsonl')).map(gateOf))
      asked = []
      const { code, signal, stderr } = await bench('killed.jsonl', [], {
        onStart: (child) => {
          // Samples are recorded within milliseconds: enough of the kills must come after one.
          if (kills >= 12 && killsWithRecords > 2) return
          const kill = () => setTimeout(() => child.kill('SIGKILL'), random.int(8)).unref()
          // Every fourth kill comes before the first call, or about then.
          if (kills % 4 === 3) setTimeout(kill, random.int(700)).unref()
          const calls = kills < 12 ? 1 + random.int(30) : 30
          onCall = () => {
            if (asked.length === calls) kill()
          }
        },
      })
      onCall = undefined
      expect(asked.filter((gate) => recorded.has(gate))).toEqual([])
      const after = (await linesOf('killed.jsonl')).map(gateOf)
      expect([...recorded].filter((gate) => !after.includes(gate))).toEqual([])
      if (signal !== 'SIGKILL') {
        expect(stderr).not.toMatch(/error/)
        expect(code).toBe(0)
        break
      }
      kills++
      if (after.length > recorded.size) killsWithRecords++
    }
    expect(killsWithRecords).toBeGreaterThan(2)
    const lines = await linesOf('killed.jsonl')
    expect(lines.every(({ program }) => /^\d+\.\d+\.\d+/.test(program!))).toBe(true)
    expect(lines.map(({ key }) => key).toSorted()).toEqual(
      Array.from(
        { length: questions },
        (_, index) => `jsonl:path=gates.jsonl/1000/${index}/overwrite:chunk=60/openai:stub`,
      ).toSorted(),
    )
    expect(lines.filter(({ metrics, answer }) => metrics.strict !== 1 || answer === '')).toEqual([])
    expect(await readdir(folder.path)).not.toContainEqual(expect.stringContaining('lock'))
  })
})

it('ends cleanly on Ctrl-C with exit code 130, and can be resumed', { timeout: 60_000 }, async () => {
  const { code, stderr } = await bench('interrupted.jsonl', [], {
    onStart: (child) => {
      const timer = setInterval(async () => {
        if ((await linesOf('interrupted.jsonl')).length < 3) return
        clearInterval(timer)
        child.kill('SIGINT')
      }, 20)
    },
  })
  expect(code).toBe(130)
  expect(stderr).toMatch(/Interrupted\. Run the same command again to resume/)
  const before = (await linesOf('interrupted.jsonl')).length
  expect(before).toBeLessThan(questions)
  const { code: second, stdout } = await bench('interrupted.jsonl', ['--json'])
  expect(second).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({
    planned: questions,
    samples: questions,
    asked: questions - before,
    failed: 0,
    model: 'openai:stub',
    groups: [{ method: 'overwrite:chunk=60', lengthTokens: 1000, metrics: { strict: 1 } }],
  })
})

it('refuses a file that another run is writing', { timeout: 60_000 }, async () => {
  let release: () => void = () => undefined
  held = new Promise((resolve) => {
    release = resolve
  })
  const begun = new Promise<void>((resolve) => {
    onCall = resolve
  })
  const running = bench('shared.jsonl')
  await begun
  const refused = await bench('shared.jsonl', ['--json'])
  expect(refused.code).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({ error: { code: 'file/locked' } })
  release()
  held = undefined
  onCall = undefined
  const first = await running
  expect(first.code).toBe(0)
  const keys = (await linesOf('shared.jsonl')).map(({ key }) => key)
  expect(new Set(keys).size).toBe(questions)
  expect(keys).toHaveLength(questions)
})

it('reports failures by its exit code, and asks them again on request', { timeout: 60_000 }, async () => {
  isDown = true
  // One at a time, so that the first question asked is the first to fail: only that failure is reported.
  const failed = await bench('failed.jsonl', ['--samples', '3', '--concurrency', '1'])
  isDown = false
  expect(failed.code).toBe(1)
  expect(failed.stdout).toMatch(
    /3 samples are recorded in .*failed\.jsonl, 3 of them by this run\.\n3 failed and count as wrong: 3 chat\/rejected\.\nTo ask them again, .*--retry-failed/,
  )
  expect(failed.stderr).toMatch(/failed: jsonl:path=gates\.jsonl\/1000\/0/)
  expect((await bench('failed.jsonl', ['--samples', '3'])).code).toBe(1)
  const again = await bench('failed.jsonl', ['--samples', '3', '--retry-failed', '--json'])
  expect(again.code).toBe(0)
  expect(JSON.parse(again.stdout)).toMatchObject({ samples: 3, asked: 3, failed: 0 })
  expect(await linesOf('failed.jsonl')).toHaveLength(6)
})

it('estimates without a call', { timeout: 60_000 }, async () => {
  asked = []
  const { code, stdout } = await bench('dry.jsonl', [
    '--dry-run',
    '--tokens-per-second',
    '100',
    '--price-in',
    '1',
  ])
  expect(code).toBe(0)
  expect(stdout).toMatch(/^method +length +samples +calls +prompt tokens +generated +time +price\n/)
  expect(stdout).toMatch(/overwrite:chunk=60 +own length +60 +\d+ /)
  expect(asked).toEqual([])
  expect(await readdir(folder.path)).not.toContain('dry.jsonl')
})

it('reports in an estimate what does not fit the window', { timeout: 60_000 }, async () => {
  const { stdout } = await bench('dry.jsonl', [
    '--dry-run',
    '--tasks',
    'facts-in-prose',
    '--lengths',
    '1k,900k',
    '--methods',
    'whole',
  ])
  expect(stdout).toMatch(/^does not fit the window, so each sample will fail: whole at 900k$/m)
  expect(stdout).not.toContain('whole at 1k')
})

it.each([[], ['--dry-run']])(
  'refuses a window without room for a chunk before the first call %s',
  { timeout: 60_000 },
  async (...more) => {
    asked = []
    const methods = ['--methods', 'overwrite', '--window', '2048']
    const { code, stderr } = await bench('narrow.jsonl', [...methods, ...more])
    expect(stderr).toContain('overwrite: The budget needs up to ')
    expect(stderr).toContain('(reading/budget-exceeds-window)')
    expect(code).toBe(2)
    expect(asked).toEqual([])
    expect(await readdir(folder.path)).not.toContain('narrow.jsonl')
  },
)

it('says that samples repeat the questions of a file', { timeout: 60_000 }, async () => {
  const { code, stderr } = await bench('repeated.jsonl', ['--dry-run', '--samples', '64'])
  expect(code).toBe(0)
  expect(stderr).toContain('gates.jsonl has 60 questions, and is asked 64')
})

it('names what is missing', { timeout: 60_000 }, async () => {
  const nothing = await runCommand(['bench', 'run', '--json'])
  expect(nothing.code).toBe(2)
  expect(JSON.parse(nothing.stdout).error.message).toBe('A benchmark needs tasks, lengths, methods.')
})
