import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'
import { completedCommands } from './command-tree.ts'
import { completionScript, type Shell, shells } from './shells.ts'

const hasShell = (shell: Shell) => spawnSync(shell, ['--version']).status === 0

/** Names, values and descriptions that a shell could misread. */
const odd = new Command('odd-tool')
  .addCommand(
    new Command('run')
      .description("it's a $(touch pwned): `run`")
      .argument('[files...]')
      .addOption(new Option('--kind <kind>', 'one of "two"').choices(['red', 'blue']))
      .option('-o, --output <file>', 'where')
      .option('--count <n>', 'how many'),
  )
  .addCommand(
    new Command('group').addCommand(
      new Command('deep').addArgument(new Argument('<what>').choices(['this', 'that'])),
    ),
  )

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'completion-'))
  writeFileSync(join(folder, 'a file.txt'), '')
})
afterAll(() => rmSync(folder, { recursive: true }))

const scriptOf = (shell: Shell) => completionScript(shell, 'odd-tool', completedCommands(odd))

/** What bash offers for these words, with the cursor at the last one. */
function bashOffers(script: string, words: readonly string[]): string[] {
  const quoted = words.map((word) => `'${word}'`).join(' ')
  const code = `${script}
COMP_WORDS=(${quoted}); COMP_CWORD=${words.length - 1}
name=$(complete -p ${words[0]} | sed 's/.*-F \\([^ ]*\\) .*/\\1/')
$name 2>&1; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, status } = spawnSync('bash', ['--norc', '-c', code], { cwd: folder, encoding: 'utf8' })
  expect(status).toBe(0)
  return stdout.split('\n').filter((line) => line !== '')
}

/** What fish offers for a line, without descriptions. */
function fishOffers(script: string, line: string): string[] {
  const code = `${script}\ncomplete -C '${line}'`
  const { stdout } = spawnSync('fish', ['--no-config', '-c', code], { cwd: folder, encoding: 'utf8' })
  return stdout.split('\n').flatMap((each) => (each === '' ? [] : [each.split('\t')[0]!]))
}

const cases: readonly (readonly [string, readonly string[]])[] = [
  ['', ['group', 'run']],
  ['r', ['run']],
  ['run --k', ['--kind']],
  ['run --kind ', ['blue', 'red']],
  ['run --kind b', ['blue']],
  ['run --count ', []],
  ['group ', ['deep']],
  ['group deep th', ['that', 'this']],
]

describe.runIf(hasShell('bash'))('in bash', () => {
  it.each(cases)('odd-tool %s', (line, expected) => {
    expect(bashOffers(scriptOf('bash'), ['odd-tool', ...line.split(' ')]).sort()).toEqual(expected)
  })

  it('offers files for path arguments', () => {
    for (const line of [
      ['run', 'a'],
      ['run', '--output', ''],
    ]) {
      expect(bashOffers(scriptOf('bash'), ['odd-tool', ...line])).toEqual(['a file.txt'])
    }
  })

  it('offers every command and option of memagent, and nothing else', async () => {
    const { code, stdout: script } = await runMain(['completion', 'bash'])
    expect(code).toBe(0)
    const help = async (path: readonly string[]) => (await runMain([...path, '--help'])).stdout
    const walk = async (path: readonly string[]): Promise<number> => {
      const text = await help(path)
      const below = [...(text.split('\nCommands:\n')[1] ?? '').matchAll(/^ {2}([\w-]+)/gm)]
        .map(([, name]) => name!)
        .filter((name) => name !== 'help')
      const options = [...text.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, name]) => name!)
      expect(options).toContain('--help')
      const offered = bashOffers(script, ['memagent', ...path, '--'])
      expect(offered.sort()).toEqual(options.sort())
      if (below.length > 0) expect(bashOffers(script, ['memagent', ...path, ''])).toEqual(below)
      const counts = await Promise.all(below.map((name) => walk([...path, name])))
      return counts.reduce((sum, count) => sum + count, 1)
    }
    expect(await walk([])).toBeGreaterThan(12)
  }, 60_000)
})

describe.runIf(hasShell('fish'))('in fish', () => {
  it.each(cases)('odd-tool %s', (line, expected) => {
    expect(fishOffers(scriptOf('fish'), `odd-tool ${line}`).sort()).toEqual(expected)
  })
})

it.each(shells.filter(hasShell))('%s parses its script without running it', async (shell) => {
  for (const script of [scriptOf(shell), (await runMain(['completion', shell])).stdout]) {
    const { status, stderr } = spawnSync(shell, ['-n', '-c', script], { cwd: folder, encoding: 'utf8' })
    expect(stderr).toBe('')
    expect(status).toBe(0)
  }
  spawnSync(shell, ['-c', shell === 'zsh' ? `compdef() { :; }\n${scriptOf(shell)}` : scriptOf(shell)], {
    cwd: folder,
  })
  expect(spawnSync('ls', [folder], { encoding: 'utf8' }).stdout).toBe('a file.txt\n')
})

it('rejects other shells', async () => {
  const { code, stderr } = await runMain(['completion', 'tcsh'])
  expect(code).toBe(2)
  expect(stderr).toContain('bash, zsh, fish')
})

it('--version prints only the version', async () => {
  expect(await runMain(['--version'])).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  })
})
