/** A store that any version wrote opens in this one: its runs are listed, shown and resumed. */
import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type StubServer, temporaryFolder } from '@memagent/core/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CommandResult, runCommand } from '../cli/run-cli.ts'
import { createServerOfOld } from './readings.ts'

const fixtures = join(import.meta.dirname, '__fixtures__')
const folder = temporaryFolder(beforeAll, afterAll)
let server: StubServer
let calls = 0
beforeAll(async () => {
  server = await createServerOfOld(() => {
    calls++
  })
})
afterAll(() => server.close())

interface Undisturbed {
  readonly question?: string
  readonly undisturbed: { readonly calls: number; readonly steps: number } & Readonly<Record<string, unknown>>
}

/** What no later version may change. Statements and sources may become better. */
const lasting = ({ answer, outcome, notes, memory, steps }: Readonly<Record<string, unknown>>) => ({
  answer,
  outcome,
  notes,
  memory,
  steps,
})

describe.each(readdirSync(fixtures))('a store of %s', (version) => {
  const store = () => folder.join(`${version}.sqlite`)
  beforeAll(() => {
    cpSync(join(fixtures, version, 'runs.sqlite'), store())
    cpSync(join(fixtures, version, 'runs.sqlite.inputs'), `${store()}.inputs`, { recursive: true })
  })
  const recorded: readonly Undisturbed[] = JSON.parse(
    readFileSync(join(fixtures, version, 'undisturbed.json'), 'utf8'),
  )
  const run = (...args: string[]) => runCommand([...args, '--store', store()])
  const listed = async () => JSON.parse((await run('runs', '--json')).stdout)

  it('lists and shows its runs', async () => {
    const runs = await listed()
    expect(runs.map(({ state }: { state: string }) => state).sort()).toEqual([
      ...['finished', 'finished', 'unfinished', 'unfinished', 'unfinished'],
    ])
    const shown: readonly CommandResult[] = await Promise.all(
      runs.map(({ id }: { id: string }) => run('show', id, '--json')),
    )
    for (const [i, { question, state, steps }] of runs.entries()) {
      const { undisturbed } = recorded.find((one) => one.question === question)!
      const [head, ...events] = shown[i]!.stdout.trim().split('\n')
      const { result } = JSON.parse(head!)
      const types = events.map((line) => JSON.parse(line).type)
      expect(types.filter((type) => type === 'chunk-end')).toHaveLength(steps)
      if (state === 'unfinished') {
        expect(steps).toBeLessThan(undisturbed.steps)
        continue
      }
      const { answer = {}, memory } = result
      const told = question === undefined ? { notes: memory } : { ...result, ...answer, answer: answer.text }
      expect(lasting({ ...told, steps })).toEqual(lasting(undisturbed))
      expect(JSON.stringify(result)).toContain('"verdict":"found"')
    }
  })

  it('resumes each, and makes no call again', async () => {
    for (const { id, question, state, steps } of await listed()) {
      if (state === 'finished') continue
      const { undisturbed } = recorded.find((one) => one.question === question)!
      calls = 0
      const { stdout } = await run('resume', id, '--json', '--base-url', server.baseUrl)
      const result = JSON.parse(stdout)
      expect(lasting(result)).toEqual(lasting(undisturbed))
      expect(JSON.stringify(result.statements)).toContain('"verdict":"found"')
      expect(calls).toBeLessThanOrEqual(undisturbed.calls - steps)
      // Replies in its journal are not asked for again.
      if (question.includes('lighthouse')) expect(calls).toBeLessThan(undisturbed.calls - steps - 2)
    }
    expect((await listed()).map(({ state }: { state: string }) => state)).toEqual(Array(5).fill('finished'))
  })

  it('is refused by every command when it is of a newer version, and nothing of it changes', async () => {
    const [{ id }] = await listed()
    const database = new DatabaseSync(store())
    database.exec('UPDATE schema_version SET version = 999')
    database.close()
    const before = readFileSync(store())
    const commands = [['runs'], ['resume', id], ['runs', 'rm', id]]
    for (const command of commands) {
      const { code, stderr } = await run(...command)
      expect({ command, code, stderr }).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('store/version'),
      })
    }
    expect(readFileSync(store())).toEqual(before)
  })
})
