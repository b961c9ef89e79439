import { methodNames } from '@memagent/bench'
import { tasks } from '@memagent/tasks'
import { describe, expect, it } from 'vitest'
import { runMain } from '../testing/run-main.ts'

describe('memagent bench tasks', () => {
  it('lists every task with its options, what they take and their defaults', async () => {
    const { code, stdout } = await runMain(['bench', 'tasks'])
    expect(code).toBe(0)
    const names = stdout.split('\n').filter((line) => /^\w/.test(line))
    expect(names.flatMap((line) => line.split(', '))).toEqual(Object.keys(tasks))
    expect(stdout).toContain(
      'multi-hop\n  A question whose answer takes one to four relations, each stated in another place.\n',
    )
    expect(stdout).toContain(
      '  distractors  a whole number of at least 0 (default: 6)\n               Misleading statements, the',
    )
    // `prose` cannot be given on a command line.
    expect(stdout).not.toMatch(/^ {2}prose /m)
  })

  it('shows one task whole', async () => {
    const { stdout } = await runMain(['bench', 'tasks', 'facts-in-prose'])
    expect(stdout.split('\n').filter((line) => /^\w/.test(line))).toEqual(['facts-in-prose'])
    expect(stdout).toContain('"cooking-time"')
  })

  it('gives all of it as JSON', async () => {
    const { stdout } = await runMain(['bench', 'tasks', '--json'])
    expect(JSON.parse(stdout).map(({ name }: { name: string }) => name)).toEqual(Object.keys(tasks))
    const one = await runMain(['bench', 'tasks', 'longbench', '--json'])
    const { name, options } = JSON.parse(one.stdout)
    expect(name).toBe('longbench')
    expect(options[0]).toMatchObject({ name: 'path', isRequired: true })
  })

  it('names the tasks there are for one that there is not', async () => {
    const { code, stderr } = await runMain(['bench', 'tasks', 'multi-hob'])
    expect(code).toBe(2)
    expect(stderr).toContain('multi-hop')
  })
})

it('memagent bench methods lists every method with its options', async () => {
  const { stdout } = await runMain(['bench', 'methods'])
  expect(stdout.split('\n').filter((line) => /^\w/.test(line))).toEqual(methodNames)
  expect(stdout).toContain('  rounds   a whole number of at least 1 (default: 1)\n')
})
