/** Every example runs as a user would run it, and prints what it is there to show. */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { runCommand } from './cli/run-cli.ts'

const root = resolve(import.meta.dirname, '..')
const folder = mkdtempSync(join(tmpdir(), 'memagent-examples-'))
afterAll(() => rmSync(folder, { recursive: true }))

interface Example {
  readonly args?: readonly string[]
  /** What it must print, in any order. */
  readonly prints: readonly (string | RegExp)[]
  /** Checks the rest of the output. */
  readonly check?: (printed: string) => void
}

it('README begins with a question about a PDF, and shows what the command prints', async () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, question, file, printed] =
    /^\$ npm run -s memagent -- ask "([^"]+)" (\S+\.pdf) --quiet\n([\s\S]+?)```/m.exec(readme)!
  const { stdout, stderr } = await runCommand(['ask', question!, file!, '--quiet', '--no-store'])
  expect(stdout + stderr).toBe(printed)
})

const record = join(folder, 'evaluate.jsonl')
const examples: Record<string, Example> = {
  'ask-a-file.ts': { prints: [/^chunk 1, memory: $/m, /^chunk 4, memory: 70956$/m, 'answer (found): 70956'] },
  'own-task.ts': {
    prints: [
      'What is the access code for the Smithy?',
      /^20997 \{ strict: 1/m,
      /^It is locked\. \{ strict: 0/m,
    ],
  },
  'own-loader.ts': { prints: [/^00:00:05 {2}The harbour is closed\.\n00:01:07 {2}Then we land/] },
  'own-model.ts': { prints: ['answer (found): The access code for the South Gate is 70956.'] },
  'own-workflow.ts': {
    prints: ['kept: keeps a hostile text inside its section', /^(?:kept: .*\n){15,}$/],
  },
  'evaluate.ts': {
    args: [record],
    prints: [
      `48 samples in ${record}, 48 of them asked now, 0 failed`,
      /^\| 3,000 +\| edits +\| +12 \| +\d+\.\d \(\d+\.\d–\d+\.\d\) \|/m,
      /^edits alone is right \d+ times, skim-edits alone \d+ times \(p = \d/m,
    ],
  },
  'train-loop.ts': {
    prints: [/^step 30: reward \d\.\d+, learned from \d+ of \d+ conversations$/m],
    check(printed) {
      const [first, last] = [...printed.matchAll(/^reward of .* (\d\.\d+)$/gm)].map(([, reward]) =>
        Number(reward),
      )
      // A random reader ends one note in fifty, one that has learned nearly all.
      expect(first).toBeLessThan(0.1)
      expect(last).toBeGreaterThan(0.6)
    },
  },
}

const run = async (name: string, args: readonly string[] = []): Promise<string> => {
  const command = ['--conditions=@memagent/source', join(root, 'examples', name), ...args]
  // A folder of its own: a program finds its texts wherever it is run from.
  const { stdout, stderr } = await promisify(execFile)(process.execPath, command, { cwd: folder })
  expect(stderr).toBe('')
  return stdout
}

it('every program has a test and a line in the README, with the command', () => {
  const programs = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'))
  expect(programs.sort()).toEqual(Object.keys(examples).sort())
  const readme = readFileSync(join(root, 'examples/README.md'), 'utf8')
  for (const name of programs) expect(readme).toContain(`npm run example examples/${name}`)
  const scripts = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts
  expect(scripts.example).toBe('node --conditions=@memagent/source')
})

describe.each(Object.entries(examples))('%s', (name, { args, prints, check }) => {
  it('prints what it shows', async () => {
    const printed = await run(name, args)
    for (const one of prints) expect(printed).toMatch(one)
    check?.(printed)
  })
})

it('the program in docs/training.md trains', async () => {
  const text = readFileSync(join(root, 'docs/training.md'), 'utf8')
  const [, program] = /```ts\n([\s\S]*?)```/.exec(text)!
  // The same, but short.
  const short = [
    ["'runs/short-notes'", `'${join(folder, 'short-notes')}'`],
    ['steps: 20, lengths: [1000]', 'steps: 1, lengths: [200]'],
    ['samples: 16, lengths: [1000]', 'samples: 1, lengths: [200]'],
  ] as const
  let changed = program!
  for (const [from, to] of short) {
    expect(changed).toContain(from)
    changed = changed.replace(from, to)
  }
  const command = ['--conditions=@memagent/source', '--input-type=module-typescript', '--eval', changed]
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: root })
  expect(stdout).toMatch(/^1 [01](\.\d+)?\n$/)
})

it('evaluate.ts, run again, asks nothing that is recorded', async () => {
  expect(await run('evaluate.ts', [record])).toContain('0 of them asked now')
})

it('own-task.ts is a task for the benchmark, by its path', async () => {
  const output = join(folder, 'own-task.jsonl')
  const task = [
    '--tasks',
    'module:path=examples/own-task.ts,keys=2',
    '--lengths',
    '500',
    '--samples',
    '2',
    '--prose',
    'recipes/prose',
  ]
  const { code } = await runCommand(['bench', 'run', ...task, '--methods', 'overwrite', '--output', output])
  expect(code).toBe(0)
  const lines = readFileSync(output, 'utf8').trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).labels)).toEqual([{ keys: 2 }, { keys: 2 }])
})
